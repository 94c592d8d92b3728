"""Every stored value can be read and is of its column's kind: all other proofs rely on it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import ColumnElement, LargeBinary, and_, func, select
from sqlalchemy.orm import Session

from arena_service.doctor.report import Proof
from arena_service.store.states import (
    AttemptOutcome,
    Cause,
    DeliveryState,
    EventState,
    MatchKind,
    MatchState,
    SeriesState,
    VersionState,
)
from arena_service.store.tables.base import Table

# What SQLAlchemy raises for a value that it cannot turn into JSON or a time.
UNREADABLE = (ValueError, TypeError)
WORDS: dict[tuple[str, str], type[StrEnum]] = {
    ("attempt", "cause"): Cause,
    ("attempt", "outcome"): AttemptOutcome,
    ("bot_version", "state"): VersionState,
    ("delivery", "state"): DeliveryState,
    ("event", "state"): EventState,
    ("match", "kind"): MatchKind,
    ("match", "state"): MatchState,
    ("series", "state"): SeriesState,
}


def check_values(session: Session, proof: Proof) -> None:
    """Read every table. What is told of a value never shows it: it may be secret."""
    for model in Table.__subclasses__():
        columns = _Columns(model)
        try:
            for row in session.execute(select(*columns.read).execution_options(yield_per=1000)):
                proof.take(columns.about(row), columns.wrong(tuple(row)))
        except UNREADABLE:
            for key in session.execute(select(*columns.keys)).all():
                proof.take(columns.about(key), _unreadable(session, columns, tuple(key)))


class _Columns:
    """The columns of a table, its keys first, and what they hold."""

    def __init__(self, model: type[Table]) -> None:
        table = model.metadata.tables[str(model.__tablename__)]
        self._table = table.name
        ordered = sorted(table.columns, key=lambda column: not column.primary_key)
        self._names = [column.name for column in ordered]
        self.keys: list[ColumnElement[Any]] = [*table.primary_key]
        self.read = [_first_byte(c) if isinstance(c.type, LargeBinary) else c for c in ordered]
        kinds = tuple(model.model_fields[name].annotation for name in self._names)
        self._adapter: TypeAdapter[Any] = TypeAdapter(tuple[kinds])  # type: ignore[valid-type]

    def about(self, row: Any) -> str:
        """The table and the keys."""
        return f"{self._table} {' '.join(str(value) for value in row[: len(self.keys)])}"

    def wrong(self, row: tuple[Any, ...]) -> Iterator[str]:
        """What in a row is not of its column's kind."""
        try:
            self._adapter.validate_python(row, strict=True)
        except ValidationError as error:
            for each in error.errors(include_input=False, include_url=False):
                index, *within = each["loc"]
                place = ".".join([self._names[int(index)], *map(str, within)])
                yield f"{place}: {each['msg']}"
        for name, value in zip(self._names, row, strict=True):
            words = WORDS.get((self._table, name))
            if words is not None and value is not None and value not in list(words):
                yield f"{name}: expected one of {', '.join(words)}"

    def one_by_one(self) -> Iterator[tuple[str, ColumnElement[Any]]]:
        """Each column by its name."""
        yield from zip(self._names, self.read, strict=True)


def _first_byte(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Enough to know that it holds bytes: archives and replays are large."""
    return func.substr(column, 1, 1)


def _unreadable(session: Session, columns: _Columns, key: tuple[Any, ...]) -> Iterator[str]:
    """The columns of one row that cannot be read, else what is wrong with the row."""
    row = and_(*(column == value for column, value in zip(columns.keys, key, strict=True)))
    values = []
    for name, column in columns.one_by_one():
        try:
            values.append(session.scalar(select(column).where(row)))
        except UNREADABLE:
            yield f"{name} cannot be read"
    if len(values) == len(columns.read):
        yield from columns.wrong(tuple(values))
