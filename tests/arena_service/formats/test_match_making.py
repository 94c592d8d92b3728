"""Who meets in a slot of a ladder, whatever the field and whatever is known of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.candidates import FIRST_OPPONENTS, Candidate, Past
from arena_service.formats.drawing import Origin, in_order, seated
from arena_service.formats.format import Group
from arena_service.formats.match_making import lead, longest_wait, matched, most_groups
from arena_service.formats.round_robin import groups

ESTABLISHED = tuple(f"x{number}" for number in range(FIRST_OPPONENTS))
ELO = st.floats(-2000, 2000)
SEATS = st.integers(2, 4)
KNOWN = st.builds(
    Candidate,
    rating=st.none() | ELO,
    error=st.none() | st.floats(0, 500),
    pairs=st.integers(0, 1000),
    waited=st.integers(0, 9),
    met=st.lists(st.sampled_from([f"v{n:03}" for n in range(40)]), max_size=5, unique=True).map(
        tuple
    ),
)


def origin(slot: int = 0) -> Origin:
    return Origin(bytes(32), f"slot-{slot}", "0" * 64)


def pair(field: Mapping[str, Candidate], seats: int, pairs: int = 1, slot: int = 0) -> list[Group]:
    return matched(field, seats, pairs, origin(slot).draw("seats"))


@settings(deadline=None, max_examples=40)
@given(st.lists(KNOWN, max_size=40), SEATS)
def test_whatever_is_known_the_groups_are_sound(known: list[Candidate], seats: int) -> None:
    field = {f"v{number:03}": each for number, each in enumerate(known)}
    found = pair(field, seats)
    assert found == pair(dict(reversed(field.items())), seats)
    assert all(len(set(group)) == seats and set(group) <= set(field) for group in found)
    assert len({frozenset(group) for group in found}) == len(found)
    if len(field) >= seats:
        assert {version for group in found for version in group} == set(field)


@settings(deadline=None, max_examples=20)
@given(st.integers(2, 30), SEATS, st.integers(1, 4))
def test_everybody_sits_everywhere_equally_often(count: int, seats: int, pairs: int) -> None:
    field = {f"v{number:03}": Candidate() for number in range(count)}
    sat = {version: Counter[int](dict.fromkeys(range(seats), 0)) for version in field}
    for group in in_order(pair(field, seats, pairs), pairs):
        for leg in range(seats):
            for seat, version in enumerate(seated(group, leg)):
                sat[version][seat] += 1
    assert all(max(each.values()) - min(each.values()) <= 1 for each in sat.values())


@pytest.mark.parametrize(("seats", "count"), [(2, 6), (3, 4), (4, 5)])
def test_a_small_field_meets_whole(seats: int, count: int) -> None:
    field = {f"v{number:03}": Candidate(float(number), 30.0) for number in range(count)}
    found = pair(field, seats)
    assert len(found) == comb(count, seats)
    assert found == groups(sorted(field), seats, 2000, origin().draw("seats"))


@settings(deadline=None, max_examples=20)
@given(st.integers(7, 25), st.integers(1, 6))
def test_first_opponents_are_different_ones(count: int, arriving: int) -> None:
    """In the first slot of a ladder and of a newcomer to it, and whoever asks for whom."""
    past, met = Past(), defaultdict[str, list[str]](list)
    field = [f"v{number:03}" for number in range(count)]
    for slot in (1, 2, 3):
        entered = {version: past.candidate(version, slot, None, None) for version in field}
        found = pair(entered, 2, slot=slot)
        past.add(slot, entered, found)
        for one, other in found:
            met[one].append(other)
            met[other].append(one)
        for version in field:
            assert len(set(met[version][:FIRST_OPPONENTS])) == FIRST_OPPONENTS
        field += [f"w{slot}{number:02}" for number in range(arriving)]
        field.remove(min(field))


@pytest.mark.parametrize("seats", [3, 4])
def test_first_opponents_in_larger_groups(seats: int) -> None:
    field = {f"v{number:03}": Candidate() for number in range(12)}
    found = pair(field, seats)
    for version in field:
        assert len({other for group in found if version in group for other in group}) > 5


@settings(deadline=None, max_examples=20)
@given(
    st.integers(2, 25),
    SEATS,
    st.sampled_from([200, 400, 1000]),
    st.randoms(use_true_random=False),
)
def test_nobody_waits_beyond_the_bound(count: int, seats: int, pairs: int, rng: Random) -> None:
    """In slots with room for few groups, while versions come, go and come back."""
    past, everybody = Past(), [f"v{number:03}" for number in range(count + seats)]
    ratings = {each: (rng.uniform(-500.0, 500.0), rng.uniform(10.0, 300.0)) for each in everybody}
    largest = slot = 0
    for _ in range(12):
        present = [each for each in everybody if rng.random() < 0.95]
        if len(present) < seats:
            continue  # such a slot stays open
        slot += 1
        entered = {each: past.candidate(each, slot, *ratings[each]) for each in present}
        found = pair(entered, seats, pairs, slot)
        past.add(slot, entered, found)
        largest = max(largest, len(entered))
        waited = [past.candidate(each, slot + 1, None, None).waited for each in entered]
        assert len(found) <= most_groups(pairs)
        assert max(waited) <= longest_wait(largest, pairs)


def test_a_known_field_meets_its_neighbours() -> None:
    """Of versions with well separated ratings the near ones meet more often than the far ones."""
    field = {
        f"v{number:03}": Candidate(60.0 * number, 30.0, 100, 0, ESTABLISHED) for number in range(20)
    }
    apart = Counter[int]()
    for slot in range(20):
        for group in pair(field, 2, slot=slot):
            first, second = (int(version[1:]) for version in group)
            apart[abs(first - second)] += 1
    near, far = (sum(apart[d] / (20 - d) for d in span) / len(span) for span in (NEAR, FAR))
    assert near > 5 * far


NEAR, FAR = range(1, 4), range(6, 20)


def test_whoever_is_least_certain_plays_most() -> None:
    field = {
        f"v{number:03}": Candidate(10.0 * number, 200.0 if number == 3 else 20.0, 9, 0, ESTABLISHED)
        for number in range(20)
    }
    plays = Counter(version for group in pair(field, 2) for version in group)
    assert plays.most_common(1)[0][0] == "v003"


def test_a_gap_isolates_nobody() -> None:
    """Who is far from all others meets the nearest of them."""
    field = {
        f"v{number:03}": Candidate(
            2000.0 if number == 19 else 5.0 * number, 20.0, 9, 0, ESTABLISHED
        )
        for number in range(20)
    }
    rivals = {min(group) for group in pair(field, 2) if "v019" in group}
    assert rivals
    assert rivals <= {"v016", "v017", "v018"}


def test_the_lead_counts_half_standard_deviations() -> None:
    assert lead(Candidate(0.0, 30.0), Candidate(50.0, 40.0)) == 2
    assert lead(Candidate(50.0, 40.0), Candidate(1.0, 30.0)) == 1
    assert lead(Candidate(), Candidate(100.0, 50.0)) == 0
    assert lead(Candidate(0.0, 0.0), Candidate(0.0, 0.0)) == 0
