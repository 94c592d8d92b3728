"""`interrex doctor`: whether all that an arena remembers agrees with itself."""

from __future__ import annotations

from datetime import UTC, datetime

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlalchemy.exc import SQLAlchemyError

from arena_service.doctor.examine import examine
from arena_service.doctor.report import Report
from arena_service.store.database import Database, one_line
from cli.failures import Exit, Failure
from cli.operator import existing_database
from cli.output import print_json
from cli.profile import DEFAULT_DATA, AsJson, Data
from cli.proofs import show
from engine_service.client import LocalEngine


def doctor(data: Data = DEFAULT_DATA, as_json: AsJson = False) -> None:
    """Prove that schedule, results, replays, ledger and ratings agree; ends with 1 if they do not.

    It reads the database itself, also while the arena runs, and changes nothing.
    """
    database = existing_database(data)
    try:
        report = _examine(database)
    except SQLAlchemyError as error:
        raise Failure(
            f"{database.file or 'the database'} cannot be read, or is of another version: "
            f"{one_line(error)}; bring an older one up to date with: interrex up --data {data}"
        ) from error
    finally:
        database.close()
    if as_json:
        print_json(report.to_plain())
    else:
        show(report)
    if not report.is_clean:
        raise typer.Exit(Exit.PROBLEM)


def _examine(database: Database) -> Report:
    """With a bar on stderr, where that is a terminal."""
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("matches", total=None)

        def on_match(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return examine(database, LocalEngine(), datetime.now(UTC), on_match)
