"""`Work` straight from the database: leases with a fence, accepted results, typed failures."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store import artifacts, stalls
from arena_service.store.accepting import accept_outcome
from arena_service.store.database import UNAVAILABLE, Database, changed, one_line
from arena_service.store.errors import InvalidError
from arena_service.store.leases import (
    RENEWED_FROM,
    claim,
    give_back,
    held_series,
    holds,
    lease_length,
)
from arena_service.store.metrics import count_result
from arena_service.store.states import (
    AttemptOutcome,
    Cause,
    MatchState,
    SeriesState,
    new_id,
    now_utc,
)
from arena_service.store.tables import Attempt, BotVersion, Match, MatchSeat, Pair, Series
from arena_service.work import AcceptedOutcome, Assignment, Late, PlannedMatch, WorkUnavailable

MAX_WORKER_NAME = 200
ATTEMPTS_KEPT = 20
MAX_LEASE_SECONDS = 86_400.0
REPLAYED_CAUSES = frozenset(Cause) - {Cause.BOT}


class StoreWork:
    """The arena's side of `Work`; made after the fork, like the database it is given."""

    def __init__(
        self, db: Database, lease_seconds: float, lease_at_most: float = MAX_LEASE_SECONDS
    ) -> None:
        """A lease lasts `lease_seconds`, or longer where the clocks of its matches ask for it.

        It never lasts longer than `lease_at_most`: then bots that use up their clocks lose leases.
        """
        self._db = db
        self._lease_seconds = lease_seconds
        self._lease_at_most = lease_at_most

    def lease(self, worker: str, now: datetime | None = None) -> Assignment | None:
        """Claim the first series that waits: checks, then the oldest; None: nothing to do."""
        moment = now or now_utc()
        with self._write() as session:
            series = claim(session, worker[:MAX_WORKER_NAME], moment, self._length)
            return None if series is None else _assign(session, series, moment)

    def take_back(
        self, worker: str, held: Collection[tuple[str, int]], now: datetime | None = None
    ) -> None:
        """Give back what `worker` leased and does not name as (series, fence): it never heard."""
        moment = now or now_utc()
        leased = select(Series).where(
            col(Series.state) == SeriesState.LEASED,
            col(Series.worker) == worker[:MAX_WORKER_NAME],
        )
        with self._read() as session:
            unheard = [s for s in session.scalars(leased) if (s.id, s.fence) not in held]
        for series in unheard:
            outcome, cause = AttemptOutcome.FAILED, Cause.INFRASTRUCTURE
            with self._write() as session:
                give_back(session, series, moment, outcome, cause, "the lease was not heard of")

    def progress(
        self, series: str, fence: int, plies: dict[str, int], now: datetime | None = None
    ) -> bool:
        """Renew the lease when a match advanced and a quarter of it is used; False: lost."""
        moment = now or now_utc()
        with self._read() as session:
            held = session.scalar(held_series(series, fence))
        if held is None:
            return False
        merged = {**held.progress, **_newer(held.progress, plies)}
        if merged == held.progress or not _renewal_due(held, moment):
            return True
        with self._write() as session:
            length = self._length(session, held)
            statement = (
                update(Series)
                .where(*holds(series, fence))
                .values(progress=merged, renewed_at=moment, lease_until=moment + length)
            )
            return changed(session, statement) == 1

    def accept(
        self, series: str, fence: int, outcome: AcceptedOutcome, now: datetime | None = None
    ) -> bool:
        """Write a result once; see `accepting`."""
        with self._write() as session:
            stands = accept_outcome(session, series, fence, outcome, now or now_utc())
        if stands:
            count_result(outcome)
        return stands

    def fail(
        self,
        series: str,
        fence: int,
        cause: str,
        detail: str,
        late: Late | None = None,
        now: datetime | None = None,
    ) -> None:
        """Give the unfinished matches back after a growing pause; a lost lease changes nothing."""
        if cause not in REPLAYED_CAUSES:
            raise InvalidError("cause", f"one of {', '.join(sorted(REPLAYED_CAUSES))}")
        moment = now or now_utc()
        with self._write() as session:
            held = session.scalar(held_series(series, fence).with_for_update())
            if held is None:
                return
            if late is not None:
                stalls.note(session, held, late)
            give_back(session, held, moment, AttemptOutcome.FAILED, cause, detail)

    def artifact(self, sha256: str) -> bytes:
        """The archive with this hash."""
        with _typed():
            return artifacts.content(self._db, sha256)

    @contextmanager
    def _write(self) -> Iterator[Session]:
        with _typed(), self._db.write() as session:
            yield session

    @contextmanager
    def _read(self) -> Iterator[Session]:
        with _typed(), self._db.read() as session:
            yield session

    def _length(self, session: Session, series: Series) -> timedelta:
        wanted = lease_length(session, series, self._lease_seconds)
        return min(wanted, timedelta(seconds=self._lease_at_most))


