"""`python -m dashboard.server --port N`: the server of the dashboard's pages and of signing in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from arena_service.settings import Settings, SettingsError, to_port
from arena_service.status.heartbeat import Heartbeat
from dashboard.database import database
from dashboard.visits.routes import Visits
from engine_service import logs, metrics

APP = Path(__file__).parent / "app.py"
OPTIONS: dict[str, Any] = {
    "server.headless": True,
    "server.fileWatcherType": "none",
    "server.enableWebsocketCompression": True,
    "browser.gatherUsageStats": False,
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "theme.light.primaryColor": "#8a6a0c",
    "theme.light.backgroundColor": "#f6f1e7",
    "theme.light.secondaryBackgroundColor": "#ece5d6",
    "theme.light.textColor": "#2a2622",
    "theme.light.linkColor": "#205d99",
    "theme.dark.primaryColor": "#e0b93c",
    "theme.dark.backgroundColor": "#1d1a17",
    "theme.dark.secondaryBackgroundColor": "#27231f",
    "theme.dark.textColor": "#ece5d8",
    "theme.dark.linkColor": "#8fbff0",
}


def options(port: int, address: str = "127.0.0.1") -> dict[str, Any]:
    """Streamlit's settings, whatever the working folder."""
    return {**OPTIONS, "server.address": address, "server.port": port}


def server() -> st.App:
    """The pages with the routes of signing in beside them; it says that it lives."""
    # Streamlit leaves its own files as they are, which a reader far away waits for.
    packed = Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)
    return st.App(APP, routes=Visits(database).routes(), middleware=[packed], lifespan=_alive)


def main(arguments: list[str] | None = None) -> int:
    """Serve until a signal ends this process."""
    parser = argparse.ArgumentParser(prog="dashboard.server", description="Serve the dashboard.")
    parser.add_argument("--port", default=None, help="1 to 65535")
    parser.add_argument("--address", default="127.0.0.1")
    chosen = parser.parse_args(arguments)
    logs.configure_or_exit("dashboard")
    try:
        settings = Settings.from_environment()
        port = settings.dashboard_port if chosen.port is None else to_port("--port", chosen.port)
        database()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    server().run(config=options(port, chosen.address))
    return 0


@asynccontextmanager
async def _alive(_app: st.App) -> AsyncIterator[None]:
    heartbeat = Heartbeat(database(), "dashboard")
    heartbeat.start()
    metrics.serve_or_exit("dashboard")
    try:
        yield
    finally:
        heartbeat.stop()


if __name__ == "__main__":
    sys.exit(main())
