"""What runs on a data folder: one at a time, in a run folder of its own, until a signal ends it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from cli.supervisor import SupervisorError
from workers.sandbox import leftovers

Answer = Callable[[int, FrameType | None], None] | signal.Handlers
LOCK = "lock"
RUN_DIR_NOTE = "run-dir"
RUN_DIR_PREFIX = "interrex-"


@contextlib.contextmanager
def data_lock(data: Path) -> Iterator[None]:
    """Hold the data folder against a second arena or worker; raises SupervisorError."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SupervisorError(f"--data {data}: not a usable folder ({error.strerror})") from error
    with (data / LOCK).open("w") as handle:
        if not _taken(handle.fileno()):
            raise SupervisorError(
                f"another arena or worker already runs on {data}; "
                "stop it, or choose another --data folder"
            )
        yield


@contextlib.contextmanager
def lock_of_new_data(data: Path) -> Iterator[None]:
    """As `data_lock`, of a folder that is being made: what fails within leaves none of it."""
    lock = data / LOCK
    made = [each for each in (data, *data.parents) if not each.exists()]
    was_there = lock.exists()
    with data_lock(data):
        try:
            yield
        except BaseException:
            if not was_there:
                lock.unlink()
            with contextlib.suppress(OSError):  # somebody has put something into it by now
                for each in made:
                    each.rmdir()
            raise


def _taken(handle: int) -> bool:
    """Whether the lock is ours: nobody else holds it, nor removed the file as it was opened."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(handle).st_nlink > 0


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Turn SIGINT and SIGTERM into KeyboardInterrupt, also where the shell had SIGINT ignored."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with _answered_by(interrupt):
        yield


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """For what ends the children: whoever types Ctrl-C again would leave half of it behind."""
    with _answered_by(signal.SIG_IGN):
        yield


@contextlib.contextmanager
def _answered_by(answer: Answer) -> Iterator[None]:
    """SIGINT and SIGTERM have this handler; afterwards the one that they had."""
    before = {number: signal.signal(number, answer) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def new_run_dir(data: Path) -> Path:
    """A private folder with a short path, for sockets; the one of an `up` that was killed goes.

    Its path is noted in the data folder before it exists, so that none is ever forgotten.
    Call it with the lock on the data folder held.
    """
    note = data / RUN_DIR_NOTE
    _remove_stale(Path(noted(note)))
    run_dir = Path(tempfile.gettempdir()) / f"{RUN_DIR_PREFIX}{secrets.token_hex(4)}"
    note.write_text(str(run_dir))
    run_dir.mkdir(mode=0o700)
    return run_dir


def is_alive(pid_file: Path) -> bool:
    """Whether the worker that wrote its pid when it was ready still runs."""
    try:
        return Path("/proc", pid_file.read_text().strip() or "none").exists()
    except FileNotFoundError:
        return False


def noted(note: Path) -> str:
    """What an earlier `up` wrote down; empty when there was none."""
    return note.read_text(errors="replace").strip() if note.exists() else ""


def _remove_stale(folder: Path) -> None:
    """Remove a run folder; anything that is not one of this user's own stays."""
    ours = folder.name.startswith(RUN_DIR_PREFIX) and folder.parent == Path(tempfile.gettempdir())
    if ours and folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid():
        leftovers.clear(folder)
