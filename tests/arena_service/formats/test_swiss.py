"""Swiss: nobody meets anybody twice, byes are few and spread, points decide who meets whom."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.format import Departure, Group
from arena_service.formats.matching import most_pairs, pair_off
from arena_service.formats.scoring import points, table
from arena_service.formats.swiss import Swiss
from tests.arena_service.formats.play import by_strength, draws, field, play

CREDITS = ((2.0, 0.0), (1.0, 1.0), (0.0, 2.0))


def chance(seed: int) -> object:
    """Results at random, repeatably."""
    return lambda number, group: random.Random(f"{seed} {number} {group}").choice(CREDITS)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 24), st.integers(1, 14), st.integers(0, 999))
def test_everybody_plays_every_round_and_nobody_twice(count: int, rounds: int, key: int) -> None:
    terms, history, pairings = play(Swiss(), field(count, rounds), chance(key), key)
    met = Counter(frozenset(group) for pairing in pairings for group in pairing.groups)
    assert all(len(group) == 2 for group in met)
    assert set(met.values()) <= {1}
    for pairing in pairings:
        there = [entrant for group in pairing.groups for entrant in group]
        assert sorted([*there, *pairing.byes]) == list(terms.entrants)
    # So long as half of the others are still to be met, everybody can be paired.
    for number, pairing in enumerate(pairings[: (count - 1) // 2], 1):
        assert len(pairing.byes) == count % 2, number
    assert len(history) <= rounds
    if rounds <= count // 2:
        assert len(history) == rounds
        had = Counter(entrant for pairing in pairings for entrant in pairing.byes)
        assert set(had.values()) <= {1}


@settings(deadline=None, max_examples=80)
@given(st.integers(2, 16), st.integers(1, 8), st.integers(0, 999), st.data())
def test_who_left_is_not_paired_again(
    count: int, rounds: int, key: int, data: st.DataObject
) -> None:
    terms = field(count, rounds)
    leaving = {
        number: [
            Departure(entrant, number, data.draw(st.booleans()))
            for entrant in data.draw(st.sets(st.sampled_from(terms.entrants), max_size=2))
        ]
        for number in range(1, rounds + 1)
    }
    first: dict[str, Departure] = {}
    for departures in leaving.values():
        for each in departures:
            first.setdefault(each.entrant, each)
    ended, history, pairings = play(
        Swiss(),
        terms,
        chance(key),
        key,
        lambda number: [each for each in leaving[number] if first[each.entrant] is each],
    )
    for number, pairing in enumerate(pairings, 1):
        there = {entrant for group in pairing.groups for entrant in group} | set(pairing.byes)
        gone = {each.entrant for each in ended.departures if each.round < number}
        assert there == set(terms.entrants) - gone
    met = Counter(frozenset(group) for pairing in pairings for group in pairing.groups)
    assert set(met.values()) <= {1}
    got = points(ended, history)
    assert all(got[entrant] == 0 for entrant in ended.disqualified)
    lines = table(ended, history)
    assert sorted(line.entrant for line in lines) == list(terms.entrants)
    # What is known later changes no pairing of before.
    for number, pairing in enumerate(pairings):
        assert Swiss().next_round(ended, history[:number], draws(key)) == pairing


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 40), st.integers(0, 99))
def test_rounds_as_planned_tell_the_strongest(count: int, key: int) -> None:
    rounds = Swiss().rounds(count, 0)
    assert 2 ** (rounds - 1) < count <= 2**rounds
    ended, history, _ = play(Swiss(), field(count, rounds), by_strength, key)
    lines = table(ended, history)
    # Without byes nobody else wins all; with them somebody may, where the rest could not be paired.
    perfect = [line.entrant for line in lines if line.points == rounds]
    assert "v000" in perfect
    if count == 2**rounds:
        assert perfect == ["v000"]


@settings(deadline=None)
@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 99))
def test_neighbours_in_points_meet(count: int, rounds: int, key: int) -> None:
    """The one in front meets the best that it has not met, if the others can then be paired."""
    ended, history, pairings = play(Swiss(), field(count, rounds), chance(key), key)
    for number, pairing in enumerate(pairings):
        got = points(ended, history[:number])
        there = {entrant for group in pairing.groups for entrant in group}
        top = max(got[entrant] for entrant in there)
        met = {frozenset(each.group) for past in history[:number] for each in past.encounters}
        best = min(
            top - min(got[entrant] for entrant in group)
            for group in pairing.groups
            if top in (got[entrant] for entrant in group)
        )
        rivals = [
            top - got[other]
            for leader in there
            if got[leader] == top
            for other in there
            if other != leader and frozenset((leader, other)) not in met
        ]
        assert best >= min(rivals)


def _brute(order: list[str], met: dict[str, set[str]]) -> list[tuple[str, str]] | None:
    """The first complete pairing in the order of trying the nearest first."""
    if not order:
        return []
    first, *others = order
    for other in others:
        if other not in met[first]:
            rest = _brute([each for each in others if each != other], met)
            if rest is not None:
                return [(first, other), *rest]
    return None


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 4), st.data())
def test_pairing_off_finds_what_trying_everything_finds(half: int, data: st.DataObject) -> None:
    order = [f"v{n}" for n in range(2 * half)]
    met: dict[str, set[str]] = {entrant: set() for entrant in order}
    for first, other in combinations(order, 2):
        if data.draw(st.booleans()):
            met[first].add(other)
            met[other].add(first)
    found = _brute(order, met)
    assert pair_off(order, met) == found
    assert (found is not None) == (2 * most_pairs(order, met) == len(order))


def test_a_bye_goes_to_the_last_without_one() -> None:
    def results(number: int, group: Group) -> tuple[float, ...]:
        return by_strength(number, group)

    ended, history, pairings = play(Swiss(), field(5, 3), results, key=3)
    byes = [pairing.byes for pairing in pairings]
    assert all(len(each) == 1 for each in byes)
    assert len({each[0] for each in byes}) == 3
    for number, (bye,) in enumerate(byes):
        got = points(ended, history[:number])
        had = {entrant for each in byes[:number] for entrant in each}
        assert got[bye] == min(got[entrant] for entrant in terms_without(ended.entrants, had))


def terms_without(entrants: tuple[str, ...], had: set[str]) -> list[str]:
    """Who had no bye so far."""
    return [entrant for entrant in entrants if entrant not in had]


def test_a_tournament_for_a_million_words_of_luck_is_quick() -> None:
    ended, history, _ = play(Swiss(), field(200, 9), chance(1), 1)
    assert len(history) == 9
    assert len(table(ended, history)) == 200
