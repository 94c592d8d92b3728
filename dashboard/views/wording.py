"""Results and endings in words."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.store.queries import MatchRow, PlayerRow
from dashboard.i18n.text import _

_FAULTS = {
    "resigned": _("{name} resigned"),
    "illegal_action": _("{name} gave an illegal answer"),
    "timeout": _("{name} ran out of time"),
    "crash": _("{name} crashed"),
}


def ending(kind: str, at_fault: int | None, names: Sequence[str]) -> str:
    """How a match ended, where it did not end by the rules of its game; else empty."""
    if kind == "no_contest":
        return _("No contest: more than one bot failed to start")
    if kind not in _FAULTS or at_fault is None:
        return ""
    return _FAULTS[kind].format(name=names[at_fault])


def result(ranks: Sequence[int] | None, names: Sequence[str]) -> str:
    """Who won, in words."""
    if not ranks:
        return _("No result")
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == min(ranks)]
    if len(winners) == len(names):
        return _("A draw")
    return _("{names} won").format(names=_(" and ").join(winners))


def player_names(players: Sequence[PlayerRow]) -> tuple[str, ...]:
    """Owner, bot and version by seat."""
    return tuple(f"{player.owner}/{player.bot} v{player.version}" for player in players)


def outcome(match: MatchRow) -> str:
    """The result of a match, and how it came about when a bot failed."""
    if not match.ending:
        return _("Not played yet")
    names = [player.bot for player in match.players]
    ranks = [player.rank for player in match.players if player.rank is not None]
    how = ending(match.ending, match.at_fault, names)
    if not ranks:
        return how or result(None, names)
    said = result(ranks, names)
    return f"{said}: {how}" if how else said
