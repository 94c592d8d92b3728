"""Gauntlet and test: challengers against the rest, one version against another."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.comparison import BATCH, Comparison, look
from arena_service.formats.format import Departure, Encounter, Round
from arena_service.formats.gauntlet import Gauntlet
from arena_service.formats.round_robin import RoundRobin
from arena_service.ratings.sprt import Sprt, Verdict
from tests.arena_service.formats.play import by_strength, draws, field, play

RULE = Sprt(0.0, 50.0)


@settings(deadline=None, max_examples=100)
@given(
    st.integers(0, 9), st.integers(0, 4), st.integers(2, 4), st.integers(1, 3), st.integers(0, 99)
)
def test_challengers_meet_all_others(
    count: int, bold: int, seats: int, rounds: int, key: int
) -> None:
    terms = field(count, rounds, seats)
    bold = min(bold, count)
    challengers = frozenset(terms.entrants[:bold])
    _, history, pairings = (
        play(Gauntlet(), field(count, rounds, seats, challengers=challengers), by_strength, key)
        if bold and count - bold >= seats - 1
        else (terms, [], [])
    )
    if not pairings:
        return
    wanted = Counter(
        frozenset((challenger, *others))
        for challenger in challengers
        for others in combinations(terms.entrants[bold:], seats - 1)
    )
    assert len(pairings) == rounds
    for pairing in pairings:
        assert Counter(frozenset(group) for group in pairing.groups) == wanted
        assert all(len(set(group)) == seats for group in pairing.groups)
    assert Gauntlet().size(count, seats, rounds, bold) == wanted.total() * rounds
    assert len(history) == rounds


@settings(deadline=None)
@given(st.integers(2, 7), st.integers(2, 4), st.integers(0, 99), st.booleans())
def test_a_further_round_leaves_out_who_left(count: int, seats: int, key: int, bold: bool) -> None:
    terms = field(count, 2, seats, challengers=frozenset({"v000"}))
    format = Gauntlet() if bold else RoundRobin()
    first = format.next_round(terms, [], draws(key))
    assert first is not None
    gone = field(
        count,
        2,
        seats,
        challengers=terms.challengers,
        departures=(Departure("v001", 1, False),),
    )
    again = format.next_round(gone, [Round(())], draws(key))
    assert again is not None
    assert again.groups == tuple(group for group in first.groups if "v001" not in group)
    assert format.next_round(gone, [], draws(key)) == first
    assert format.next_round(gone, [Round(()), Round(())], draws(key)) is None


def batch(points: list[float]) -> Round:
    """A round of a test as it ended."""
    total = sum(points)
    credits = (total, 2.0 * len(points) - total)
    shares = tuple((taken, 2.0 - taken) for taken in points)
    played = Encounter(("v001", "v000"), credits, len(points), True, shares)
    return Round((played,), pairs=len(points))


def test_a_test_of_fixed_length_is_one_round() -> None:
    terms = field(2, 1, seeding=("v001", "v000"), pairs=100)
    pairing = Comparison().next_round(terms, [], draws())
    assert pairing is not None
    assert (pairing.groups, pairing.pairs) == ((("v001", "v000"),), 0)
    assert Comparison().next_round(terms, [batch([1.0])], draws()) is None
    extended = field(2, 2, seeding=("v001", "v000"), pairs=100)
    assert Comparison().next_round(extended, [batch([1.0])], draws()) == pairing


@pytest.mark.parametrize(("count", "left"), [(0, ""), (1, ""), (2, "v000")])
def test_without_two_there_is_no_test(count: int, left: str) -> None:
    departures = (Departure(left, 0, False),) if left else ()
    names = field(count).entrants
    terms = field(count, 1, seeding=names, pairs=9, departures=departures, sprt=RULE)
    assert Comparison().next_round(terms, [], draws()) is None


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 200), st.integers(0, 999), st.sampled_from([0.2, 0.5, 0.8]))
def test_a_rule_stops_at_its_bound_or_at_the_last_pair(pairs: int, seed: int, share: float) -> None:
    terms = field(2, 1, seeding=("v001", "v000"), pairs=pairs, sprt=RULE)
    chance, history, planned = random.Random(seed), list[Round](), 0
    while (pairing := Comparison().next_round(terms, history, draws())) is not None:
        assert 1 <= pairing.pairs <= BATCH
        planned += pairing.pairs
        points = [
            float((chance.random() < share) + (chance.random() < share))
            for _ in range(pairing.pairs)
        ]
        history.append(batch(points))
    seen = look(RULE, history)
    assert seen.pairs == planned
    if seen.verdict is Verdict.OPEN:
        assert planned == pairs
    else:
        before = look(RULE, history[:-1])
        assert before.verdict is Verdict.OPEN
        assert planned <= pairs
