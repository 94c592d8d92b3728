"""The plan of a round robin, for any number of entrants, seats and pairs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.format import Field
from arena_service.formats.round_robin import RoundRobin
from arena_service.scheduling.planning import PAIRS_OF_A_SERIES, Closed, Plan, plan
from arena_service.store.tables import Event, Tournament
from engine_service.core.seeds import commitment
from tests.arena_service.store.arena import NOON

LIMITS = {"start_cpu_ms": 1, "move_cpu_ms": 1, "bank_cpu_ms": 1}


def planned(entrants: int, seats: int, pairs: int, key: bytes) -> Plan:
    event = Event(id="e1", key=key, commitment=commitment(key), limits=LIMITS)
    terms = {"format": "round_robin", "game": "stones", "rules_version": 1, "options": {}}
    competition = Tournament(owner="o", name="n", seats=seats, pairs=pairs, limits=LIMITS, **terms)
    closed = Closed(event, "0" * 64, 1)
    players = [f"v{number}" for number in range(entrants)]
    pairing = RoundRobin().next_round(Field(tuple(players), seats, rounds=1), [], closed.draw)
    assert pairing is not None
    return plan(closed, competition, pairing.groups, pairs, NOON)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 7), st.integers(2, 4), st.integers(1, 20), st.binary(min_size=32, max_size=32)
)
def test_everybody_plays_everybody_on_every_seat(
    entrants: int, seats: int, pairs: int, key: bytes
) -> None:
    made = planned(entrants, seats, pairs, key)
    seated: dict[str, dict[int, str]] = {}
    for row in made.seats:
        seated.setdefault(row["match"], {})[row["seat"]] = row["bot_version"]
    met: Counter[frozenset[str]] = Counter()
    sat: Counter[tuple[str, int]] = Counter()
    for match in made.matches:
        players = seated[match["id"]]
        assert sorted(players) == list(range(seats))
        assert len(set(players.values())) == seats
        met[frozenset(players.values())] += 1
        sat.update((version, seat) for seat, version in players.items())
    groups = combinations([f"v{number}" for number in range(entrants)], seats)
    assert met == {frozenset(group): pairs * seats for group in groups}
    for number in range(entrants):
        on_seats = [sat[f"v{number}", seat] for seat in range(seats)]
        assert max(on_seats) - min(on_seats) <= 1


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 5), st.integers(1, 20), st.binary(min_size=32, max_size=32))
def test_series_are_short_and_never_mix_entrants(entrants: int, pairs: int, key: bytes) -> None:
    made = planned(entrants, 2, pairs, key)
    players = {row["match"]: set[str]() for row in made.seats}
    for row in made.seats:
        players[row["match"]].add(row["bot_version"])
    for series in made.series:
        matches = [match for match in made.matches if match["series"] == series["id"]]
        assert len({match["pair"] for match in matches}) <= PAIRS_OF_A_SERIES
        assert len({frozenset(players[match["id"]]) for match in matches}) == 1
    assert [pair["number"] for pair in made.pairs] == list(range(len(made.pairs)))
    assert len({pair["seed"] for pair in made.pairs}) == len(made.pairs)


def test_the_key_alone_decides_the_draw() -> None:
    def seats(key: bytes) -> list[str]:
        return [row["bot_version"] for row in planned(6, 2, 1, key).seats]

    assert seats(bytes(32)) == seats(bytes(32))
    assert seats(bytes(32)) != seats(b"\1" * 32)
