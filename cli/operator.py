"""The database of a data folder's arena, for commands of its operator that work on it directly."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arena_service.settings import Settings, SettingsError
from cli.failures import Exit, Failure

if TYPE_CHECKING:
    from arena_service.store.database import Database

T = TypeVar("T")


def settings_of(data: Path) -> Settings:
    """Those of the environment for this folder; raises Failure."""
    try:
        return Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error


def sqlite_file(settings: Settings) -> Path | None:
    """Where the SQLite file lies or would lie; None: a server has the database; raises Failure."""
    from arena_service.store.database import file_of

    file = _usable(file_of, settings)
    return Path(file) if file else None


def database_of(settings: Settings) -> Database:
    """Not yet connected to; raises Failure."""
    from arena_service.store.database import open_database

    return _usable(open_database, settings)


def existing_database(data: Path) -> Database:
    """The arena's database, which must be there; raises Failure."""
    settings = settings_of(data)
    file = sqlite_file(settings)
    if file and not file.exists():
        raise Failure(f"{data} holds no arena: there is no {file}", Exit.USAGE)
    return database_of(settings)


def _usable(find: Callable[[str], T], settings: Settings) -> T:
    try:
        return find(settings.database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
