"""A match slot gives every series back when something other than a bot fails."""

import logging
import subprocess
import sys

import pytest

from arena_service.work import AcceptedOutcome, Assignment, Late, PlannedMatch, WorkUnavailable
from engine_service.client import LocalEngine
from workers.sandbox.staging import Runtime
from workers.slot import Slot

MATCH = PlannedMatch("m", "claim", 1, {}, 2, "0" * 64, 0, 0, ["a", "b"], ("1" * 32, "2" * 32))
ARTIFACTS = {name: (name * 64, ["python3", "main.py"]) for name in "ab"}
SERIES = Assignment("series", 3, {"m": "attempt"}, "event", [MATCH], ARTIFACTS, {})


class BrokenArtifacts:
    """Work whose artifacts are no archives: a fault that no bot made."""

    def __init__(self) -> None:
        self.failed: list[tuple[str, int, str, str]] = []

    def lease(self, worker: str) -> Assignment | None:
        return None if self.failed else SERIES

    def progress(self, series: str, fence: int, plies: dict[str, int]) -> bool:
        return True

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        return True

    def fail(
        self, series: str, fence: int, cause: str, detail: str, late: Late | None = None
    ) -> None:
        self.failed.append((series, fence, cause, detail))

    def artifact(self, sha256: str) -> bytes:
        return b"no archive at all"


class VanishedDatabase(BrokenArtifacts):
    """Work that is leased and then cannot be reached any more."""

    def artifact(self, sha256: str) -> bytes:
        raise WorkUnavailable("the database does not answer")

    def fail(
        self, series: str, fence: int, cause: str, detail: str, late: Late | None = None
    ) -> None:
        super().fail(series, fence, cause, detail, late)
        raise WorkUnavailable("the database does not answer")


def test_a_broken_artifact_gives_the_series_back_and_is_loud(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = Runtime.prepare(tmp_path_factory.mktemp("run"))
    work = BrokenArtifacts()
    try:
        with caplog.at_level(logging.ERROR):
            Slot(work, LocalEngine(), runtime, "slot").drain()
    finally:
        runtime.close()
    [(series, fence, cause, detail)] = work.failed
    assert (series, fence, cause) == ("series", 3, "worker")
    assert detail == "ArchiveError"
    assert "not a bot's fault" in caplog.text
    assert "the artifact is not the one with sha256" in caplog.text


def test_a_database_that_vanishes_ends_the_drain_and_no_more(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = Runtime.prepare(tmp_path_factory.mktemp("run"))
    work = VanishedDatabase()
    try:
        Slot(work, LocalEngine(), runtime, "slot").drain()
    finally:
        runtime.close()
    assert [(series, cause) for series, _, cause, _ in work.failed] == [
        ("series", "infrastructure")
    ]
    assert "the arena does not answer" in caplog.text
    assert "the series is given back" in caplog.text


ORPHAN = """
import os, time
from arena_service.settings import Settings
from workers import forked

forked.note_parent()
parent = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == parent:
    time.sleep(0.01)
forked.open_in_child(Settings.from_environment())
print("a slot without a worker lives on")
"""


def test_a_slot_whose_worker_died_before_it_began_ends_too() -> None:
    ended = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, timeout=60)
    assert (ended.stdout, ended.stderr) == (b"", b"")
