"""`python -m dashboard.server --port N`: becomes the Streamlit server of the dashboard."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from arena_service.settings import Settings

APP = Path(__file__).parent / "app.py"
OPTIONS = {
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
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


def command(port: int, address: str = "127.0.0.1") -> list[str]:
    """The command line of Streamlit with the project's settings, whatever the working folder."""
    flags = {"server.address": address, "server.port": str(port), **OPTIONS}
    run = [sys.executable, "-m", "streamlit", "run", str(APP)]
    return run + [f"--{name}={value}" for name, value in flags.items()]


def main(arguments: list[str] | None = None) -> None:
    """Replace this process by the server, so that signals reach it."""
    parser = argparse.ArgumentParser(prog="dashboard.server", description="Serve the dashboard.")
    parser.add_argument("--port", type=int, default=None)
    parser.add_argument("--address", default="127.0.0.1")
    chosen = parser.parse_args(arguments)
    port = chosen.port or Settings.from_environment().dashboard_port
    argv = command(port, chosen.address)
    os.execv(argv[0], argv)


if __name__ == "__main__":
    main()
