"""A seeded arena, its dashboard as a process of its own, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.dashboard.seeded import Seeded, seed_arena
from tests.e2e.serving import serving

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
    with serving(arena.data, dashboard_log) as address:
        yield address


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
