"""Strengths from the ledger: one batch fit, whatever the order of the results.

Bradley-Terry on the Elo scale, draws as half points, a match of more seats as all its pairings
(each weighted so that a match counts once per seat). Mean zero. Standard errors are sandwich
estimates clustered by pair: the legs of a pair share their deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

ELO = 400.0 / log(10.0)
# Every version draws this many virtual matches against the average: keeps 10-0 finite.
_PRIOR_MATCHES = 1.0
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LedgerRow:
    """One accepted match: its pair, and version and credit by seat."""

    pair: str
    seats: tuple[str, ...]
    credits: tuple[float, ...]


@dataclass(frozen=True)
class Rating:
    """Elo against the average of the field, and its standard error; always finite."""

    value: float
    error: float


@dataclass(frozen=True)
class _Games:
    """Meetings of two versions: first, second, score of the first, weight, cluster."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    score: Floats
    weight: Floats
    cluster: NDArray[np.intp]


def fit(rows: Iterable[LedgerRow]) -> dict[str, Rating]:
    """The rating of every version that has a match against another one."""
    # Sorted, so that rounding too is the same in any order of the rows.
    ordered = sorted(rows, key=lambda row: (row.pair, row.seats, row.credits))
    versions = sorted({version for row in ordered for version in row.seats})
    if len(versions) < 2:
        return {version: Rating(0.0, ELO * 2.0) for version in versions}
    games = _meetings(ordered, versions)
    strengths = _solve(games, len(versions))
    errors = _errors(games, strengths)
    strengths = strengths - strengths.mean()
    return {
        version: Rating(_finite(ELO * strengths[i]), _finite(ELO * errors[i]))
        for i, version in enumerate(versions)
    }


def _meetings(rows: Sequence[LedgerRow], versions: Sequence[str]) -> _Games:
    index = {version: i for i, version in enumerate(versions)}
    clusters: dict[str, int] = {}
    found: list[tuple[int, int, float, float, int]] = []
    for row in rows:
        cluster = clusters.setdefault(row.pair, len(clusters))
        weight = 1.0 / (len(row.seats) - 1)
        for a, b in combinations(range(len(row.seats)), 2):
            if row.seats[a] == row.seats[b]:
                continue
            score = 0.5 + 0.5 * float(np.sign(row.credits[a] - row.credits[b]))
            found.append((index[row.seats[a]], index[row.seats[b]], score, weight, cluster))
    columns = np.array(found, dtype=np.float64).reshape(-1, 5).T
    first, second, cluster = (columns[i].astype(np.intp) for i in (0, 1, 4))
    return _Games(first, second, columns[2], columns[3], cluster)


def _probabilities(games: _Games, strengths: Floats) -> Floats:
    gap = np.clip(strengths[games.first] - strengths[games.second], -40.0, 40.0)
    return np.asarray(1.0 / (1.0 + np.exp(-gap)), dtype=np.float64)


def _solve(games: _Games, count: int) -> Floats:
    """The most likely strengths: a concave problem with one solution."""

    def loss(strengths: Floats) -> tuple[float, Floats]:
        gap = strengths[games.first] - strengths[games.second]
        likelihood = games.weight * (games.score * gap - np.logaddexp(0.0, gap))
        prior = _PRIOR_MATCHES * (0.5 * strengths - np.logaddexp(0.0, strengths))
        slope = games.weight * (games.score - _probabilities(games, strengths))
        gradient = np.bincount(games.first, slope, count) - np.bincount(games.second, slope, count)
        gradient = gradient + _PRIOR_MATCHES * (0.5 - 1.0 / (1.0 + np.exp(-strengths)))
        return -float(likelihood.sum() + prior.sum()), -gradient

    start = np.zeros(count)
    options = {"maxiter": 1000, "ftol": 1e-14, "gtol": 1e-8}
    solution = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(solution.x, dtype=np.float64)


def _errors(games: _Games, strengths: Floats) -> Floats:
    """Sandwich: inverse curvature, scatter of the pairs' scores, inverse curvature."""
    count = len(strengths)
    expected = _probabilities(games, strengths)
    curvature = _curvature(games, expected, strengths)
    slopes = games.weight * (games.score - expected)
    scores = np.zeros((int(games.cluster.max(initial=0)) + 1, count))
    np.add.at(scores, (games.cluster, games.first), slopes)
    np.add.at(scores, (games.cluster, games.second), -slopes)
    clusters = len(scores)
    small_sample = clusters / max(1, clusters - 1)
    # The virtual draws scatter too; without them ten wins of ten would claim certainty.
    own = 1.0 / (1.0 + np.exp(-strengths))
    prior = np.diag(_PRIOR_MATCHES * np.maximum((0.5 - own) ** 2, own * (1.0 - own)))
    middle = small_sample * scores.T @ scores + prior
    inverse = np.linalg.pinv(curvature)
    centre = np.eye(count) - 1.0 / count
    covariance = centre @ inverse @ middle @ inverse @ centre
    return np.sqrt(np.maximum(np.diag(covariance), 0.0))


def _curvature(games: _Games, expected: Floats, strengths: Floats) -> Floats:
    count = len(strengths)
    information = games.weight * expected * (1.0 - expected)
    matrix = np.zeros((count, count))
    np.add.at(matrix, (games.first, games.first), information)
    np.add.at(matrix, (games.second, games.second), information)
    np.add.at(matrix, (games.first, games.second), -information)
    np.add.at(matrix, (games.second, games.first), -information)
    own = 1.0 / (1.0 + np.exp(-strengths))
    return matrix + np.diag(_PRIOR_MATCHES * own * (1.0 - own))


def _finite(value: float) -> float:
    return float(value) if isfinite(value) else 0.0
