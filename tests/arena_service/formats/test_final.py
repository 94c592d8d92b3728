"""The final run: steps, cuts, and where it ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.final import DOUBT, Final, standing
from arena_service.formats.format import Departure, Encounter, Field, Group, Pairing, Round
from tests.arena_service.formats.play import draws, field

Share = Callable[[Group], tuple[float, ...]]


def run(
    terms: Field, share: Share, key: int = 0, leaving: dict[int, list[Departure]] | None = None
) -> tuple[Field, list[Round], list[Pairing]]:
    """To its end; `share`: what each place of a group takes from one pair."""
    history, pairings = list[Round](), list[Pairing]()
    while (pairing := Final().next_round(terms, history, draws(key))) is not None:
        number = len(history) + 1
        gone = (leaving or {}).get(number, [])
        terms = replace(terms, departures=(*terms.departures, *gone))
        left = {each.entrant for each in gone}
        encounters = []
        for group in pairing.groups:
            played = pairing.pairs if left.isdisjoint(group) else 0
            shares = tuple(share(group) for _ in range(played))
            credits = tuple(sum(taken) for taken in zip(*shares, strict=True)) or (0.0,) * len(
                group
            )
            encounters.append(Encounter(group, credits, played, bool(played), shares))
        history.append(Round(tuple(encounters), (), pairing.pairs))
        pairings.append(pairing)
    return terms, history, pairings


def in_order(group: Group) -> tuple[float, ...]:
    """The lowest name wins every leg."""
    return tuple(float(len(group)) if each == min(group) else 0.0 for each in group)


def by_chance(seed: int) -> Share:
    """All are equally strong."""
    chance = random.Random(seed)

    def share(group: Group) -> tuple[float, ...]:
        winners = [chance.choice(group) for _ in group]
        return tuple(float(winners.count(each)) for each in group)

    return share


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 14),
    st.integers(2, 4),
    st.integers(1, 300),
    st.integers(1, 6),
    st.integers(0, 99),
)
def test_everybody_left_plays_evenly_within_the_budget(
    count: int, seats: int, budget: int, steps: int, key: int
) -> None:
    terms, history, pairings = run(field(count, steps, seats, pairs=budget), by_chance(key), key)
    assert len(pairings) <= steps
    assert sum(len(each.groups) * each.pairs for each in pairings) <= budget
    for number, pairing in enumerate(pairings):
        _, playing = standing(terms, history[:number])
        seated = Counter(entrant for group in pairing.groups for entrant in group)
        assert set(seated) <= set(playing)
        assert all(len(set(group)) == seats for group in pairing.groups)
        if len(pairing.groups) >= len(playing):
            assert set(seated) == set(playing)
            assert max(seated.values()) - min(seated.values()) == 0
        assert Final().next_round(terms, history[:number], draws(key)) == pairing
    lines = Final().table(terms, history)
    assert sorted(line.entrant for line in lines) == list(terms.entrants)
    if history:
        _, playing = standing(terms, history)
        assert len(playing) >= seats


def test_a_clear_order_is_found_step_by_step() -> None:
    terms = field(8, 5, pairs=1500)
    terms, history, pairings = run(terms, in_order)
    left = [len({entrant for group in each.groups for entrant in group}) for each in pairings]
    assert left[0] == 8
    assert left == sorted(left, reverse=True)
    assert len(pairings) < 5
    lines = Final().table(terms, history)
    assert [line.entrant for line in lines] == list(terms.entrants)
    assert [line.rank for line in lines] == list(range(1, 9))
    first, second = lines[:2]
    assert dict(first.tie_breaks) == {"step": len(pairings), "best rank": 1, "worst rank": 1}
    assert dict(second.tie_breaks)["best rank"] == 2


def test_who_left_plays_no_further_step_and_who_is_out_is_last() -> None:
    gone = {1: [Departure("v000", 1, True), Departure("v001", 1, False)]}
    terms, history, pairings = run(field(6, 3, pairs=300), by_chance(1), leaving=gone)
    assert len(pairings) == 3
    for pairing in pairings[1:]:
        assert not {"v000", "v001"} & {entrant for group in pairing.groups for entrant in group}
    lines = Final().table(terms, history)
    assert lines[-1].entrant == "v000"
    assert lines[-2].entrant == "v001"


@pytest.mark.parametrize("count", [2, 6])
def test_equal_bots_are_seldom_told_apart(count: int) -> None:
    """DOUBT bounds the runs in which chance cuts anybody or ends it early."""
    wrong = 0
    runs = 100
    for seed in range(runs):
        terms = field(count, 5, pairs=150)
        _, history, pairings = run(terms, by_chance(seed), seed)
        _, playing = standing(terms, history)
        wrong += len(playing) < count or len(pairings) < 5
    assert wrong <= 2 * DOUBT * runs
