"""The batch fit: true strengths, honest errors, whatever the order."""

from __future__ import annotations

import random
from math import exp, isfinite

import pytest

from arena_service.ratings.fit import ELO, LedgerRow, fit


def simulated(
    rng: random.Random, strengths: list[float], pairs: int, luck: float = 1.0
) -> list[LedgerRow]:
    """Round robin of pairs: both legs share the luck of the deal, which belongs to seat 0."""
    rows = []
    for a in range(len(strengths)):
        for b in range(a + 1, len(strengths)):
            for number in range(pairs):
                deal = rng.gauss(0, luck)
                for first, second in ((a, b), (b, a)):
                    gap = (strengths[first] - strengths[second]) / ELO + deal
                    won = rng.random() < 1 / (1 + exp(-gap))
                    credits = (1.0, 0.0) if won else (0.0, 1.0)
                    rows.append(
                        LedgerRow(f"{a}-{b}-{number}", (f"v{first}", f"v{second}"), credits)
                    )
    return rows


def test_the_order_of_results_changes_nothing() -> None:
    rng = random.Random(1)
    rows = simulated(rng, [0, 50, 100, 200], 10)
    first = fit(rows)
    for _ in range(5):
        rng.shuffle(rows)
        assert fit(rows) == first


def test_known_strengths_are_found() -> None:
    truth = [-150.0, -50.0, 50.0, 150.0]
    found = fit(simulated(random.Random(2), truth, 400, luck=0.0))
    for index, value in enumerate(truth):
        assert found[f"v{index}"].value == pytest.approx(value, abs=4 * found[f"v{index}"].error)
        assert found[f"v{index}"].error < 12
    assert sum(each.value for each in found.values()) == pytest.approx(0, abs=1e-9)


def test_errors_cover_what_they_claim() -> None:
    rng, hits, total = random.Random(4), 0, 0
    for _ in range(150):
        for rating in fit(simulated(rng, [0.0] * 4, 10, luck=2.0)).values():
            hits += abs(rating.value) <= 1.96 * rating.error
            total += 1
    assert 0.92 <= hits / total <= 0.99


def test_errors_are_clustered_by_pair() -> None:
    """The same legs as pairs of their own: mirrored luck no longer cancels."""
    rows = simulated(random.Random(5), [0.0, 0.0], 200, luck=3.0)
    apart = [LedgerRow(str(i), row.seats, row.credits) for i, row in enumerate(rows)]
    assert fit(rows)["v0"].error < 0.75 * fit(apart)["v0"].error
    assert fit(rows)["v0"].value == pytest.approx(fit(apart)["v0"].value)


@pytest.mark.parametrize("pairs", [1, 2, 10, 1000])
def test_nothing_but_wins_stays_finite(pairs: int) -> None:
    rows = [
        LedgerRow(str(number), seats, credits)
        for number in range(pairs)
        for seats, credits in ((("a", "b"), (1.0, 0.0)), (("b", "a"), (0.0, 1.0)))
    ]
    found = fit(rows)
    assert found["a"].value == pytest.approx(-found["b"].value)
    assert 0 < found["a"].value < 2000
    assert all(isfinite(x) and x > 0 for r in found.values() for x in (r.value**2, r.error))


def test_draws_are_half_points() -> None:
    drawn = [LedgerRow(str(i), ("a", "b"), (0.5, 0.5)) for i in range(10)]
    assert fit(drawn)["a"].value == pytest.approx(0, abs=1e-9)


def test_groups_that_never_met_stay_finite() -> None:
    apart = [LedgerRow("1", ("a", "b"), (1.0, 0.0)), LedgerRow("2", ("c", "d"), (1.0, 0.0))]
    found = fit(apart)
    assert found["a"].value == pytest.approx(found["c"].value)
    assert all(isfinite(each.error) for each in found.values())


def test_no_results_no_ratings() -> None:
    assert fit([]) == {}
    assert fit([LedgerRow("1", ("a", "a"), (1.0, 0.0))])["a"].value == 0


def test_matches_of_three_seats_order_all_three() -> None:
    rows = [LedgerRow(str(i), ("a", "b", "c"), (1.0, 0.5, 0.0)) for i in range(20)]
    found = fit(rows)
    assert found["a"].value > found["b"].value > found["c"].value
    assert found["b"].value == pytest.approx(0, abs=1e-6)


def test_partners_do_not_meet() -> None:
    """Two matches of two teams weigh as much as each rival meeting each once."""
    teams = [LedgerRow("1", ("a", "b", "c", "d"), (1.0, 0.0, 1.0, 0.0), (0, 1, 0, 1))] * 2
    rivals = [LedgerRow("1", (a, b), (1.0, 0.0)) for a in "ac" for b in "bd"]
    expected = fit(rivals)
    for version, rating in fit(teams).items():
        assert rating.value == pytest.approx(expected[version].value)
        assert rating.error == pytest.approx(expected[version].error)


def test_a_match_of_uneven_teams_counts_once_for_each_seat() -> None:
    row = LedgerRow("1", ("a", "b", "c"), (1.0, 0.0, 0.0), (0, 1, 1))
    assert list(row.meetings()) == [(0, 1), (0, 2)]
    found = fit([row] * 20)
    assert found["b"].value == pytest.approx(found["c"].value)
    assert found["a"].value > found["b"].value
