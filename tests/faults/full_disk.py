"""A full disk: `python -m tests.faults.full_disk store|arena DATABASE FOLDER TIMES`.

A process of its own, because it changes what it sees of the file system.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_service.store.database import Database
from tests.faults import small_disk

MEGABYTES = {"sqlite": 24, "postgresql": 160}
BOTS, PAIRS, THINK_SECONDS = 3, 10, 0.01
GIVEN_BACK = "the series is given back"
FULL = ("database or disk is full", "No space left on device")


def main() -> None:
    """Mount first: what is imported later starts threads."""
    what, database, folder, times = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    small_disk.mount(folder, MEGABYTES[database])
    {"store": _store, "arena": _arena}[what](database, folder, times)


def _store(database: str, folder: Path, times: int) -> None:
    """Results are refused at a full disk as what may work a moment later, and then it does."""
    from arena_service.scheduling import slots
    from arena_service.store.database import open_migrated
    from arena_service.store.work_store import StoreWork
    from arena_service.work import WorkUnavailable
    from tests.arena_service.audit.events import started_tournament
    from tests.arena_service.outcomes import played
    from tests.arena_service.store.arena import LEASE
    from tests.faults.posts import NOON, check_sound

    with _url(database, folder) as url:
        db = open_migrated(url)
        work, refused = StoreWork(db, LEASE, LEASE), 0
        started_tournament(db, entries=3, pairs=3)
        while (lease := work.lease("w", now=NOON)) is not None:
            for outcome in map(played, lease.matches):
                if refused < times:
                    with _without_room(db, folder):
                        try:
                            work.accept(lease.series, lease.fence, outcome, now=NOON)
                        except WorkUnavailable:
                            refused += 1
                assert work.accept(lease.series, lease.fence, outcome, now=NOON)
        slots.tick(db, NOON)
        print(check_sound(db, NOON), f"faults {refused}")
        db.close()
    assert refused == times


def _arena(database: str, folder: Path, times: int) -> None:
    """Fill the disk under an arena that plays until a result could not be stored, and free it."""
    from tests.kills.arena import running, wait_for, write_bots
    from tests.kills.books import Books
    from tests.kills.storm import check_sound, figures, follow

    data, logs = folder / "arena", folder.parent / "logs"
    data.mkdir()
    logs.mkdir()
    (data / "logs").symlink_to(logs)  # to be read while the disk is full

    def complaints() -> int:
        """How many results could not be stored, as the slots said."""
        said = (logs / "worker-matches.log").read_text().splitlines()
        return sum(GIVEN_BACK in line and full in line for line in said for full in FULL)

    def another_result(played: int) -> bool:
        """The slots are at work: another result will follow."""
        follow(arena, books)
        return books.accepted() > played

    with _url(database, folder) as url, running(data, url) as arena:
        books = Books(url)
        arena.enter(write_bots(folder.parent, BOTS, THINK_SECONDS), PAIRS)
        for _ in range(times):
            before, played = complaints(), books.accepted()
            wait_for(lambda played=played: another_result(played), "a result")
            with _without_room(books.db, folder):
                wait_for(lambda before=before: complaints() > before, "the disk to be felt full")
            arena.others["disk full"] += 1
        check_sound(arena, books)
        print(figures(arena, books))
        assert books.accepted() >= BOTS * PAIRS * 2


@contextmanager
def _without_room(db: Database, folder: Path) -> Iterator[None]:
    """The disk is full, and SQLite has nothing old that it could write over."""
    if db.file:
        with db.engine.connect() as connection:
            while connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]:
                time.sleep(0.01)  # somebody reads or writes
    with small_disk.filled(folder):
        yield


@contextmanager
def _url(database: str, folder: Path) -> Iterator[str]:
    """The address of an empty database on the disk."""
    if database == "sqlite":
        yield f"sqlite:///{folder / 'interrex.db'}"
        return
    from tests.arena_service import postgres

    data = folder / "data"
    data.mkdir(mode=0o700)
    folder.chmod(0o711)
    with postgres.running(data) as server:
        yield postgres.url(server.where, "postgres")


if __name__ == "__main__":
    main()
