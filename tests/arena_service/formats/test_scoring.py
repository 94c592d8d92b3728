"""Points and tie-breaks: as in published tables, and as counted by hand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.format import Departure, Encounter, Field, Round
from arena_service.formats.scoring import BUCHHOLZ, SONNEBORN_BERGER, points_of, table
from arena_service.formats.swiss import Swiss
from tests.arena_service.formats.play import field, play
from tests.arena_service.formats.test_swiss import chance


def round_of(results: Iterable[tuple[str, str, float]], byes: tuple[str, ...] = ()) -> Round:
    """Encounters by who met whom and what the first of them got, of one match."""
    encounters = [Encounter((a, b), (taken, 1.0 - taken), 1) for a, b, taken in results]
    return Round(tuple(encounters), byes)


def test_a_published_table() -> None:
    """A double round of four, https://www.fiveinline.com/sbps.html, example 1."""
    games = {"AB": (0, 1), "AC": (1, 1), "AD": (1, 0), "BC": (0, 1), "BD": (1, 1), "CD": (1, 1)}
    history = [
        round_of((pair[0], pair[1], float(taken[number])) for pair, taken in games.items())
        for number in range(2)
    ]
    lines = table(Field(("A", "B", "C", "D"), 2), history)
    found = {line.entrant: (line.points, dict(line.tie_breaks)[SONNEBORN_BERGER]) for line in lines}
    assert found == {"A": (4, 11), "B": (4, 9), "C": (3, 6), "D": (1, 4)}
    assert [(line.rank, line.entrant) for line in lines] == [(1, "A"), (2, "B"), (3, "C"), (4, "D")]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 13), st.integers(1, 6), st.integers(0, 999))
def test_tie_breaks_are_as_counted_by_hand(count: int, rounds: int, key: int) -> None:
    terms, history, _ = play(Swiss(), field(count, rounds), chance(key), key)
    taken: dict[str, list[tuple[str | None, float]]] = {each: [] for each in terms.entrants}
    for played in history:
        for bye in played.byes:
            taken[bye].append((None, 1.0))
        for encounter in played.encounters:
            (a, b), (mine, other) = encounter.group, encounter.credits
            got = 0.5 if mine == other else float(mine > other)
            taken[a].append((b, got))
            taken[b].append((a, 1.0 - got))
    total = {each: sum(got for _, got in rows) for each, rows in taken.items()}
    for line in table(terms, history):
        rows = [(total[rival or line.entrant], got) for rival, got in taken[line.entrant]]
        breaks = dict(line.tie_breaks)
        assert line.points == total[line.entrant]
        assert breaks[BUCHHOLZ] == sum(points for points, _ in rows)
        assert breaks[SONNEBORN_BERGER] == sum(points * got for points, got in rows)
    lines = table(terms, history)
    keys = [(line.points, *(round(value, 9) for _, value in line.tie_breaks)) for line in lines]
    assert keys == sorted(keys, reverse=True)
    ranked = list(zip(lines, keys, strict=True))
    for (before, key_before), (after, key_after) in pairwise(ranked):
        assert (before.rank == after.rank) == (key_before == key_after)


def gone(entrant: str, disqualified: bool) -> tuple[Departure, ...]:
    """One who left in round 1."""
    return (Departure(entrant, 1, disqualified),)


@pytest.mark.parametrize(
    ("departures", "whole", "pairs", "points"),
    [
        ((), True, 1, {"a": 1.0, "b": 0.0}),
        ((), True, 0, {"a": 0.0, "b": 0.0}),
        (gone("a", False), True, 1, {"a": 1.0, "b": 0.0}),
        (gone("a", False), False, 1, {"a": 0.0, "b": 1.0}),
        (gone("a", True), True, 1, {"a": 0.0, "b": 1.0}),
        (gone("b", True), False, 0, {"a": 1.0, "b": 0.0}),
        ((*gone("a", False), *gone("b", False)), False, 0, {"a": 0.0, "b": 0.0}),
        ((*gone("a", True), *gone("b", False)), False, 0, {"a": 0.0, "b": 1.0}),
    ],
)
def test_who_leaves_gives_points_away(
    departures: tuple[Departure, ...], whole: bool, pairs: int, points: dict[str, float]
) -> None:
    terms = Field(("a", "b"), 2, departures=departures)
    assert points_of(Encounter(("a", "b"), (2.0, 0.0), pairs, whole), terms) == points


def test_a_disqualified_rival_is_a_bye_and_its_bearer_is_last() -> None:
    terms = Field(("a", "b", "c", "d"), 2, departures=gone("a", True))
    history = [round_of([("a", "b", 1.0), ("c", "d", 0.5)])]
    lines = {line.entrant: line for line in table(terms, history)}
    assert {name: line.points for name, line in lines.items()} == {
        "a": 0.0,
        "b": 1.0,
        "c": 0.5,
        "d": 0.5,
    }
    assert dict(lines["b"].tie_breaks) == {BUCHHOLZ: 1.0, SONNEBORN_BERGER: 1.0, "credit": 0.0}
    assert (lines["a"].rank, lines["b"].rank, lines["c"].rank, lines["d"].rank) == (4, 1, 2, 2)
