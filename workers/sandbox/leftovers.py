"""What a killed slot can leave: a bwrap that waits for a parent which died before it could ask.

bwrap clones itself, then asks to die with its parent. A kill -9 between the two leaves a child with
no bot below it, which waits for its parent's word for ever. Its command tells whose it is.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path


def clear(folder: Path) -> None:
    """Remove a folder whose worker has ended; kills every bwrap that names something in it."""
    for pid in _naming(os.fsencode(folder)):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # ended, or not this user's
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def _naming(folder: bytes) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            program, *words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        named = any(word == folder or word.startswith(folder + b"/") for word in words)
        if named and os.path.basename(program) == b"bwrap":
            found.append(int(process.name))
    return found
