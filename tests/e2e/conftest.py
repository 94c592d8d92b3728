"""A seeded arena, its dashboard as a process of its own, and a browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.dashboard.seeded import Seeded, seed_arena

PATIENCE_MS = 30_000
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Seeded:
    return seed_arena(tmp_path_factory.mktemp("arena"))


@pytest.fixture(scope="session")
def dashboard_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "dashboard.log"


@pytest.fixture(scope="session")
def dashboard(arena: Seeded, dashboard_log: Path) -> Iterator[str]:
    port = _free_port()
    environment = {**os.environ, "INTERREX_DATA": str(arena.data)}
    for name in ("INTERREX_DATABASE_URL", "INTERREX_LANGUAGE"):
        environment.pop(name, None)
    log = dashboard_log.open("wb")
    command = [sys.executable, "-m", "dashboard.server", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, dashboard_log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        log.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "the browser tests need Chromium: apt-get install chromium"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page; a dialog (a script that ran) or an error in a script fails the test.

    A parameter is the language of the browser.
    """
    context = browser.new_context(
        viewport={"width": 1400, "height": 1000}, locale=getattr(request, "param", "en-US")
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
    yield page
    context.close()
    assert trouble == []


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
