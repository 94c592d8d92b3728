"""Strengths from the ledger: one batch fit, whatever the order of the results.

Bradley-Terry on the Elo scale, draws as half points, a match of more seats as all meetings of
rivals in it (weighted so that it counts once per seat). Mean zero. Standard errors are sandwich
estimates clustered by pair: the legs of a pair share their deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.special import ndtr

ELO = 400.0 / log(10.0)
# Every version draws one virtual pair of two matches against the average: 10-0 stays finite, and
# a few pairs that happen to agree claim no certainty.
_PRIOR_MATCHES = 2.0
_PRIOR_SCATTER = (_PRIOR_MATCHES * 0.5) ** 2
_MAX_STEPS = 100
_ENOUGH = 1e-12
Floats = NDArray[np.float64]


class FitError(ArithmeticError):
    """The results lead to no finite strengths."""


@dataclass(frozen=True)
class LedgerRow:
    """One accepted match: its pair, and by seat version, credit and team (None: each is alone)."""

    pair: str
    seats: tuple[str, ...]
    credits: tuple[float, ...]
    teams: tuple[int, ...] | None = None

    def meetings(self) -> Iterator[tuple[int, int]]:
        """Every two seats of different teams and versions, the lower seat first."""
        for a, b in combinations(range(len(self.seats)), 2):
            if self._sides[a] != self._sides[b] and self.seats[a] != self.seats[b]:
                yield a, b

    def rivals(self, seat: int) -> int:
        """How many seats are not of the team of this one."""
        return sum(side != self._sides[seat] for side in self._sides)

    @property
    def _sides(self) -> Sequence[int]:
        return range(len(self.seats)) if self.teams is None else self.teams


@dataclass(frozen=True)
class Rating:
    """Elo against the average of the field, and its standard error; always finite."""

    value: float
    error: float


@dataclass(frozen=True)
class _Meetings:
    """Columns: the two versions, the score of the first, the weight, the pair it belongs to."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    score: Floats
    weight: Floats
    cluster: NDArray[np.intp]
    versions: int


class Strengths:
    """A fit: the rating of every version, and how sure it is who of two is stronger."""

    def __init__(self, ratings: dict[str, Rating], covariance: Floats) -> None:
        """`covariance` in Elo squared, in the order of `ratings`."""
        self.ratings = ratings
        self._index = {version: i for i, version in enumerate(ratings)}
        self._covariance = covariance

    def superiority(self, version: str, other: str) -> float:
        """How likely the first is stronger than the other, 0 to 1."""
        a, b = self._index[version], self._index[other]
        both = self._covariance[np.ix_((a, b), (a, b))]
        error = sqrt(max(0.0, float(both[0, 0] + both[1, 1] - 2 * both[0, 1])))
        lead = self.ratings[version].value - self.ratings[other].value
        return float(ndtr(lead / error)) if error else 0.5


def fit(rows: Iterable[LedgerRow]) -> dict[str, Rating]:
    """The rating of every version in the rows; raises FitError."""
    return strengths_of(rows).ratings


def strengths_of(rows: Iterable[LedgerRow]) -> Strengths:
    """The whole fit; raises FitError."""
    # Sorted, so that rounding too is the same in any order of the rows.
    ordered = sorted(rows, key=lambda row: (row.pair, row.seats, row.credits, row.teams or ()))
    versions = sorted({version for row in ordered for version in row.seats})
    if not versions:
        return Strengths({}, np.zeros((0, 0)))
    meetings = _meetings(ordered, versions)
    try:
        strengths = _solve(meetings)
        covariance = _covariance(meetings, strengths)
    except np.linalg.LinAlgError as error:
        raise FitError(f"the fit of {len(ordered)} results failed: {error}") from error
    strengths = strengths - strengths.mean()
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    ratings = {
        version: Rating(_finite(ELO * strengths[i]), _finite(ELO * errors[i]))
        for i, version in enumerate(versions)
    }
    return Strengths(ratings, ELO**2 * covariance)


