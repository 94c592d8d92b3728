"""What a ladder or a tournament is created with: the game, its options and the clocks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from arena_service.store.terms import written
from cli.failures import Exit, Failure
from cli.profile import MOST
from engine_service.core.seeds import SEED_BYTES
from interrex.arena.v1.ladder_service_pb2 import Ladder, Limits
from interrex.arena.v1.tournament_service_pb2 import Tournament

BotName = Annotated[str, typer.Argument(metavar="BOT", help="Name of one of your bots.")]
Game = Annotated[str, typer.Option(help="Which game is played.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="What differs from the game's defaults, JSON or a word; any number of times.",
    ),
]
Seed = Annotated[str, typer.Option(help="64 hex digits; the same seed, the same deals.")]
Seats = Annotated[int, typer.Option(min=0, max=MOST, help="0: the fewest the game allows.")]
Webhook = Annotated[str, typer.Option(metavar="URL", help="Told when it has ended, signed.")]
StartCpu = Annotated[int, typer.Option(min=0, max=MOST, help="For a start; 0: the default.")]
MoveCpu = Annotated[int, typer.Option(min=0, max=MOST, help="For every answer; 0: the default.")]
BankCpu = Annotated[int, typer.Option(min=0, max=MOST, help="For all answers; 0: the default.")]


def options_json(given: Sequence[str] | None) -> str:
    """The options as the arena wants them; raises Failure."""
    return json.dumps(options(given))


def options(given: Sequence[str] | None) -> dict[str, Any]:
    """The options by name; raises Failure."""
    found: dict[str, Any] = {}
    for item in given or ():
        name, equals, value = item.partition("=")
        if not name or not equals:
            raise Failure(f"--option {item}: write it as NAME=VALUE", Exit.USAGE)
        if name in found:
            raise Failure(f"--option {name}: named more than once", Exit.USAGE)
        found[name] = _value(value)
    return found


def webhook_line(secret: str) -> list[str]:
    """What is said of a webhook whose secret was just made; nothing where there is none."""
    return [f"webhook secret {secret} (it is not shown again)"] if secret else []


def game(played: Ladder | Tournament) -> str:
    """The game, with what differs from its defaults: king_is_dead (variant=cunning)."""
    options = json.loads(played.options_json or "{}")
    return f"{played.game} ({written(options)})" if options else played.game


def seed(text: str) -> str:
    """The seed that was given, else a new one; raises Failure."""
    if not text:
        return secrets.token_hex(SEED_BYTES)
    if len(text) != 2 * SEED_BYTES or set(text) - set("0123456789abcdef"):
        raise Failure(
            f"--seed: expected {2 * SEED_BYTES} hex digits in lower case, got {text[:80]!r}",
            Exit.USAGE,
        )
    return text


def limits(start_cpu_ms: int, move_cpu_ms: int, bank_cpu_ms: int) -> Limits:
    """The clocks of a match; zeros mean the arena's defaults."""
    return Limits(start_cpu_ms=start_cpu_ms, move_cpu_ms=move_cpu_ms, bank_cpu_ms=bank_cpu_ms)


def _value(text: str) -> Any:
    """A JSON value, else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
