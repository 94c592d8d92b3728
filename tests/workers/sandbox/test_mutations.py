"""Each protection of the sandbox is needed: without it a named attack or check notices.

`docs/sandbox.md` holds the list that these tests print.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workers.sandbox import modes
from tests.workers.sandbox.attacks import ATTACKS
from tests.workers.sandbox.modes import Mode
from tests.workers.sandbox.mutations import MUTATIONS, Mutation

DOCUMENT = modes.PROJECT / "docs" / "sandbox.md"
# Closed to a bot by the kernel or the machine as well, so that no mutation here opens them.
CLOSED_TWICE = {
    "reads_shadow",
    "lists_homes",
    "lists_root_home",
    "opens_kvm",
    "opens_a_disk",
    "opens_the_terminal",
    "writes_the_sdk",
    "writes_its_folder",
    "writes_the_system",
    "makes_a_cgroup",
    "replaces_a_device",
    "links_its_program",
    "becomes_root_by_a_set_uid_file",
    "makes_a_network_namespace",
    "clones_into_a_namespace",
    "bpf",
    "measures_the_kernel",
    "reads_the_kernels_log",
    "loads_a_module",
    "loads_a_kernel",
    "reboots",
    "sets_the_clock",
    "opens_by_handle",
    "makes_a_device",
    "joins_groups",
    "raises_its_threads",
    "raises_its_files",
    "becomes_more_important",
    "is_root",
    "can_gain_privileges",
}


def _fits(mutation: Mutation, mode: Mode) -> bool:
    return {
        "any": True,
        "root": mode.root,
        "user": not mode.root,
        "cgroup": mode.cgroup,
        "no cgroup": not mode.cgroup,
    }[mutation.where]


def _for(mode: Mode) -> list[str]:
    """The mutations whose first fitting mode of this machine is this one."""
    first = {m.name: next((o for o in modes.OPEN if _fits(m, o)), None) for m in MUTATIONS.values()}
    return [name for name, chosen in first.items() if chosen == mode]


def row(mutation: Mutation) -> str:
    """The line of a mutation in the document."""
    return f"| {mutation.name} | {mutation.where} | {', '.join(mutation.noticed_by)} |"


@pytest.mark.parametrize("mode", modes.OPEN, ids=str)
def test_without_a_protection_an_attack_succeeds(clone: Path, mode: Mode) -> None:
    noticed = modes.run(clone, mode, "mutants", *_for(mode))
    for name, found in noticed.items():
        print(name, *(f"  {who}: {said}" for who, said in found.items()), sep="\n")
    silent = {n: [who for who, said in found.items() if not said] for n, found in noticed.items()}
    assert {name: who for name, who in silent.items() if who} == {}


@pytest.mark.parametrize("mode", modes.OPEN, ids=str)
def test_with_every_protection_no_check_notices_anything(clone: Path, mode: Mode) -> None:
    assert not any(modes.run(clone, mode, "mutants", "none")["none"].values())


def test_the_document_lists_every_mutation() -> None:
    listed = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    assert [row(m) for m in MUTATIONS.values() if row(m) not in listed] == []
    known = {m.name for m in MUTATIONS.values()} | {"without", "---"}
    assert {line.split(" | ")[0][2:] for line in listed if line.count("|") == 4} <= known


def test_every_attack_is_known_to_be_one() -> None:
    """It succeeds without a sandbox, or without one protection, or loses by a fault of its own."""
    opened = {name for mutation in MUTATIONS.values() for name in mutation.noticed_by}
    proven = {a.name for a in ATTACKS.values() if a.bare or a.expected.ending} | opened
    assert set(ATTACKS) - proven == CLOSED_TWICE - proven
