"""Names of accounts, bots and competitions."""

from __future__ import annotations

from arena_service.store.errors import InvalidError
from bots.manifest import NAME


def check_name(name: str) -> None:
    """Raises InvalidError."""
    if not NAME.fullmatch(name):
        raise InvalidError("name", "1 to 40 of a-z, 0-9 and -, not starting with -")
