"""Double elimination: who loses twice is out, and nobody before."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.bracket import Side, bracket, seeding_order
from arena_service.formats.double_elimination import PLAY_OFFS, DoubleElimination, standings
from arena_service.formats.format import Departure, Field, Group
from tests.arena_service.formats.play import Results, by_strength, draws, field, play

DECIDED = ((2.0, 0.0), (0.0, 2.0))
ANYHOW = (*DECIDED, (1.0, 1.0))


def seeded(count: int) -> Field:
    """So many entrants, seeded as they are named."""
    terms = field(count)
    return field(count, seeding=terms.entrants)


def chance(seed: int, credits: tuple[tuple[float, float], ...]) -> Results:
    """Results at random, repeatably."""
    return lambda number, group: random.Random(f"{seed} {number} {group}").choice(credits)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 33), st.integers(0, 9999))
def test_all_but_the_winner_lose_twice(count: int, key: int) -> None:
    terms, history, pairings = play(DoubleElimination(), seeded(count), chance(key, DECIDED), key)
    lost: Counter[str] = Counter()
    for round in history:
        groups = [encounter.group for encounter in round.encounters]
        there = [entrant for group in groups for entrant in group]
        assert len(set(there)) == len(there)
        assert all(lost[entrant] < 2 for entrant in there)
        for encounter in round.encounters:
            lost[encounter.group[encounter.credits.index(0.0)]] += 1
    table = DoubleElimination().table(terms, history)
    assert ([line.entrant for line in table] and count) or not table
    if count >= 2:
        winner = table[0].entrant
        assert table[1].rank == 2
        assert lost[winner] < 2
        assert all(lost[entrant] == 2 for entrant in terms.entrants if entrant != winner)
        assert sum(len(pairing.groups) for pairing in pairings) in (2 * count - 2, 2 * count - 1)


@settings(deadline=None, max_examples=100)
@given(st.integers(2, 33), st.integers(0, 9999))
def test_the_bracket_stands_and_sits_evenly(count: int, key: int) -> None:
    terms, history, pairings = play(DoubleElimination(), seeded(count), by_strength, key)
    table = DoubleElimination().table(terms, history)
    # With the better always winning the places are the seeding, as far as the bracket tells.
    assert [line.entrant for line in table[:2]] == list(terms.seeding[:2])
    assert [line.entrant for line in table] == sorted(terms.entrants)
    assert [line.rank for line in table] == sorted(line.rank for line in table)
    for number, pairing in enumerate(pairings):
        assert DoubleElimination().next_round(terms, history[:number], draws(key)) == pairing


@pytest.mark.parametrize(
    ("depth", "order"),
    [(1, [0, 1]), (2, [0, 3, 1, 2]), (3, [0, 7, 3, 4, 1, 6, 2, 5])],
)
def test_the_best_meet_last(depth: int, order: list[int]) -> None:
    assert seeding_order(depth) == order


@pytest.mark.parametrize(
    ("count", "winners", "losers"), [(2, 1, 0), (4, 3, 2), (8, 7, 6), (13, 15, 14)]
)
def test_a_bracket_has_two_sides_and_two_finals(count: int, winners: int, losers: int) -> None:
    sides = Counter(slot.side for slot in bracket(count))
    assert sides == +Counter(
        {Side.WINNERS: winners, Side.LOSERS: losers, Side.FINAL: 1, Side.RESET: 1}
    )


def test_a_bracket_of_eight_as_it_is_printed() -> None:
    """The known one: 1-8 4-5 2-7 3-6, losers of the second round come in from the other half."""
    _, history, _ = play(DoubleElimination(), seeded(8), by_strength)
    met = [
        sorted(tuple(int(each[1:]) + 1 for each in sorted(e.group)) for e in round.encounters)
        for round in history
    ]
    assert met == [
        [(1, 8), (2, 7), (3, 6), (4, 5)],
        [(1, 4), (2, 3), (5, 8), (6, 7)],
        [(1, 2), (3, 5), (4, 6)],
        [(3, 4)],
        [(2, 3)],
        [(1, 2)],
    ]


def test_a_lost_final_is_played_once_more() -> None:
    def upset(number: int, group: Group) -> tuple[float, ...]:
        best_wins = by_strength(number, group)
        return best_wins if number != 3 else tuple(1.0 - credit for credit in best_wins)

    terms, history, _ = play(DoubleElimination(), seeded(2), upset)
    assert len(history) == 2
    terms, history, _ = play(
        DoubleElimination(), seeded(4), lambda n, g: (0.0, 2.0) if n < 0 else by_strength(n, g)
    )
    assert [len(round.encounters) for round in history] == [2, 2, 1, 1]

    def final_upset(number: int, group: Group) -> tuple[float, ...]:
        usual = by_strength(number, group)
        return tuple(1.0 - credit for credit in usual) if number == 4 else usual

    terms, history, _ = play(DoubleElimination(), seeded(4), final_upset)
    assert [len(round.encounters) for round in history] == [2, 2, 1, 1, 1]
    table = DoubleElimination().table(terms, history)
    assert [line.entrant for line in table][:2] == ["v000", "v001"]
    assert [each.rounds for each in standings(terms, history)][-2:] == [(4,), (5,)]


def test_what_is_drawn_is_played_again_and_then_the_seeding_tells() -> None:
    terms, history, _ = play(DoubleElimination(), seeded(2), lambda number, group: (1.0, 1.0))
    assert len(history) == (1 + PLAY_OFFS) * 2
    assert DoubleElimination().table(terms, history)[0].entrant == "v000"


@settings(deadline=None, max_examples=150)
@given(st.integers(2, 17), st.integers(0, 9999), st.data())
def test_who_left_is_passed_by(count: int, key: int, data: st.DataObject) -> None:
    terms, gone = seeded(count), set[str]()

    def leaving(number: int) -> list[Departure]:
        found = data.draw(st.sets(st.sampled_from(terms.entrants), max_size=1)) - gone
        gone.update(found)
        return [Departure(each, number, data.draw(st.booleans())) for each in found]

    ended, history, pairings = play(DoubleElimination(), terms, chance(key, ANYHOW), key, leaving)
    for number, pairing in enumerate(pairings, 1):
        left = {each.entrant for each in ended.departures if each.round < number}
        assert left.isdisjoint(entrant for group in pairing.groups for entrant in group)
    for number, pairing in enumerate(pairings):
        assert DoubleElimination().next_round(ended, history[:number], draws(key)) == pairing
    lines = DoubleElimination().table(ended, history)
    assert sorted(line.entrant for line in lines) == list(terms.entrants)
    assert all(each.decided for each in standings(ended, history))
