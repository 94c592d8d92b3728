"""Bot folders as archives."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bots.packing import MAX_FILES, PackingError, pack


def _folder(path: Path) -> Path:
    path.mkdir()
    (path / "bot.toml").write_text("x")
    (path / "main.py").write_text("y")
    return path


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = _folder(tmp_path / "a"), _folder(tmp_path / "b")
    os.utime(second / "main.py", (1, 1))
    (second / "main.py").chmod(0o600)
    assert pack(first) == pack(second)


def test_another_byte_gives_another_archive(tmp_path: Path) -> None:
    first, second = _folder(tmp_path / "a"), _folder(tmp_path / "b")
    (second / "main.py").write_text("z")
    assert pack(first) != pack(second)


def test_caches_and_hidden_files_stay_at_home(tmp_path: Path) -> None:
    first, second = _folder(tmp_path / "a"), _folder(tmp_path / "b")
    (second / "__pycache__").mkdir()
    (second / "__pycache__" / "main.pyc").write_bytes(b"x")
    (second / ".env").write_text("SECRET=1")
    assert pack(first) == pack(second)


def test_a_link_is_refused_by_its_name(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "a")
    (folder / "passwords").symlink_to("/etc/passwd")
    with pytest.raises(PackingError, match="passwords"):
        pack(folder)


def test_too_many_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "a")
    for number in range(MAX_FILES):
        (folder / f"f{number}").touch()
    with pytest.raises(PackingError, match="1000 files"):
        pack(folder)


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackingError, match="no folder"):
        pack(tmp_path / "absent")
