"""`Work` straight from the database: leases with a fence, accepted results, typed failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store import bots, stalls
from arena_service.store.accepting import accept_outcome
from arena_service.store.database import UNAVAILABLE, Database, changed
from arena_service.store.errors import InvalidError
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
from engine_service.logs import get_logger

log = get_logger("interrex.work")

MAX_WORKER_NAME = 200
MAX_DETAIL = 2000
ATTEMPTS_KEPT = 20
MAX_PAUSE_SECONDS = 60
LEASE_MARGIN_SECONDS = 10.0
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
            series = _claim(session, worker[:MAX_WORKER_NAME], moment, self._length)
            return None if series is None else _assign(session, series, moment)

    def progress(
        self, series: str, fence: int, plies: dict[str, int], now: datetime | None = None
    ) -> bool:
        """Renew the lease when a match advanced and a quarter of it is used; False: lost."""
        moment = now or now_utc()
        with self._read() as session:
            held = session.scalar(_held(series, fence))
        if held is None:
            return False
        merged = {**held.progress, **_newer(held.progress, plies)}
        if merged == held.progress or not _renewal_due(held, moment):
            return True
        with self._write() as session:
            length = self._length(session, held)
            statement = (
                update(Series)
                .where(*_holds(series, fence))
                .values(progress=merged, renewed_at=moment, lease_until=moment + length)
            )
            return changed(session, statement) == 1

    def accept(
        self, series: str, fence: int, outcome: AcceptedOutcome, now: datetime | None = None
    ) -> bool:
        """Write a result once; see `accepting`."""
        with self._write() as session:
            return accept_outcome(session, series, fence, outcome, now or now_utc())

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
            held = session.scalar(_held(series, fence).with_for_update())
            if held is None:
                return
            if late is not None:
                stalls.note(session, held, late)
            give_back(session, held, moment, AttemptOutcome.FAILED, cause, detail)

    def artifact(self, sha256: str) -> bytes:
        """The archive with this hash."""
        with _typed():
            return bots.artifact(self._db, sha256)

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
        raise WorkUnavailable(f"the database does not answer: {error}") from error


def give_back(
    session: Session, held: Series, now: datetime, outcome: AttemptOutcome, cause: str, detail: str
) -> bool:
    """End a lease and its open attempts; False when somebody else was quicker."""
    pause = timedelta(seconds=min(MAX_PAUSE_SECONDS, 2 ** min(held.failures, 10)))
    statement = (
        update(Series)
        .where(*_holds(held.id, held.fence), col(Series.lease_until) == held.lease_until)
        .values(
            state=SeriesState.WAITING,
            worker=None,
            lease_until=None,
            progress={},
            failures=col(Series.failures) + 1,
            not_before=now + pause if outcome is AttemptOutcome.FAILED else None,
        )
    )
    if changed(session, statement) != 1:
        return False
    open_ones = (
        update(Attempt)
        .where(
            col(Attempt.series) == held.id,
            col(Attempt.fence) == held.fence,
            col(Attempt.outcome) == AttemptOutcome.OPEN,
        )
        .values(outcome=outcome, cause=cause, detail=detail[:MAX_DETAIL], ended_at=now)
        .returning(col(Attempt.match), col(Attempt.id), col(Attempt.worker))
    )
    for match, attempt, worker in session.execute(open_ones).all():
        log.warning(
            f"attempt {outcome}",
            event_id=held.event,
            series_id=held.id,
            fence=held.fence,
            match_id=match,
            attempt_id=attempt,
            worker=worker,
            cause=cause,
            detail=detail.partition("\n")[0],
        )
    return True


def lease_length(session: Session, series: Series, at_least: float) -> timedelta:
    """Longer than starting every seat and then one answer up to its wall cap."""
    limits = series.limits
    seats = session.scalar(select(func.max(col(Match.seats))).where(col(Match.series) == series.id))
    start = max(5.0, 5 * limits["start_cpu_ms"] / 1000) * (seats or 2)
    answer = max(5.0, 5 * (limits["move_cpu_ms"] + limits["bank_cpu_ms"]) / 1000)
    return timedelta(seconds=max(at_least, start + answer + LEASE_MARGIN_SECONDS))


def _claim(
    session: Session, worker: str, now: datetime, length: Callable[[Session, Series], timedelta]
) -> Series | None:
    waiting = (
        select(Series)
        .where(
            col(Series.state) == SeriesState.WAITING,
            col(Series.not_before).is_(None) | (col(Series.not_before) <= now),
        )
        .order_by(
            col(Series.priority), col(Series.created_at), col(Series.position), col(Series.id)
        )
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = session.scalar(waiting)
    if found is None:
        return None
    until = now + length(session, found)
    statement = (
        update(Series)
        .where(
            col(Series.id) == found.id,
            col(Series.state) == SeriesState.WAITING,
            col(Series.fence) == found.fence,
        )
        .values(
            state=SeriesState.LEASED,
            fence=found.fence + 1,
            worker=worker,
            lease_until=until,
            renewed_at=now,
            progress={},
        )
        .execution_options(synchronize_session=False)
    )
    if changed(session, statement) != 1:
        return None
    session.refresh(found)
    return found


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


def _holds(series: str, fence: int) -> tuple[Any, ...]:
    return (
        col(Series.id) == series,
        col(Series.fence) == fence,
        col(Series.state) == SeriesState.LEASED,
    )


def _held(series: str, fence: int) -> Any:
    return select(Series).where(*_holds(series, fence))


def _newer(known: dict[str, int], plies: dict[str, int]) -> dict[str, int]:
    return {match: ply for match, ply in plies.items() if ply > known.get(match, -1)}


def _renewal_due(held: Series, now: datetime) -> bool:
    if held.renewed_at is None or held.lease_until is None:
        return True
    return now - held.renewed_at >= (held.lease_until - held.renewed_at) / 4
