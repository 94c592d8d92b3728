"""A game of another distribution: built, installed beside the arena, and played to its page."""

from __future__ import annotations

import ensurepip
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arenas import ROOT, Arena, running
from tests.e2e.visiting import visit

EXAMPLE = ROOT / "tests" / "example_game"
RANDOM = ROOT / "bots" / "baselines" / "random"
CARDS, PAIRS, SEATS = 4, 2, 2


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example was built and installed, without any network."""
    work = tmp_path_factory.mktemp("bids")
    shutil.copytree(EXAMPLE, work / "source")
    command = [sys.executable, str(_pip() / "pip"), "--isolated", "install", "--no-compile"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, *offline, "--target", str(work / "site"), str(work / "source")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return work / "site"


def _pip() -> Path:
    """The wheel of pip that every Python brings for new environments; it runs as it is."""
    folders = [Path(ensurepip.__file__).parent / "_bundled"]
    if (own := sysconfig.get_config_var("WHEEL_PKG_DIR")) is not None:
        folders.append(Path(own))
    found = [wheel for folder in folders for wheel in folder.glob("pip-*.whl")]
    assert found, f"no pip in {folders}: apt-get install python3-venv"
    return found[0]


@pytest.fixture(scope="module")
def arena(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena that finds the example."""
    folder = tmp_path_factory.mktemp("arena")
    with running(folder, {"PYTHONPATH": str(installed)}) as arena:
        yield arena


@pytest.fixture
def guesser(tmp_path: Path) -> Path:
    """The random bot, for the example's game."""
    folder = tmp_path / "guesser"
    shutil.copytree(RANDOM, folder)
    (folder / "bot.toml").write_text(
        'name = "guesser"\ngames = ["bids"]\nrun = ["python3", "main.py"]\n'
    )
    return folder


def test_a_foreign_game_plays_from_submit_to_its_page(
    arena: Arena, guesser: Path, page: Page
) -> None:
    arena.told("user", "create", "ada")
    assert "bidder would become active" in arena.told("bot", "check", str(EXAMPLE / "bot"))
    for folder in (EXAMPLE / "bot", guesser):
        assert "is active" in arena.told("bot", "submit", str(folder))
    wrong = arena.refused("ladder", "create", "bids", "--game", "bids", "--option", "cards=2")
    assert "'cards': expected a number from 3 to 9" in wrong
    option = f"cards={CARDS}"
    arena.told(
        "ladder", "create", "bids", "--game", "bids", "--pairs", str(PAIRS), "--option", option
    )
    for bot in ("bidder", "guesser"):
        arena.told("ladder", "enter", "bids", bot)
    shown = arena.play_slot("bids")
    assert shown["pairs_done"] == PAIRS
    assert {row["bot"]: row["faults"] for row in shown["standings"]} == {"bidder": 0, "guesser": 0}
    matches = arena.read("replay", "list", "--ladder", "bids")
    assert {match["plies"] for match in matches} == {CARDS * SEATS}
    arena.told("replay", "verify", *(match["id"] for match in matches))
    assert "All proofs hold" in arena.told("doctor")
    _look_at(page, f"{arena.dashboard}/match?replay={matches[0]['id']}")


def _look_at(page: Page, address: str) -> None:
    """The page of a match: the text board, and every ply in the list of moves."""
    visit(page, address)
    expect(page.locator(".ix-match h1")).to_contain_text("against")
    expect(page.get_by_text(f"Bids (cards={CARDS}), rules version 1")).to_be_visible()
    expect(page.get_by_text("verified: the engine replayed every ply")).to_be_visible()
    board = page.locator("svg.board")
    expect(board).to_contain_text("the deal")
    expect(board.locator("text.key", has_text="prizes")).to_be_visible()
    expect(page.get_by_text("bid ?")).to_have_count(CARDS * SEATS)
    page.keyboard.press("End")
    expect(page.get_by_text(f"Ply {CARDS * SEATS} / {CARDS * SEATS}")).to_be_visible()
    expect(board.locator("text.now")).to_have_text("bid ?")


def test_a_foreign_game_plays_at_home_with_more_seats(arena: Arena, guesser: Path) -> None:
    bots = [str(EXAMPLE / "bot"), str(guesser), str(guesser)]
    played = arena.read("play", *bots, "--game", "bids", "--option", "cards=3", "--pairs", "2")
    assert len(played["credits"]) == 3
    assert played["faults"] == []


def test_a_game_that_cannot_be_loaded_keeps_an_arena_from_starting(
    installed: Path, tmp_path: Path
) -> None:
    shutil.copytree(installed, tmp_path / "site")
    (tmp_path / "site" / "interrex_bids" / "__init__.py").write_text("raise OSError('half built')")
    broken = Arena(tmp_path / "arena", {"PYTHONPATH": str(tmp_path / "site")})
    for words in (("up",), ("play", "random", "random")):
        done = broken.run(*words)
        assert done.code == 1
        (line,) = done.err.splitlines()
        assert "'bids = interrex_bids:GAME' cannot be loaded: OSError: half built" in line


def test_the_conformance_suite_covers_a_foreign_game(installed: Path) -> None:
    """All of it but the form in protobuf, which a game of another distribution may leave out."""
    suite = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly"]
    which = ["-k", "bids", "--ignore", "tests/conformance/test_wire.py", "tests/conformance"]
    done = subprocess.run(
        [*suite, *which],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
