"""What is asked most goes by indices, and costs the same however many matches there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from arena_service.store.database import open_migrated
from benchmarks import crowd
from benchmarks.plans import Plan, looks, plans
from tests.arena_service import postgres

SIZES = (1_000, 10_000)
# Not evidence: here there is some of faults alone.
BIG = ("match", "match_seat", "attempt", "result", "seat_result", "ledger", "pair", "series")
Looked = dict[str, list[Plan]]


@pytest.fixture(scope="module")
def looked() -> Iterator[dict[int, Looked]]:
    """By the number of matches: the plans of each look."""
    with postgres.server() as server:
        admin = create_engine(postgres.url(server, "postgres"), isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            for size in SIZES:
                connection.execute(text(f"CREATE DATABASE crowd{size}"))
        admin.dispose()
        yield {size: look(postgres.url(server, f"crowd{size}"), size) for size in SIZES}


def look(url: str, size: int) -> Looked:
    db = open_migrated(url)
    try:
        made = crowd.fill(db, size)
        return {name: plans(db, take, by_index=True) for name, take in looks(db, made).items()}
    finally:
        db.close()


def test_no_statement_goes_through_a_big_table(looked: dict[int, Looked]) -> None:
    for found in looked[SIZES[1]].values():
        for plan in found:
            assert [table for table in BIG if plan.scans(table)] == [], "\n".join(plan.lines)


@pytest.mark.parametrize("name", ["next match", "standings", "bot page"])
def test_the_cost_grows_less_than_the_matches(looked: dict[int, Looked], name: str) -> None:
    small, large = (pages(looked[size][name]) for size in SIZES)
    assert large < 5 * small  # of ten times the matches


def pages(found: list[Plan]) -> int:
    """Of all statements of a look but the history of ratings, a point for every slot."""
    return sum(plan.pages for plan in found if "FROM rating JOIN event" not in plan.statement)
