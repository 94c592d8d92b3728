"""How much one account may have or do, so that nobody takes the arena from the others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

from arena_service.settings import SettingsError

MOST = 1_000_000


@dataclass(frozen=True)
class Quotas:
    """Of every account; `..._a_day`: within the last 24 hours."""

    active_bots: int = 50
    versions_a_day: int = 100
    checks_waiting: int = 20
    challenges_a_day: int = 20

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Quotas:
        """From `INTERREX_QUOTA_ACTIVE_BOTS` and its like; raises SettingsError."""
        named = {each.name: f"INTERREX_QUOTA_{each.name.upper()}" for each in fields(cls)}
        return cls(
            **{
                name: _count(variable, environment[variable])
                for name, variable in named.items()
                if environment.get(variable)
            }
        )


DEFAULTS = Quotas()


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))):
        raise SettingsError(f"{name}: expected a number from 0 to {MOST}, got {text[:80]!r}")
    return min(int(text), MOST)
