"""Everything the replay player needs of one viewpoint, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dashboard.boards.catalogue import Board
from dashboard.i18n.text import _

Frame = Mapping[str, Any]
Plain = dict[str, Any]


def film(frames: Iterable[Frame], board: Board, names: Sequence[str], ending: str) -> Plain:
    """Pictures, moves and slider marks; frame n is the position after n plies."""
    shown = list(frames)
    fault = [{"frame": len(shown) - 1, "label": ending, "kind": "fault"}] if ending else []
    return {
        "frames": [board.render(frame["view"], _last(frame), names) for frame in shown],
        "moves": [_move(before, after, board) for before, after in pairwise(shown)],
        "marks": _marks(shown, board) + fault,
        "names": list(names),
        "ending": ending,
    }


def _last(frame: Frame) -> Plain | None:
    if frame["action"] is None:
        return None
    return {"seat": frame["seat"], "action": frame["action"]}


def _move(before: Frame, after: Frame, board: Board) -> Plain:
    return {
        "seat": after["seat"],
        "text": after["action"],
        "forced": bool(after["forced"]),
        "outcome": board.outcome(before["view"], after["view"]),
    }


def _marks(frames: Sequence[Frame], board: Board) -> list[Plain]:
    marks = []
    for index, (before, after) in enumerate(pairwise(frames), start=1):
        label = board.mark(before["view"], after["view"])
        if label:
            marks.append({"frame": index, "label": label, "kind": "phase"})
    return marks


def words() -> dict[str, str]:
    """The texts of the player's own controls."""
    return {
        "first": _("To the deal (Home)"),
        "back": _("One ply back (left arrow)"),
        "play": _("Play (space)"),
        "pause": _("Pause (space)"),
        "forward": _("One ply forward (right arrow)"),
        "last": _("To the end (End)"),
        "speed": _("Speed"),
        "view": _("Viewpoint"),
        "copy": _("Copy link"),
        "copied": _("Link copied"),
        "moves": _("Moves"),
        "deal": _("The deal"),
        "forced": _("forced"),
        "ply": _("Ply {ply} / {last}"),
        "seat": _("S{seat}"),
        "slider": _("Position in the match"),
    }
