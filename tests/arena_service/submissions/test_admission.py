"""What the arena keeps of an archive."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from arena_service.archives import unpack
from arena_service.submissions import admit
from bots.packing import PackedFile, pack, pack_files

FILES = {
    "bot.toml": PackedFile(b'name = "m"\ngames = ["claim"]\nrun = ["./go"]\n'),
    "go": PackedFile(b"#!/bin/sh\n", executable=True),
    "data/weights": PackedFile(b"\0" * 10),
}


def _loosely_packed() -> bytes:
    """The same files as another packer writes them: folders, owners, times, another order."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        for name in (".", "data"):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mtime = tarfile.DIRTYPE, 1_700_000_000
            opened.addfile(folder)
        for name in sorted(FILES, reverse=True):
            entry = tarfile.TarInfo(f"./{name}")
            entry.size, entry.uid, entry.mtime = len(FILES[name].content), 1000, 1_700_000_000
            entry.mode = 0o775 if FILES[name].executable else 0o664
            opened.addfile(entry, io.BytesIO(FILES[name].content))
    return packed.getvalue()


def test_the_arena_keeps_files_and_their_executable_bit() -> None:
    assert unpack(admit(_loosely_packed()).archive) == FILES


def test_the_same_files_are_the_same_submission_however_they_were_packed() -> None:
    assert admit(_loosely_packed()).archive == admit(pack_files(FILES)).archive


def test_a_folder_packed_here_is_admitted_as_it_is(tmp_path: Path) -> None:
    for name, file in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(0o755 if file.executable else 0o644)
    assert admit(pack(tmp_path)).archive == pack_files(FILES)