def _meetings(rows: Sequence[LedgerRow], versions: Sequence[str]) -> _Meetings:
    index = {version: i for i, version in enumerate(versions)}
    clusters: dict[str, int] = {}
    found: list[tuple[int, int, float, float, int]] = []
    for row in rows:
        cluster = clusters.setdefault(row.pair, len(clusters))
        for a, b in row.meetings():
            weight = (1.0 / row.rivals(a) + 1.0 / row.rivals(b)) / 2
            taken = score(row.credits[a], row.credits[b])
            found.append((index[row.seats[a]], index[row.seats[b]], taken, weight, cluster))
    columns = np.array(found, dtype=np.float64).reshape(-1, 5).T
    first, second, cluster_ = (columns[i].astype(np.intp) for i in (0, 1, 4))
    return _Meetings(first, second, columns[2], columns[3], cluster_, len(versions))


def score(mine: float, other: float) -> float:
    """What a seat takes from another, by their credits: 1, a half or nothing."""
    if mine == other:
        return 0.5
    return 1.0 if mine > other else 0.0


def _logistic(gap: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(gap, -40.0, 40.0))), dtype=np.float64)


def _expected(meetings: _Meetings, strengths: Floats) -> Floats:
    return _logistic(strengths[meetings.first] - strengths[meetings.second])


def _solve(meetings: _Meetings) -> Floats:
    """Newton's method with halved steps; the problem is concave and has one solution."""
    strengths = np.zeros(meetings.versions)
    for _ in range(_MAX_STEPS):
        gradient = _gradient(meetings, strengths)
        step = np.linalg.solve(_curvature(meetings, strengths), gradient)
        # At most one unit of logit at a time keeps the start from overshooting.
        step /= max(1.0, float(np.abs(step).max()))
        strengths = strengths + step
        if float(np.abs(step).max()) < _ENOUGH:
            break
    return strengths


def _gradient(meetings: _Meetings, strengths: Floats) -> Floats:
    slope = meetings.weight * (meetings.score - _expected(meetings, strengths))
    gained = np.bincount(meetings.first, slope, meetings.versions)
    lost = np.bincount(meetings.second, slope, meetings.versions)
    prior = _PRIOR_MATCHES * (0.5 - _logistic(strengths))
    return np.asarray(gained - lost + prior, dtype=np.float64)


def _curvature(meetings: _Meetings, strengths: Floats) -> Floats:
    expected = _expected(meetings, strengths)
    information = meetings.weight * expected * (1.0 - expected)
    matrix = np.zeros((meetings.versions, meetings.versions))
    np.add.at(matrix, (meetings.first, meetings.first), information)
    np.add.at(matrix, (meetings.second, meetings.second), information)
    np.add.at(matrix, (meetings.first, meetings.second), -information)
    np.add.at(matrix, (meetings.second, meetings.first), -information)
    own = _logistic(strengths)
    return np.asarray(matrix + np.diag(_PRIOR_MATCHES * own * (1.0 - own)), dtype=np.float64)


def _covariance(meetings: _Meetings, strengths: Floats) -> Floats:
    """Sandwich: inverse curvature, scatter of the pairs' slopes, inverse curvature."""
    count = meetings.versions
    middle = _scatter(meetings, strengths) + _PRIOR_SCATTER * np.eye(count)
    inverse = np.linalg.inv(_curvature(meetings, strengths))
    # With the mean held at zero only differences to it are uncertain.
    centre = (np.eye(count) - 1.0 / count) if count > 1 else np.eye(1)
    return np.asarray(centre @ inverse @ middle @ inverse @ centre, dtype=np.float64)


def _scatter(meetings: _Meetings, strengths: Floats) -> Floats:
    slope = meetings.weight * (meetings.score - _expected(meetings, strengths))
    clusters = int(meetings.cluster.max(initial=0)) + 1
    values = np.concatenate([slope, -slope])
    pairs = np.concatenate([meetings.cluster, meetings.cluster])
    versions = np.concatenate([meetings.first, meetings.second])
    sums = coo_array((values, (pairs, versions)), shape=(clusters, meetings.versions)).tocsr()
    few = clusters / max(1, clusters - 1)
    return np.asarray(few * (sums.T @ sums).toarray(), dtype=np.float64)


def _finite(value: float) -> float:
    if not isfinite(value):
        raise FitError("the fit of the ratings did not stay finite")
    return float(value)
