"""`interrex worker`: match workers on other machines, and the tokens that let them in."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from arena_service.settings import SettingsError, read_token
from arena_service.work import WorkRefused, WorkUnavailable
from cli.failures import Commands, Exit, Failure, server_missing
from cli.files import named_path
from cli.operator import settings_of
from cli.output import print_json, print_table, say, table
from cli.profile import DEFAULT_DATA, AsJson, Data

if TYPE_CHECKING:
    from arena_service.store.database import Database
    from cli.supervisor import Program, SupervisorError

WORKER_DATA = Path(".interrex-worker")
# What a worker must not know, and hands to nobody where it runs beside an arena.
OF_ARENAS = ("INTERREX_DATABASE_URL", "INTERREX_BROKER_URL", "INTERREX_DATA", "INTERREX_RUN_DIR")
PACKAGES = ("structlog", "redis")

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Match workers on other machines.")
tokens = typer.Typer(cls=Commands, no_args_is_help=True, help="Their tokens (for the operator).")
app.add_typer(tokens, name="token")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the worker.")]


@tokens.command()
def create(
    name: Name,
    file: Annotated[
        Path | None, typer.Option("--file", help="Keep the token there instead of printing it.")
    ] = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let a worker in: make its token, which is shown this once."""
    with _registry(data) as db:
        from arena_service.store import worker_tokens

        if file is not None and file.exists():
            raise Failure(f"{file} is there already; name another --file", Exit.REFUSED)
        token = worker_tokens.create(db, name)
    if file is None:
        say(token)
        return
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as stream:
        stream.write(token + "\n")
    say(f"{name} may work; its token is in {file}")


@tokens.command("list")
def list_tokens(data: Data = DEFAULT_DATA, as_json: AsJson = False) -> None:
    """Workers that may work, by name."""
    with _registry(data) as db:
        from arena_service.store import worker_tokens

        found = worker_tokens.all_of(db)
    if as_json:
        print_json([{"name": w.name, "created_at": w.created_at.isoformat()} for w in found])
        return
    rows = [(worker.name, f"{worker.created_at:%Y-%m-%d %H:%M}") for worker in found]
    print_table(table(("worker", "since (UTC)"), rows))


@tokens.command()
def revoke(name: Name, data: Data = DEFAULT_DATA) -> None:
    """Let a worker do nothing more; what it plays is played again by others."""
    with _registry(data) as db:
        from arena_service.store import worker_tokens

        worker_tokens.revoke(db, name)
    say(f"{name} may not work any more")


@app.command()
def start(
    arena: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", envvar="INTERREX_WORK_ADDRESS", help="The arena's API."),
    ],
    token_file: Annotated[
        Path, typer.Option(envvar="INTERREX_WORK_TOKEN_FILE", help="The worker's token.")
    ],
    slots: Annotated[int, typer.Option(min=1, max=64, help="Matches played at once.")] = 2,
    engine: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="An engine to ask instead of one of its own.")
    ] = "",
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="FOLDER", parser=named_path, help="Folder for logs and what runs."
        ),
    ] = WORKER_DATA,
) -> None:
    """Play matches of an arena on another machine, until Ctrl-C."""
    from cli.running import data_lock
    from cli.supervisor import SupervisorError

    if not all(map(find_spec, PACKAGES)):
        raise server_missing()
    _greet(arena, token_file)
    try:
        with data_lock(data):
            _serve(data.absolute(), arena, token_file.absolute(), slots, engine)
    except SupervisorError as error:
        raise _why(error, arena, token_file) from error


def _why(error: SupervisorError, arena: str, token_file: Path) -> Failure:
    """A token that was revoked meanwhile is told as such, all else as the supervisor says it."""
    try:
        _greet(arena, token_file)
    except Failure as failure:
        if failure.code == Exit.REFUSED:
            return failure
    return Failure(str(error))


def _greet(arena: str, token_file: Path) -> None:
    """Ask for nothing, so that a wrong address or token is told at once."""
    from arena_service.remote.client import GrpcWork

    try:
        work = GrpcWork(arena, read_token(token_file), socket.gethostname(), os.getpid())
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    try:
        work.greet()
    except WorkRefused as error:
        raise Failure(f"the arena at {arena} refuses: {error}", Exit.REFUSED) from error
    except WorkUnavailable as error:
        text = f"the arena does not answer at {arena}; correct --arena ({error})"
        raise Failure(text, Exit.UNREACHABLE) from error
    finally:
        work.close()


def _serve(data: Path, arena: str, token_file: Path, slots: int, engine: str) -> None:
    from cli.running import new_run_dir, stopped_by_signals, undisturbed
    from cli.supervisor import Supervisor
    from workers.sandbox import leftovers

    console = Console(stderr=True)
    run_dir = new_run_dir(data)
    engine_address = engine or f"unix:{run_dir / 'engine.sock'}"
    environment = {name: text for name, text in os.environ.items() if name not in OF_ARENAS}
    environment |= {
        "INTERREX_WORK_ADDRESS": arena,
        "INTERREX_WORK_TOKEN_FILE": str(token_file),
        "INTERREX_ENGINE_ADDRESS": engine_address,
        "GRPC_ENABLE_FORK_SUPPORT": "0",  # as in `up`: gRPC would write into processes that start
    }
    own = [] if engine else [_engine(engine_address)]
    supervisor = Supervisor(
        programs=[*own, *(_slot(run_dir / f"slot-{number + 1}") for number in range(slots))],
        log_dir=data / "logs",
        environment=environment,
        say=lambda text: console.print(f"[yellow]{text}[/]", highlight=False),
    )
    try:
        with stopped_by_signals():
            supervisor.start()
            console.print(f"Playing for {arena}, {slots} at once. Logs: {data / 'logs'}")
            while True:
                supervisor.watch()
                time.sleep(0.2)
    except KeyboardInterrupt:
        console.print("Stopping.")
    finally:
        with undisturbed():
            supervisor.stop()
            leftovers.clear(run_dir)


def _engine(address: str) -> Program:
    from arena_service.status.probes import serves
    from cli.supervisor import Program

    argv = [sys.executable, "-m", "engine_service.server", "--address", address]
    return Program("engine", argv, lambda: serves(address, seconds=2), awaited=True)


def _slot(run_dir: Path) -> Program:
    from cli.running import is_alive
    from cli.supervisor import Program

    argv = [sys.executable, "-m", "workers.polling", "--run-dir", str(run_dir)]
    return Program(run_dir.name, argv, lambda: is_alive(run_dir / "slot.ready"), together=True)


@contextmanager
def _registry(data: Path) -> Iterator[Database]:
    """The arena's database, for its operator; refusals end the command."""
    if find_spec("sqlmodel") is None:
        raise server_missing()
    from arena_service.store.database import open_migrated
    from arena_service.store.errors import StoreError

    try:
        db = open_migrated(settings_of(data).database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    try:
        yield db
    except StoreError as error:
        raise Failure(str(error), Exit.REFUSED) from error
    finally:
        db.close()
