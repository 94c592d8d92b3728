"""The statements behind "next match", "standings" and "bot page", and how PostgreSQL runs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, event

from arena_service.store import bot_pages, histories, queries
from arena_service.store.database import Database
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.states import now_utc
from arena_service.store.work_store import StoreWork
from benchmarks.crowd import Crowd

RECENT = 12
_TIME = re.compile(r"(?:Planning|Execution) Time: ([0-9.]+) ms")


@dataclass(frozen=True)
class Plan:
    """A statement that was run, with its plan; `milliseconds` to plan and to execute it."""

    statement: str
    lines: tuple[str, ...]

    @property
    def milliseconds(self) -> float:
        """As PostgreSQL measured it."""
        return sum(map(float, _TIME.findall("\n".join(self.lines))))

    @property
    def pages(self) -> int:
        """How many pages of tables and indices it looked at: what it costs on any machine."""
        found = next((line for line in self.lines if "Buffers: shared" in line), "")
        return sum(map(int, re.findall(r"(?:hit|read)=(\d+)", found)))

    def scans(self, table: str) -> bool:
        """Whether it goes through the whole table."""
        return any(re.search(rf"Seq Scan on {table}\b", line) for line in self.lines)


def looks(db: Database, crowd: Crowd) -> dict[str, Callable[[], object]]:
    """By name: what a slot, a reader of the standings and a reader of a bot's page ask for."""

    def next_match() -> object:
        work = StoreWork(db, 60)
        lease = work.lease("plans", now=now_utc() + timedelta(hours=1))
        assert lease is not None
        return work.fail(lease.series, lease.fence, "operator", "")

    def standings() -> object:
        return queries.standings(db, crowd.ladder)

    def bot_page() -> object:
        page = bot_pages.bot_page(db, crowd.bot)
        bot_pages.places(db, page.id)
        bot_pages.checks(db, page.versions[0].id)
        histories.of_bot(db, page.id)
        return search(db, MatchSearch(bot=page.id), RECENT)

    return {"next match": next_match, "standings": standings, "bot page": bot_page}


def plans(db: Database, look: Callable[[], object], *, by_index: bool = False) -> list[Plan]:
    """Every statement of a look that reads or writes rows, explained with the same values.

    `by_index`: whole tables are read only where no index serves, however small they are.
    """
    with _recorded(db) as asked:
        look()
    with db.engine.connect() as connection:
        connection.exec_driver_sql(f"SET LOCAL enable_seqscan = {'off' if by_index else 'on'}")
        found = [_explained(connection, *each) for each in asked]
        connection.rollback()
    return found


@contextmanager
def _recorded(db: Database) -> Iterator[list[tuple[str, Any]]]:
    asked: list[tuple[str, Any]] = []

    def keep(
        _connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool
    ) -> None:
        if statement.lstrip().startswith(("SELECT", "UPDATE", "DELETE")) and not many:
            asked.append((statement, values))

    event.listen(db.engine, "before_cursor_execute", keep)
    try:
        yield asked
    finally:
        event.remove(db.engine, "before_cursor_execute", keep)


def _explained(connection: Connection, statement: str, values: Any) -> Plan:
    rows = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, BUFFERS) {statement}", values)
    return Plan(" ".join(statement.split()), tuple(str(row[0]) for row in rows))
