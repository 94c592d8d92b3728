"""An arena as `deploy/` runs it: commands and variables of the compose file, as processes here."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from arena_service.status.probes import serves
from tests.kills.arena import INTERREX, LEASE_SECONDS, wait_for
from workers.lifetime import die_with_parent

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose" / "compose.yaml"
BIN = Path(sys.executable).parent
# Those without which nothing is played; the workers bring an engine of their own.
PROCESSES = ("api", "control", "beat")
CREDENTIALS = {"INTERREX_DATABASE_URL", "INTERREX_BROKER_URL"}
STOP_SECONDS = 60


@dataclass(frozen=True)
class Deployed:
    """Where it keeps what belongs to its commands, and at which port its API listens."""

    folder: Path
    port: int
    metrics: Mapping[str, int]
    settings: Mapping[str, str]

    @property
    def data(self) -> Path:
        """The data folder of commands that are typed here."""
        return self.folder / "data"

    def interrex(self, *words: str) -> str:
        """The output of a command that must end well."""
        done = subprocess.run(
            [*INTERREX, *words, "--data", str(self.data)],
            cwd=ROOT,
            env={**os.environ, **self.settings},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextmanager
def deployed(folder: Path, database_url: str, broker_url: str) -> Iterator[Deployed]:
    """API, control and beat on a database and a broker outside, until the block ends."""
    port, *metrics = _free_ports(1 + len(PROCESSES))
    settings = {
        "INTERREX_DATABASE_URL": database_url,
        "INTERREX_BROKER_URL": broker_url,
        "INTERREX_LEASE_SECONDS": str(LEASE_SECONDS),
        "INTERREX_LEASE_AT_MOST_SECONDS": str(LEASE_SECONDS),
    }
    arena = Deployed(folder, port, dict(zip(PROCESSES, metrics, strict=True)), settings)
    arena.data.mkdir(parents=True)
    (arena.data / "addresses.json").write_text(json.dumps({"api": f"127.0.0.1:{port}"}))
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    running: list[subprocess.Popen[bytes]] = []
    try:
        for name in PROCESSES:
            running.append(_started(arena, name, services[name]))
            if name == "api":  # it brings the database up to date; the others wait for it
                wait_for(lambda: serves(f"127.0.0.1:{port}", 2), "the API")
        wait_for((folder / "control" / "control.ready").exists, "the control worker")
        yield arena
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(STOP_SECONDS)


def _started(arena: Deployed, name: str, service: Mapping[str, Any]) -> subprocess.Popen[bytes]:
    command = [word.replace(":50062", f":{arena.port}") for word in service["command"]]
    program = sys.executable if command[0] == "python" else str(BIN / command[0])
    kept = {key: value for key, value in os.environ.items() if not key.startswith("INTERREX_")}
    environment = service["environment"]
    withheld = CREDENTIALS - environment.keys()
    # Those without a value are passed on where `.env` has them: here it has none.
    given = {key: value for key, value in environment.items() if value is not None}
    own = {
        **given,
        **{key: value for key, value in arena.settings.items() if key not in withheld},
        "INTERREX_METRICS_ADDRESS": f"127.0.0.1:{arena.metrics[name]}",
        "INTERREX_DATA": str(arena.folder / name),
        "INTERREX_RUN_DIR": str(arena.folder / name),
        "GRPC_ENABLE_FORK_SUPPORT": "0",
    }
    with (arena.folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            [program, *command[1:]],
            cwd=ROOT,
            env={**kept, **own},
            stdout=log,
            stderr=log,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("", 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in sockets]
