"""An export that holds is found to hold; whatever is changed in it is found and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_service.audit.examine import CLAIMS
from tests.arena_service.audit import events
from tests.arena_service.audit.tampering import TAMPERINGS, Tampering


def test_what_was_played_holds(cup: Path, daily: Path) -> None:
    for path in (cup, daily):
        report = events.look(path)
        assert events.problems(report) == []
        assert all(proof.examined for proof in report.proofs)
        assert report.oddities == []


@pytest.mark.parametrize("case", TAMPERINGS, ids=lambda case: case.name)
def test_what_was_changed_is_named(cup: Path, tmp_path: Path, case: Tampering) -> None:
    lines = events.read(cup)
    case.change(lines)
    found = events.problems(events.look(events.write(tmp_path / "changed.gz", lines)))
    assert any(line.startswith(f"{case.proof}: ") and case.says in line for line in found), found


def test_every_proof_is_shown_to_see_something() -> None:
    of_other_formats = {"inputs", "table"}  # those of test_kinds.py
    assert {case.proof for case in TAMPERINGS} == set(CLAIMS) - of_other_formats
