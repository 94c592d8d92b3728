"""Every reference has its row: asked of the data, not of the constraints that should see to it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ForeignKey, Table, func, select
from sqlalchemy.orm import Session

from arena_service.doctor.report import SHOWN, Proof
from arena_service.store import tables


def check_references(session: Session, proof: Proof) -> None:
    """Look at every foreign key of every table."""
    for table in tables.Account.metadata.sorted_tables:
        for key in sorted(table.foreign_keys, key=lambda each: each.parent.name):
            proof.take(f"{table.name}.{key.parent.name}", _lost(session, table, key))


def _lost(session: Session, table: Table, key: ForeignKey) -> Iterator[str]:
    there = key.column.table.alias()
    found = select(there.c[key.column.name]).where(there.c[key.column.name] == key.parent)
    lost = key.parent.is_not(None) & ~found.exists()
    count = session.scalar(select(func.count()).select_from(table).where(lost)) or 0
    if count:
        some = session.scalars(select(key.parent).where(lost).distinct().limit(SHOWN))
        yield f"{count} rows name no {key.column.table.name}: {', '.join(some)}"
