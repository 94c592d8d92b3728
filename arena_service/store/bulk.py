"""Many rows at once, the quickest way: COPY into PostgreSQL, one statement into SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, TableClause
from sqlalchemy.exc import DBAPIError

Row = Sequence[Any]


def insert_rows(connection: Connection, table: TableClause, rows: Sequence[Row]) -> None:
    """Insert rows, each with a value for every column of `table` in its order.

    Raises DBAPIError.
    """
    prepare = connection.dialect.identifier_preparer
    names = ", ".join(prepare.quote(column.name) for column in table.columns)
    into = f"{prepare.quote(table.name)} ({names})"
    bound = list(_bound(connection, table, rows))
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {into} FROM STDIN", bound)
    else:
        marks = ", ".join("?" * len(table.columns))
        connection.exec_driver_sql(f"INSERT INTO {into} VALUES ({marks})", bound)


def _bound(
    connection: Connection, table: TableClause, rows: Iterable[Row]
) -> Iterator[tuple[Any, ...]]:
    """As the driver takes them."""
    dialect = connection.dialect
    types = [column.type.dialect_impl(dialect) for column in table.columns]
    processors = [(place, type.bind_processor(dialect)) for place, type in enumerate(types)]
    binds = [(place, bind) for place, bind in processors if bind is not None]
    for row in rows:
        values = list(row)
        for place, bind in binds:
            values[place] = bind(values[place])
        yield tuple(values)


def _copy(connection: Connection, statement: str, rows: Iterable[Row]) -> None:
    driver: Any = connection.connection.driver_connection
    errors = connection.dialect.loaded_dbapi.Error
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except errors as error:
        raise DBAPIError.instance(statement, None, error, errors, hide_parameters=True) from error
