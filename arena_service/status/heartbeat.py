"""Signs of life: a process says every few seconds that it is there, and once that it goes."""

from __future__ import annotations

import os
import socket
from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col

from arena_service.pulse import BEAT_SECONDS, Pulse
from arena_service.store.database import Database, changed, one_line
from arena_service.store.states import new_id, now_utc
from arena_service.store.tables import Process
from engine_service.logs import get_logger

FORGOTTEN_AFTER = timedelta(days=1)

log = get_logger("interrex.heartbeat")


def seen(db: Database, process: Process, moment: datetime) -> None:
    """Write that it lives, by its id; those that were not seen for long are forgotten."""
    with db.write() as session:
        session.execute(delete(Process).where(col(Process.seen_at) < moment - FORGOTTEN_AFTER))
        known = update(Process).where(col(Process.id) == process.id).values(seen_at=moment)
        if changed(session, known) == 0:
            process.seen_at = moment
            session.add(process)


def gone(db: Database, process_id: str) -> None:
    """Take its row away: it ended in order."""
    with db.write() as session:
        session.execute(delete(Process).where(col(Process.id) == process_id))


class Heartbeat:
    """The row of this process; a database that does not answer is tried again at the next beat."""

    def __init__(self, db: Database, kind: str, detail: str = "") -> None:
        """`kind` is api, control, matches or dashboard; `db` was opened in this process."""
        self._db, self._kind, self._detail = db, kind, detail
        self._host, self._pid = socket.gethostname(), os.getpid()
        self._started_at = now_utc()
        self._id = new_id()  # not host and pid: the next boot gives the same numbers out again
        self._said_at: datetime | None = None
        self._pulse = Pulse(self.beat, (SQLAlchemyError,))

    def beat(self, now: datetime | None = None) -> None:
        """Say it now, unless it was said within BEAT_SECONDS; raises SQLAlchemyError."""
        moment = now or now_utc()
        since = abs(moment - self._said_at) if self._said_at else None  # a clock may be set back
        if since is not None and since < timedelta(seconds=BEAT_SECONDS):
            return
        seen(self._db, self._row(), moment)
        self._said_at = moment

    def start(self) -> None:
        """Go on saying it from a thread of its own until `stop`."""
        self._pulse.start()

    def stop(self) -> None:
        """Take the row away: this process ends in order. Never raises for the database's sake."""
        self._pulse.stop()
        try:
            gone(self._db, self._id)
        except SQLAlchemyError as error:
            log.warning("the sign of life could not be taken away", error=one_line(error))

    def _row(self) -> Process:
        return Process(
            id=self._id,
            kind=self._kind,
            host=self._host,
            pid=self._pid,
            detail=self._detail,
            started_at=self._started_at,
        )
