"""The test of B against A: against brute force, by simulation, and in the order of the pairs."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from arena_service.ratings.pentanomial import NELO, POINTS, SHARES, Pentanomial
from arena_service.ratings.sprt import Sprt, Verdict, _most_likely

COUNTS = [
    (10, 20, 40, 25, 12),
    (100, 300, 500, 320, 110),
    (0, 0, 1, 0, 0),
    (0, 0, 100, 0, 0),
    (0, 0, 0, 0, 10),
    (5, 0, 50, 0, 9),
    (1, 2, 0, 0, 3),
]
# Of equal bots on a game with draws and luck of the deal.
EQUAL = (0.10, 0.12, 0.56, 0.12, 0.10)


def brute_force(weights: list[float], t: float) -> float:
    """The greatest log-likelihood under the constraint, by a general optimiser."""
    w, a = np.array(weights), np.array(SHARES)

    def lead(p: np.ndarray) -> float:
        mean = p @ a
        return float(mean - 0.5 - t * np.sqrt(p @ (a - mean) ** 2))

    constraints = [{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lead}]
    found = [
        minimize(
            lambda p: -(w @ np.log(p)) / w.sum(),
            start,
            jac=lambda p: -w / p / w.sum(),
            bounds=[(1e-12, 1)] * 5,
            constraints=constraints,
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-15},
        )
        for start in (np.full(5, 0.2), w / w.sum(), np.array([0.01, 0.02, 0.07, 0.2, 0.7]))
    ]
    return -min(each.fun for each in found if abs(lead(each.x)) < 1e-6) * float(w.sum())


@pytest.mark.parametrize("counts", [counts for counts in COUNTS if sum(map(bool, counts)) > 1])
@pytest.mark.parametrize(("elo0", "elo1"), [(0.0, 5.0), (-30.0, 30.0), (100.0, 300.0)])
def test_the_ratio_is_that_of_brute_force(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float
) -> None:
    weights = Pentanomial(counts).regular()
    zero, one = (brute_force(weights, sqrt(2) * elo / NELO) for elo in (elo0, elo1))
    assert Sprt(elo0, elo1).llr(Pentanomial(counts)) == pytest.approx(
        one - zero, rel=1e-6, abs=2e-6
    )


@pytest.mark.parametrize("elo", [-1000.0, -5.0, 0.0, 1.0, 300.0])
def test_what_is_likeliest_leads_as_it_should(elo: float) -> None:
    for cells in product((0, 1, 7), repeat=5):
        if not any(cells):
            continue
        a, b, c, d, e = cells
        t = sqrt(2) * elo / NELO
        chances = _most_likely(Pentanomial((a, b, c, d, e)).regular(), t)
        mean = sum(p * s for p, s in zip(chances, SHARES, strict=True))
        deviation = sqrt(sum(p * (s - mean) ** 2 for p, s in zip(chances, SHARES, strict=True)))
        assert sum(chances) == pytest.approx(1)
        assert all(p > 0 for p in chances)
        assert mean - 0.5 == pytest.approx(t * deviation, abs=1e-7)


def test_the_bounds_are_walds() -> None:
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(log(0.9 / 0.05))
    assert test.lower == pytest.approx(log(0.1 / 0.95))
    assert test.verdict(test.upper) is Verdict.STRONGER
    assert test.verdict(test.lower) is Verdict.NOT_STRONGER
    assert test.verdict(0.0) is Verdict.OPEN


def test_sides_exchanged_the_ratio_turns_round() -> None:
    for counts in COUNTS:
        a, b, c, d, e = counts
        there = Sprt(-10, 10).llr(Pentanomial(counts))
        back = Sprt(-10, 10).llr(Pentanomial((e, d, c, b, a)))
        assert there == pytest.approx(-back, abs=1e-6)


def test_nothing_but_wins_or_draws_ends_too() -> None:
    assert Sprt(0, 30).look([]).verdict is Verdict.OPEN
    assert Sprt(0, 30).look([2.0] * 200).verdict is Verdict.STRONGER
    assert Sprt(0, 30).look([0.0] * 200).verdict is Verdict.NOT_STRONGER
    drawn = Sprt(0, 30).look([1.0] * 3000)
    assert (drawn.verdict, drawn.looked < 3000) == (Verdict.NOT_STRONGER, True)


def test_what_comes_after_the_bound_is_counted_and_turns_nothing() -> None:
    test = Sprt(0, 100)
    won = [2.0, 1.0, 1.5] * 30
    decided = test.look(won)
    assert decided.verdict is Verdict.STRONGER
    later = test.look([*won[: decided.looked], *[0.0] * 60])
    assert (later.verdict, later.looked, later.llr) == (
        decided.verdict,
        decided.looked,
        test.look(won[: decided.looked]).llr,
    )
    assert later.pairs == decided.looked + 60
    assert later.llr_of_all < test.upper


def test_a_pair_that_is_played_holds_the_looks_up() -> None:
    won = [2.0] * 60
    waiting = Sprt(0, 100).look([won[0], None, *won])
    assert (waiting.verdict, waiting.looked, waiting.pairs) == (Verdict.OPEN, 1, 61)
    assert waiting.llr < waiting.llr_of_all


@pytest.mark.parametrize(
    ("values", "says"),
    [((5, 0), "elo1"), ((0, 0), "elo1"), ((0, 5, 0), "alpha"), ((0, 5, 0.05, 0.6), "beta")],
)
def test_values_that_make_no_test_are_named(values: tuple[float, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Sprt(*values)
    with pytest.raises(ValueError, match="not in tuple"):
        Sprt(0, 5).look([0.7])


def chances(elo: float) -> list[float]:
    """EQUAL, leaning so that the first side leads by `elo`, in normalised Elo."""
    return _most_likely([p * 1000 for p in EQUAL], sqrt(2) * elo / NELO)


def endings(elo: float, runs: int, seed: int) -> Iterator[Verdict]:
    rng, test = random.Random(seed), Sprt(0, 100, alpha=0.1, beta=0.1)
    for _ in range(runs):
        yield test.look(rng.choices(POINTS, chances(elo), k=400)).verdict


def test_its_errors_are_as_rare_as_it_says() -> None:
    """60 runs at each hypothesis: 10 % are asked for, 14 would be less than one in a thousand."""
    equal = list(endings(0, 60, seed=1))
    assert equal.count(Verdict.STRONGER) <= 13
    stronger = list(endings(100, 60, seed=2))
    assert stronger.count(Verdict.NOT_STRONGER) <= 13
    assert equal.count(Verdict.OPEN) + stronger.count(Verdict.OPEN) <= 2


def test_the_example_of_the_page_says_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "statistics.md").read_text()
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found is not None
    exec(compile(found.group(1), "statistics.md", "exec"), {})
    assert capsys.readouterr().out == found.group(1).rpartition("# ")[2]
