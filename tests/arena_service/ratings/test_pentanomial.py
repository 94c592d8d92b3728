"""Counts of pairs, Elo and the chance to be stronger: against enumeration, always finite."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from math import factorial, isfinite, prod
from statistics import fmean, pvariance

import pytest

from arena_service.ratings.elo import credit_of, elo, elo_of
from arena_service.ratings.fit import LedgerRow, strengths_of
from arena_service.ratings.pairs import interval, superiority
from arena_service.ratings.pentanomial import NELO, POINTS, SHARES, Pentanomial, points_of
from arena_service.ratings.seats import seat_credits
from tests.arena_service.ratings.test_fit import simulated

CHANCES = [
    (0.10, 0.12, 0.56, 0.12, 0.10),
    (0.30, 0.00, 0.40, 0.00, 0.30),
    (0.02, 0.08, 0.30, 0.40, 0.20),
]


def outcomes(pairs: int) -> list[tuple[float, ...]]:
    """Every way that so many pairs can end, whatever their order."""
    return list(combinations_with_replacement(SHARES, pairs))


def chance(means: tuple[float, ...], cells: tuple[float, ...]) -> float:
    """How likely that is, in any order."""
    counts = [means.count(share) for share in SHARES]
    orders = factorial(len(means)) / prod(map(factorial, counts))
    return orders * prod(p**n for p, n in zip(cells, counts, strict=True))


@pytest.mark.parametrize("pairs", [2, 5, 10])
@pytest.mark.parametrize("cells", CHANCES)
def test_intervals_cover_what_they_claim(cells: tuple[float, ...], pairs: int) -> None:
    """By enumeration of everything that can happen, with its chance."""
    true = sum(p * share for p, share in zip(cells, SHARES, strict=True))
    ends = [(chance(means, cells), interval(means)) for means in outcomes(pairs)]
    assert sum(p for p, _ in ends) == pytest.approx(1)
    assert sum(p for p, found in ends if found.low <= true <= found.high) >= 0.93


@pytest.mark.parametrize("cells", CHANCES[:2])
def test_of_equals_few_are_called_stronger(cells: tuple[float, ...]) -> None:
    sure = sum(chance(means, cells) for means in outcomes(10) if superiority(means) > 0.95)
    assert sure <= 0.06


@pytest.mark.parametrize("pairs", [0, 1, 2, 4])
def test_nothing_is_ever_without_a_number(pairs: int) -> None:
    for means in outcomes(pairs):
        counts = Pentanomial.of(2 * share for share in means)
        assert sorted(counts.means) == sorted(means)
        assert isfinite(counts.normalised_elo())
        assert 0 < superiority(means) < 1
        found = elo(means)
        for value in (found.value, found.low, found.high):
            assert value is None or isfinite(value)
        assert "nan" not in str(found)
        assert "inf" not in str(found)


def test_what_has_no_number_is_told_in_words() -> None:
    assert str(elo([])) == "unknown"
    assert str(elo([1.0] * 10)).startswith("at least +")
    assert str(elo([0.0] * 10)).startswith("at most -")
    assert str(elo([0.5] * 40)).startswith("0 [-")


def test_elo_and_credit_are_inverse() -> None:
    assert credit_of(400) == pytest.approx(10 / 11)
    for value in (-300.0, 0.0, 17.5):
        assert elo_of(credit_of(value)) == pytest.approx(value)
    assert elo_of(0.0) is elo_of(1.0) is None


def test_normalised_elo_is_the_lead_in_deviations_of_a_match() -> None:
    counts = Pentanomial((10, 20, 40, 25, 12))
    means = counts.means
    deviation = (2 * pvariance(means)) ** 0.5
    assert counts.normalised_elo() == pytest.approx(NELO * (fmean(means) - 0.5) / deviation)


def test_points_are_those_of_whole_pairs_of_two() -> None:
    rows = [
        LedgerRow("1", ("a", "b"), (1.0, 0.0)),
        LedgerRow("1", ("b", "a"), (0.5, 0.5)),
        LedgerRow("2", ("c", "b"), (1.0, 0.0)),
        LedgerRow("3", ("a", "b", "c"), (1.0, 0.0, 0.5)),
    ]
    assert list(points_of(rows, "a")) == [("1", 1.5)]
    with pytest.raises(KeyError):
        Pentanomial.of([0.7])
    assert Pentanomial.of(POINTS).counts == (1, 1, 1, 1, 1)


def test_the_chance_that_one_is_stronger_follows_the_lead() -> None:
    rows = simulated(random.Random(3), [-100.0, 0.0, 100.0], 40)
    found = strengths_of(rows)
    assert found.superiority("v2", "v0") > 0.99
    assert found.superiority("v0", "v1") == pytest.approx(1 - found.superiority("v1", "v0"))
    assert found.superiority("v1", "v1") == 0.5
    far = found.ratings["v2"].value - found.ratings["v0"].value
    assert far > 0


def test_the_chance_that_one_is_stronger_is_honest() -> None:
    """Of equals it is spread evenly: as often below 1/10 as above 9/10, each about once in ten."""
    rng = random.Random(6)
    found = [
        strengths_of(simulated(rng, [0.0] * 3, 12)).superiority("v0", "v1") for _ in range(300)
    ]
    assert 10 <= sum(value < 0.1 for value in found) <= 48
    assert 10 <= sum(value > 0.9 for value in found) <= 48


def test_the_worth_of_a_seat_is_told_apart_from_strength() -> None:
    """The stronger one wins in seat 0 and half of the time in seat 1."""
    rows = []
    for number in range(40):
        rows.append(LedgerRow(str(number), ("a", "b"), (1.0, 0.0)))
        other = (1.0, 0.0) if number % 2 else (0.0, 1.0)
        rows.append(LedgerRow(str(number), ("b", "a"), other))
    first, second = seat_credits(rows)
    assert first.mean == pytest.approx(0.75)
    assert second.mean == pytest.approx(0.25)
    assert first.low > second.high
    assert seat_credits([]) == ()
