"""Changing the data of an arena as no program of the arena would."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import create_engine, text

_UNCHECKED = {
    "sqlite": "PRAGMA foreign_keys = OFF",
    "postgresql": "SET session_replication_role = replica",
}


def meddle(url: str, statements: Iterable[str]) -> None:
    """Change the data past every constraint on references; each statement must change something."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(_UNCHECKED[engine.dialect.name]))
        for statement in statements:
            assert connection.execute(text(statement)).rowcount > 0, statement
    engine.dispose()
