"""Run what must notice a missing protection: `mutants.py RUN_DIR MODE NAME...`.

Prints one JSON object: by mutation and by who should notice, what was noticed, or null.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
from pathlib import Path

from tests.workers.sandbox.assault import arena, fitting
from tests.workers.sandbox.attacks.attack import Attack
from tests.workers.sandbox.checks import CHECKS
from tests.workers.sandbox.hostile import Arena
from tests.workers.sandbox.mutate import mutated
from tests.workers.sandbox.mutations import MUTATIONS, Mutation
from workers.sandbox.limits import Limits

# Small, so that what gets through does not press the machine.
_LIMITS = Limits(memory_bytes=128 << 20)
_CPU_MS, _WALL_MS, _PATIENCE_S = 700.0, 1500.0, 0.3


def noticed(here: Arena, taken: Mutation, attacks: dict[str, Attack]) -> dict[str, str | None]:
    """What each of those who must notice says while the protection is gone."""
    runtime = here.runtime
    found: dict[str, str | None] = {}
    with mutated(runtime, taken.edits) as here.runtime:
        for name in taken.noticed_by:
            before = here.look().processes
            found[name] = (
                CHECKS[name](here) if name in CHECKS else here.problem(_short(attacks[name]))
            )
            for escaped in here.look().processes - before:
                os.kill(escaped, signal.SIGKILL)
            here.victim.clear_segments()
    here.runtime = runtime
    return found


def _short(attack: Attack) -> Attack:
    cpu_ms, wall_ms = min(attack.cpu_ms, _CPU_MS), min(attack.wall_ms, _WALL_MS)
    return dataclasses.replace(attack, cpu_ms=cpu_ms, wall_ms=wall_ms)


def mutation(name: str) -> Mutation:
    """By its name; `none` takes nothing away and is to be noticed by no check."""
    return MUTATIONS[name] if name != "none" else Mutation("none", (), tuple(CHECKS))


def main(run_dir: Path, mode: str, names: list[str]) -> None:
    attacks = {attack.name: attack for attack in fitting(mode)}
    with arena(run_dir, mode, _LIMITS, _PATIENCE_S) as here:
        found = {name: noticed(here, mutation(name), attacks) for name in names}
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
