"""`interrex health`: whether an engine or API serves, for the health checks of containers."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from cli.failures import Exit, Failure, server_missing
from cli.output import say

SECONDS = 5.0


def health(
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Of the engine or the API.")],
) -> None:
    """Ask a server whether it serves."""
    if find_spec("redis") is None:
        raise server_missing()
    from arena_service.status.probes import serves

    if not serves(address, SECONDS):
        raise Failure(f"nothing at {address} says that it serves", Exit.UNREACHABLE)
    say("serving")
