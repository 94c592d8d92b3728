"""What reading an archive may take: the process that judges it is bounded, and may die of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from arena_service import submissions
from arena_service.submissions import SubmissionError, admit
from tests.arena_service.submissions.archives import (
    chained_records,
    many_records,
    sparse_map,
    tar,
)

ADMIT = """
import resource, sys
from arena_service.submissions import SubmissionError, admit
try:
    admit(sys.stdin.buffer.read())
except SubmissionError as refusal:
    print(refusal.reason, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, refusal)
"""


@pytest.mark.parametrize(
    ("make", "mebibytes", "refusals"),
    [
        (many_records, 64, {"HEADER_TOO_LARGE": "extended header"}),
        # Memory and the depth of the interpreter end at about the same header.
        (chained_records, 256, {"TOO_COSTLY": "256 MiB", "NOT_AN_ARCHIVE": "extended headers"}),
        (sparse_map, 256, {"TOO_COSTLY": "more than 256 MiB"}),
    ],
)
def test_what_an_archive_takes_is_bounded(
    make: Callable[[], bytes], mebibytes: int, refusals: dict[str, str]
) -> None:
    """Measured from a process that has had no other children."""
    told = subprocess.run([sys.executable, "-c", ADMIT], input=make(), capture_output=True)
    found, peak, message = told.stdout.decode().split(maxsplit=2)
    assert found in refusals
    assert int(peak) <= mebibytes
    assert refusals[found] in message


@pytest.mark.parametrize(
    ("limit", "value", "word"),
    [("CPU_SECONDS", 1, "1 s of CPU time"), ("DEADLINE_SECONDS", 0.2, "more than 0 s")],
)
def test_an_archive_that_takes_long_is_refused(
    limit: str, value: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MEMORY_BYTES", 2**30)
    monkeypatch.setattr(submissions, limit, value)
    with pytest.raises(SubmissionError, match=word) as refusal:
        admit(sparse_map())
    assert refusal.value.reason == "TOO_COSTLY"


def test_an_archive_that_breaks_its_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    breaks = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    monkeypatch.setattr(submissions, "_COMMAND", (sys.executable, "-c", breaks))
    with pytest.raises(SubmissionError, match="SIGSEGV") as refusal:
        admit(tar())
    assert refusal.value.reason == "NOT_AN_ARCHIVE"


def test_a_bug_of_the_reader_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "_COMMAND", (sys.executable, "-c", "1 / 0"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        admit(tar())
