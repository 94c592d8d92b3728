"""Files and folders that commands are given, and files that they write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import typer

from cli.failures import Exit, Failure

PRIVATE = 0o600
READABLE = 0o666  # as far as the umask lets it


def named_path(named: str | Path) -> Path:
    """What an option or argument names; raises BadParameter for an empty name."""
    if not str(named):
        raise typer.BadParameter("expected the name of a file or folder, got ''")
    return Path(named)


@contextmanager
def whole_file(path: Path, mode: int) -> Iterator[BinaryIO]:
    """The whole file or none: what breaks off half-way leaves nothing under its name.

    Raises Failure when it cannot be written.
    """
    draft = path.parent / f"{path.name}.{os.getpid()}.part"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}", Exit.USAGE) from error
    finally:
        draft.unlink(missing_ok=True)
