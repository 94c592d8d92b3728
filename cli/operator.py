"""The database of a data folder's arena, for commands of its operator that work on it directly."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from arena_service.settings import Settings, SettingsError
from cli.failures import Exit, Failure

if TYPE_CHECKING:
    from arena_service.store.database import Database


def settings_of(data: Path) -> Settings:
    """Those of the environment for this folder; raises Failure."""
    try:
        return Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error


def database_of(settings: Settings) -> Database:
    """Not yet connected to; raises Failure."""
    from arena_service.store.database import open_database

    try:
        return open_database(settings.database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error


def existing_database(data: Path) -> Database:
    """The arena's database, which must be there; raises Failure."""
    database = database_of(settings_of(data))
    if database.file and not Path(database.file).exists():
        database.close()
        raise Failure(f"{data} holds no arena: there is no {database.file}", Exit.USAGE)
    return database
