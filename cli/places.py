"""Where the servers of `interrex up` listen: ports that are asked for, kept, or free."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from arena_service.settings import Settings, SettingsError, to_port
from cli.running import noted

PORT_NOTE = "dashboard-port"
PORT_DIGITS = 5
EVERY_HOST = ("0.0.0.0", "[::]")


@dataclass(frozen=True)
class Places:
    """Where the servers listen; all but the API on this machine alone."""

    engine_port: int
    api_host: str
    api_port: int
    dashboard_port: int

    @property
    def engine(self) -> str:
        """The address of the engine."""
        return f"127.0.0.1:{self.engine_port}"

    @property
    def api(self) -> str:
        """Where this machine reaches the API."""
        host = "127.0.0.1" if self.api_host in EVERY_HOST else self.api_host
        return f"{host}:{self.api_port}"


def places(data: Path, settings: Settings, listen: str) -> Places:
    """Ports that are free; raises SettingsError for those that are asked for and are not."""
    host, api = _host_and_port(listen)
    dashboard = dashboard_port(data, settings)
    engine, free, *_ = (port for port in _free_ports(4) if port not in (dashboard, api))
    return Places(engine, host, api or free, dashboard)


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
    last = noted(note)
    known = last.isdecimal() and len(last) <= PORT_DIGITS
    port = int(last) if known and _is_free(int(last)) else _free_ports(1)[0]
    note.write_text(str(port))
    return port


def _host_and_port(listen: str) -> tuple[str, int]:
    """Where the API listens; without a `listen` on this machine, at port 0: any that is free."""
    if not listen:
        return "127.0.0.1", 0
    host, colon, port = listen.rpartition(":")
    if not host or not colon:
        raise SettingsError(f"--api: expected HOST:PORT, got {listen!r}")
    return host, to_port("--api", port)


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
