"""Run every attack in one mode of the machine: `assault.py RUN_DIR MODE HOW`.

A process of its own, as a worker is. MODE is `cgroup` or `no cgroup`; HOW is `sandboxed` (all)
or `bare` (those that harm nobody, without a sandbox). It prints one JSON object: who ran, how many
attacks, how the worker grew, and what was wrong.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.workers.sandbox.aftermath import memory_bytes
from tests.workers.sandbox.attacks import ATTACKS
from tests.workers.sandbox.attacks.attack import Attack
from tests.workers.sandbox.attacks.resources import MEMORY_BOMB_KILLED
from tests.workers.sandbox.hostile import Arena
from workers.sandbox.cgroup import Cgroup, CgroupRoot
from workers.sandbox.limits import Limits
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime

PER_PROCESS = 16


@contextmanager
def arena(
    run_dir: Path, mode: str, limits: Limits | None = None, patience_s: float = 3.0
) -> Iterator[Arena]:
    """A staged worker in this mode, with cgroups below a root of its own."""
    runtime = Runtime.prepare(run_dir)
    own = own_groups(runtime.cgroups) if mode == "cgroup" else None
    made = Arena(dataclasses.replace(runtime, cgroups=own), limits, patience_s)
    try:
        yield made
    finally:
        made.close()
        runtime.close()
        if own is not None:
            groups = [group for folder in own.folders for group in (*folder.glob("bot-*"), folder)]
            Cgroup(own.version, tuple(groups)).remove()


def own_groups(found: CgroupRoot | None) -> CgroupRoot:
    """Groups that no other worker of this machine uses, so that their memory can be read."""
    if found is None:
        raise RuntimeError("this machine delegates no cgroup")
    folders = [folder.with_name(f"{folder.name}-{os.getpid()}") for folder in found.folders]
    for folder in folders:
        folder.mkdir()
    return CgroupRoot(found.version, tuple(folders))


def fitting(mode: str) -> list[Attack]:
    """All attacks, with the ends they have in this mode."""
    killed = {"memory_bomb": MEMORY_BOMB_KILLED} if mode == "cgroup" else {}
    return list({**ATTACKS, **killed}.values())


def assault(here: Arena, attacks: Sequence[Attack]) -> dict[str, str | None]:
    """What is wrong per attack; those that can share their processes, which spares time."""
    found: dict[str, str | None] = {}
    sharing = [attack for attack in attacks if attack.shares]
    for first in range(0, len(sharing), PER_PROCESS):
        found |= here.problems_together(sharing[first : first + PER_PROCESS])
    alone = [attack for attack in attacks if attack not in sharing]
    return found | {attack.name: here.problem(attack) for attack in alone}


def unhindered(here: Arena) -> dict[str, str | None]:
    """The bare attacks that do not even succeed without a sandbox, which would prove nothing."""
    said = {attack.name: here.bare(attack) for attack in ATTACKS.values() if attack.bare}
    return {name: None if text.startswith("OK") else text for name, text in said.items()}


def main(run_dir: Path, mode: str, how: str) -> None:
    attacks = fitting(mode)
    with arena(run_dir, mode) as here:
        report = check(here.runtime)
        here.problem(attacks[0])
        began = memory_bytes()
        found = unhindered(here) if how == "bare" else assault(here, attacks)
        grown = memory_bytes() - began
    wrong = {name: text for name, text in found.items() if text}
    facts = {"user": os.geteuid(), "mode": report.mode, "attacks": len(found), "grown": grown}
    print(json.dumps({**facts, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
