"""`interrex backup` and `interrex restore`: a whole arena as one file, and an arena from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from sqlalchemy.exc import SQLAlchemyError

from arena_service.backup.document import BackupError, Reader
from arena_service.backup.restoring import NotEmptyError, Restored
from arena_service.backup.restoring import restore as restore_from
from arena_service.backup.taking import FILES, take
from arena_service.settings import Settings
from arena_service.store.database import UNAVAILABLE, Database, one_line
from cli.failures import Exit, Failure
from cli.files import PRIVATE, named_path, whole_file
from cli.operator import database_of, existing_database, settings_of, sqlite_file
from cli.output import say
from cli.profile import DEFAULT_DATA, Data
from cli.running import lock_of_new_data
from cli.supervisor import SupervisorError

To = Annotated[
    Path, typer.Argument(metavar="FILE", parser=named_path, help="File to write; it holds secrets.")
]
From = Annotated[
    Path,
    typer.Argument(metavar="FILE", parser=named_path, help="What `interrex backup` has written."),
]


def backup(file: To, data: Data = DEFAULT_DATA) -> None:
    """Write the whole arena to a file, also while it runs; keep it as safe as the arena."""
    database = existing_database(data)
    if file.exists():
        raise Failure(f"{file} is there already; name another file", Exit.REFUSED)
    try:
        with whole_file(file, PRIVATE) as stream, _counted() as on_rows:
            rows = take(database, data, version("interrex"), stream, on_rows)
    except BackupError as error:
        raise Failure(str(error)) from error
    except SQLAlchemyError as error:
        raise Failure(
            f"{database.file or 'the database'} cannot be read, or is of another version: "
            f"{one_line(error)}"
        ) from error
    finally:
        database.close()
    say(f"{file}: {rows} rows, {file.stat().st_size} bytes; bring it back with: interrex restore")


def restore(file: From, data: Data = DEFAULT_DATA) -> None:
    """Make an arena from a backup, where there is none yet."""
    settings = settings_of(data)
    try:
        with lock_of_new_data(data):
            restored = _restored(file, data, settings)
    except SupervisorError as error:
        raise Failure(str(error), Exit.REFUSED) from error
    say(f"{sum(restored.rows.values())} rows are back; look with: interrex doctor --data {data}")


def _restored(file: Path, data: Path, settings: Settings) -> Restored:
    wanted = (*(data / name for name in FILES), sqlite_file(settings))
    taken = [each for each in wanted if each and each.exists()]
    if taken:
        raise Failure(
            f"{taken[0]} is there already; an arena is restored where there is none: "
            "choose another --data folder",
            Exit.REFUSED,
        )
    database = database_of(settings)
    try:
        restored = _filled(database, file)
        for name, content in restored.files.items():
            with whole_file(data / name, PRIVATE) as stream:
                stream.write(content)
    except BaseException:
        if database.file:
            database.close()
            Path(database.file).unlink(missing_ok=True)
        raise
    finally:
        database.close()
    return restored


def _filled(database: Database, file: Path) -> Restored:
    try:
        with _counted() as on_rows:
            return restore_from(database, Reader(file), on_rows)
    except BackupError as error:
        raise Failure(f"{file} is no backup that can be used: {error}") from error
    except NotEmptyError as error:
        raise Failure(
            f"{error}; an arena is restored where there is none: name another database with "
            "INTERREX_DATABASE_URL",
            Exit.REFUSED,
        ) from error
    except UNAVAILABLE as error:
        raise Failure(f"the database does not answer: {one_line(error)}") from error
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}", Exit.USAGE) from error


@contextmanager
def _counted() -> Iterator[Callable[[int], None]]:
    """With a count on stderr, where that is a terminal."""
    with Console(stderr=True).status("rows") as status:
        yield lambda rows: status.update(f"rows {rows}")
