"""A worker that plays on and on holds no more than before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.workers.sandbox import modes

GROWTH_BYTES = 3 << 20  # between the 50th and the 300th match
FLAT = ("descriptors", "processes", "groups", "files")


def test_three_hundred_matches_in_one_worker_leave_nothing_behind(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tests.workers.sandbox.long_run", str(tmp_path)]
    done = subprocess.run(
        [*line, modes.OPEN[0].memory], cwd=modes.PROJECT, stdout=subprocess.PIPE, check=True
    )
    early, late = json.loads(done.stdout)
    print(early, late, sep="\n")
    assert (early["matches"], late["matches"]) == (50, 300)
    assert late["endings"] == {"completed": 300}
    assert {key: late[key] for key in FLAT} == {key: early[key] for key in FLAT}
    assert late["memory"] - early["memory"] < GROWTH_BYTES
    assert late["group_memory"] < 2 << 20
