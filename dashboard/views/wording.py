"""Results and endings in words."""

from __future__ import annotations

from collections.abc import Sequence

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
