"""The contracts: linted, and their generated code is what the compiler makes of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine_service import catalogue

ROOT = Path(__file__).parents[2]
BUF = Path(sys.executable).parent / "buf"


def run(*command: str | Path, folder: Path = ROOT) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_buf_finds_nothing() -> None:
    run(BUF, "lint", folder=ROOT / "proto")


def test_generated_code_is_up_to_date() -> None:
    run(sys.executable, ROOT / "scripts" / "generate_protos.py", "--check")


def test_no_package_hides_the_namespace() -> None:
    assert list((ROOT / "proto").rglob("__init__.py")) == []


@pytest.mark.parametrize("game", [game.name for game in catalogue.BUILT_IN])
def test_every_game_has_a_contract(game: str) -> None:
    text = (ROOT / "proto" / "interrex" / "games" / game / "v1" / f"{game}.proto").read_text()
    assert "message View {" in text
    assert "message Score {" in text
