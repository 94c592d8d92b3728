"""What is played, in words: the game with its options, and who plays together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena_service.store.queries import MatchDetail
from arena_service.store.terms import written
from dashboard.i18n.text import _
from engine_service import catalogue
from engine_service.core.errors import UnknownGameError


def title(name: str) -> str:
    """What people call a game; of one that is not installed its name."""
    try:
        return catalogue.game(name).title
    except UnknownGameError:
        return name


def game(name: str, options: Mapping[str, Any]) -> str:
    """The game, and what differs from its defaults, as it is typed: The King Is Dead (a=b)."""
    return f"{title(name)} ({written(options)})" if options else title(name)


def line_up(detail: MatchDetail, names: Sequence[str]) -> str:
    """Who plays against whom, partners together; `names` by seat."""
    sides: dict[int, list[str]] = {}
    for name, team in zip(names, _teams(detail), strict=True):
        sides.setdefault(team, []).append(name)
    return _(" against ").join(_(" and ").join(side) for side in sides.values())


def _teams(detail: MatchDetail) -> Sequence[int]:
    try:
        known = catalogue.game(detail.match.game)
    except UnknownGameError:
        return range(detail.seats)
    return known.teams(known.parse_options(detail.options), detail.seats)
