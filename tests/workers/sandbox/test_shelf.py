"""A worker that lives long keeps a bounded number of artifacts, and never loses one in use."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from bots.packing import PackedFile, pack_files
from workers.sandbox.shelf import HELD, Shelf


def put(shelf: Shelf, number: int, size: int = 100) -> Path:
    packed = pack_files({"main.py": PackedFile(b"%d" % number + bytes(size))})
    return shelf.take(hashlib.sha256(packed).hexdigest(), lambda: packed)


def there(shelf: Shelf) -> int:
    return len(list(shelf.folder.iterdir()))


def test_the_least_recently_taken_go_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, most=HELD + 3)
    folders = [put(shelf, number) for number in range(HELD + 3)]
    put(shelf, 0)
    more = [put(shelf, number) for number in range(100, 102)]
    assert [folder.exists() for folder in folders[:4]] == [True, False, False, True]
    assert all(folder.exists() for folder in more)
    assert there(shelf) == HELD + 3
    shelf.close()


def test_the_bytes_are_bounded_too(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, most_bytes=(HELD + 2) * 10_000)
    for number in range(3 * HELD):
        put(shelf, number, size=9_900)
    assert there(shelf) == HELD + 2
    shelf.close()


def test_what_is_held_stays_beyond_every_bound(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, most=1)
    folders = [put(shelf, number) for number in range(HELD)]
    assert all(folder.exists() for folder in folders)
    for number in range(HELD, HELD + 2):
        put(shelf, number)
    assert [folder.exists() for folder in folders[:2]] == [False, True]
    shelf.close()


def test_another_slot_takes_nothing_away_and_loses_its_locks_with_its_life(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.workers.sandbox.test_shelf import *\n"
        "put(Shelf(Path(sys.argv[1])), 0); print('held', flush=True); sys.stdin.read()"
    )
    line = [sys.executable, "-c", program, str(tmp_path)]
    project = Path(__file__).parents[3]
    slot = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project)
    with slot:
        assert slot.stdout is not None
        assert slot.stdout.readline() == b"held\n"
        (held,) = tmp_path.iterdir()
        shelf = Shelf(tmp_path, most=1)
        put(shelf, 1)
        assert held.exists()
        slot.kill()
    put(shelf, 2)
    assert not held.exists()
    shelf.close()


def test_what_was_removed_is_unpacked_again(tmp_path: Path) -> None:
    first, second = Shelf(tmp_path, most=1), Shelf(tmp_path, most=1)
    folder = put(first, 0)
    first.close()
    put(second, 1)
    assert not folder.exists()
    assert (put(first, 0) / "main.py").read_bytes().startswith(b"0")
    for shelf in (first, second):
        shelf.close()


def test_a_slot_keeps_few_descriptors(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    for number in range(3 * HELD):
        put(shelf, number)
    assert len(os.listdir("/proc/self/fd")) == before + HELD
    shelf.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_second_taking_fetches_and_unpacks_nothing(tmp_path: Path) -> None:
    def never() -> bytes:
        raise AssertionError

    shelf = Shelf(tmp_path)
    folder = put(shelf, 0)
    inode = folder.stat().st_ino
    assert shelf.take(folder.name, never) == folder
    shelf.close()
    assert shelf.take(folder.name, never).stat().st_ino == inode
    shelf.close()
