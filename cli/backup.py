"""`interrex backup` and `interrex restore`: a whole arena as one file, and an arena from one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console
from sqlalchemy.exc import SQLAlchemyError

from arena_service.backup.document import BackupError, Reader
from arena_service.backup.restoring import NotEmptyError, Restored
from arena_service.backup.restoring import restore as restore_from
from arena_service.backup.taking import FILES, take
from arena_service.settings import Settings, SettingsError
from arena_service.store.database import UNAVAILABLE, Database, one_line, open_database
from cli.failures import Exit, Failure
from cli.output import say
from cli.profile import DEFAULT_DATA, Data
from cli.running import data_lock
from cli.supervisor import SupervisorError

To = Annotated[Path, typer.Argument(metavar="FILE", help="File to write; it holds secrets.")]
From = Annotated[Path, typer.Argument(metavar="FILE", help="What `interrex backup` has written.")]


def backup(file: To, data: Data = DEFAULT_DATA) -> None:
    """Write the whole arena to a file, also while it runs; keep it as safe as the arena."""
    settings = _settings(data)
    lies = settings.database_url.removeprefix("sqlite:///")
    if lies != settings.database_url and not Path(lies).exists():
        raise Failure(f"{data} holds no arena: there is no {lies}", Exit.USAGE)
    if file.exists():
        raise Failure(f"{file} is there already; name another file", Exit.REFUSED)
    database = _opened(settings)
    try:
        with _private(file) as stream, _counted() as on_rows:
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
    settings = _settings(data)
    try:
        with data_lock(data):
            restored = _restored(file, data, settings)
    except SupervisorError as error:
        raise Failure(str(error), Exit.REFUSED) from error
    say(f"{sum(restored.rows.values())} rows are back; look with: interrex doctor --data {data}")


def _restored(file: Path, data: Path, settings: Settings) -> Restored:
    taken = [data / name for name in FILES if (data / name).exists()]
    lies = settings.database_url.removeprefix("sqlite:///")
    is_file = lies != settings.database_url
    if is_file and Path(lies).exists():
        taken.append(Path(lies))
    if taken:
        raise Failure(
            f"{taken[0]} is there already; an arena is restored where there is none: "
            "choose another --data folder",
            Exit.REFUSED,
        )
    database = _opened(settings)
    try:
        restored = _filled(database, file)
        for name, content in restored.files.items():
            _write_private(data / name, content)
    except BaseException:
        if is_file:
            database.close()
            Path(lies).unlink(missing_ok=True)
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


def _settings(data: Path) -> Settings:
    try:
        return Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error


def _opened(settings: Settings) -> Database:
    try:
        return open_database(settings.database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    """A new file that its owner alone may read: the whole of it, or none."""
    draft = path.parent / f"{path.name}.{os.getpid()}.part"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}", Exit.USAGE) from error
    finally:
        draft.unlink(missing_ok=True)


def _write_private(path: Path, content: bytes) -> None:
    with _private(path) as stream:
        stream.write(content)


@contextmanager
def _counted() -> Iterator[Callable[[int], None]]:
    """With a count on stderr, where that is a terminal."""
    with Console(stderr=True).status("rows") as status:
        yield lambda rows: status.update(f"rows {rows}")
