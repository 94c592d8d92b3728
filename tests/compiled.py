"""Statements compiled once for all databases of one kind, as in a process that lives for long.

SQLAlchemy keeps what it has compiled by engine; here nearly every test opens a database of its own.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event


class Compiled(dict[Any, Any]):
    """A cache whose keys begin with a dialect: the kind of it counts, not the object."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), value)


_COMPILED = Compiled()


@event.listens_for(Engine, "engine_connect")
def _share(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)
