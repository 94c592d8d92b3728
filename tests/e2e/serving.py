"""The dashboard as a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError


@contextmanager
def serving(data: Path, log: Path) -> Iterator[str]:
    """The address of a dashboard of the arena below `data`; it writes to the file `log`."""
    port = _free_port()
    metrics = f"127.0.0.1:{_free_port()}"
    environment = {**os.environ, "INTERREX_DATA": str(data), "INTERREX_METRICS_ADDRESS": metrics}
    for name in ("INTERREX_DATABASE_URL", "INTERREX_LANGUAGE"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "dashboard.server", "--port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            _wait_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the dashboard never became healthy: {log.read_text()}")