@contextmanager
def _typed() -> Iterator[None]:
    try:
        yield
    except UNAVAILABLE as error:
        raise WorkUnavailable(f"the database does not answer: {one_line(error)}") from error


def _assign(session: Session, series: Series, now: datetime) -> Assignment:
    unfinished = (
        select(Match, Pair)
        .outerjoin(Pair, col(Match.pair) == col(Pair.id))
        .where(col(Match.series) == series.id, col(Match.state) == MatchState.PLANNED)
        .order_by(col(Pair.number), col(Match.leg), col(Match.position))
    )
    rows = session.execute(unfinished).all()
    seats = _seats(session, [match.id for match, _ in rows])
    voided = stalls.by_seat(session, series.id)
    attempts = {match.id: new_id() for match, _ in rows}
    _open_attempts(session, series, attempts, now)
    matches = [
        _planned(match, pair, seats[match.id], voided.get(match.id, {})) for match, pair in rows
    ]
    versions = {player for match in matches for player in match.players}
    return Assignment(
        series=series.id,
        fence=series.fence,
        attempts=attempts,
        event=series.event or "",
        matches=matches,
        artifacts=_artifacts(session, versions),
        limits=series.limits,
    )


def _open_attempts(
    session: Session, series: Series, attempts: dict[str, str], now: datetime
) -> None:
    old = delete(Attempt).where(
        col(Attempt.series) == series.id,
        col(Attempt.fence) < series.fence - ATTEMPTS_KEPT,
        col(Attempt.late_seat).is_(None),
        col(Attempt.outcome).in_([AttemptOutcome.EXPIRED, AttemptOutcome.FAILED]),
    )
    session.execute(old)
    common = {
        "series": series.id,
        "fence": series.fence,
        "worker": series.worker or "",
        "outcome": AttemptOutcome.OPEN,
        "detail": "",
        "started_at": now,
    }
    rows = [{"id": attempt, "match": match, **common} for match, attempt in attempts.items()]
    session.execute(insert(Attempt), rows)


def _seats(session: Session, matches: list[str]) -> dict[str, list[MatchSeat]]:
    found: dict[str, list[MatchSeat]] = {match: [] for match in matches}
    statement = select(MatchSeat).where(col(MatchSeat.match).in_(matches))
    for row in session.scalars(statement.order_by(col(MatchSeat.seat))):
        found[row.match].append(row)
    return found


def _planned(
    match: Match, pair: Pair | None, seats: list[MatchSeat], voided: dict[int, int]
) -> PlannedMatch:
    return PlannedMatch(
        match_id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        seats=match.seats,
        seed=match.seed,
        leg=match.leg,
        pair=0 if pair is None else pair.number,
        players=[row.bot_version for row in seats],
        bot_seeds=tuple(row.bot_seed for row in seats),
        voided=voided,
    )


def _artifacts(session: Session, versions: set[str]) -> dict[str, tuple[str, list[str]]]:
    found = session.scalars(select(BotVersion).where(col(BotVersion.id).in_(versions)))
    return {row.id: (row.sha256, list(row.run)) for row in found}


def _newer(known: dict[str, int], plies: dict[str, int]) -> dict[str, int]:
    return {match: ply for match, ply in plies.items() if ply > known.get(match, -1)}


def _renewal_due(held: Series, now: datetime) -> bool:
    if held.renewed_at is None or held.lease_until is None:
        return True
    used = now - held.renewed_at
    clock_was_set_back = used < timedelta(0)
    return clock_was_set_back or used >= (held.lease_until - held.renewed_at) * RENEWED_FROM
