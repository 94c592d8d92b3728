"""How the cost of what is asked most grows: `python -m benchmarks.scale URL [MATCHES ...]`.

URL is that of a PostgreSQL database (postgresql+psycopg://...) whose user is a superuser: a
ladder of each size is made in a database of its own, which is dropped in the end. Prints for each
look the milliseconds that its statements take, the slowest of them, and what it takes with Python;
`--plans` prints every plan too.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from arena_service.store.database import Database, open_migrated
from benchmarks import crowd
from benchmarks.plans import Plan, looks, plans

SIZES = (1_000, 10_000, 100_000, 1_000_000)
TIMES = 3


@contextmanager
def database(url: str, name: str) -> Iterator[Database]:
    """A fresh database beside that of `url`."""
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
        opened = open_migrated(make_url(url).set(database=name).render_as_string(False))
        try:
            yield opened
        finally:
            opened.close()
            connection.execute(text(f'DROP DATABASE "{name}"'))
    server.dispose()


def measure(db: Database, look: Callable[[], object]) -> tuple[list[Plan], float]:
    """The plans of a look that has been taken before, and the milliseconds of the quickest."""
    best = float("inf")
    for _ in range(TIMES):
        began = time.perf_counter()
        look()
        best = min(best, time.perf_counter() - began)
    return plans(db, look), best * 1000


def show(db: Database, made: crowd.Crowd, with_plans: bool) -> None:
    """A line for each look."""
    for name, look in looks(db, made).items():
        found, whole = measure(db, look)
        slowest = max(found, key=lambda plan: plan.milliseconds)
        total = sum(plan.milliseconds for plan in found)
        print(
            f"| {made.matches:,} | {name} | {len(found)} | {total:.1f} | "
            f"{slowest.milliseconds:.1f} | {whole:.0f} |",
            flush=True,
        )
        for plan in found if with_plans else ():
            print(f"\n{plan.milliseconds:.1f} ms: {plan.statement}", *plan.lines, sep="\n  ")


def main() -> None:
    """Fill, measure and print, one size after the other."""
    parser = argparse.ArgumentParser(description="What a ladder of many matches costs.")
    parser.add_argument("url")
    parser.add_argument("matches", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--plans", action="store_true")
    chosen = parser.parse_args()
    logging.disable(logging.WARNING)  # leases are taken and given back
    print("| matches | look | statements | ms in the database | slowest | ms with Python |")
    for matches in chosen.matches:
        with database(chosen.url, f"interrex_scale_{matches}") as db:
            show(db, crowd.fill(db, matches), chosen.plans)


if __name__ == "__main__":
    main()
