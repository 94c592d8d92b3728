"""Run every attack as the user this is and print what was wrong: `unprivileged.py RUN_DIR`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.workers.sandbox.attacks import ATTACKS, MEMORY_BOMB
from tests.workers.sandbox.hostile import problem
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime


def main(run_dir: Path) -> None:
    runtime = Runtime.prepare(run_dir)
    report = check(runtime)
    found = {a.name: problem(runtime, a) for a in [*ATTACKS.values(), MEMORY_BOMB]}
    wrong = {name: text for name, text in found.items() if text}
    root_mode = runtime.root.stat().st_mode & 0o777
    runtime.close()
    print(json.dumps([os.geteuid(), report.mode, root_mode, len(found), wrong]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
