"""A slot that is asked to end finishes its match, or gives back what lasts too long."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_service.remote.client import GrpcWork
from arena_service.settings import Settings, SettingsError
from arena_service.store.work_store import StoreWork
from arena_service.work import POLLING, AcceptedOutcome, Assignment
from engine_service.client import LocalEngine
from tests.workers.test_assignment import Kept, check, series
from workers.sandbox.staging import Runtime
from workers.slot import Slot
from workers.stopping import Stopping
from workers.wiring import find_door


class Busy(Kept):
    """Work that always has another series of two matches, and keeps what comes back."""

    def __init__(self, stopping: Stopping, ask_at_lease: bool) -> None:
        super().__init__()
        self.stopping, self.ask_at_lease = stopping, ask_at_lease
        self.leases = 0
        self.given_back: list[str] = []

    def lease(self, worker: str) -> Assignment | None:
        self.leases += 1
        if self.ask_at_lease:
            self.stopping.ask()
        return series(check("a"), check("b"))

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        self.stopping.ask()
        return super().accept(series, fence, outcome)

    def fail(self, series: str, fence: int, cause: str, detail: str, late: object = None) -> None:
        self.given_back.append(f"{cause}: {detail}")


@pytest.mark.parametrize(
    ("grace", "asked_early", "played"), [(60.0, False, ["a"]), (0.0, True, [])]
)
def test_a_slot_that_is_asked_to_end(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    grace: float,
    asked_early: bool,
    played: list[str],
) -> None:
    monkeypatch.setattr("workers.match.series.PROGRESS_SECONDS", 0.0)
    stopping = Stopping(grace)
    work, runtime = Busy(stopping, asked_early), Runtime.prepare(tmp_path)
    try:
        assert Slot(work, LocalEngine(), runtime, "slot", stopping).drain()
    finally:
        runtime.close()
    assert [each.match_id for each in work.outcomes] == played
    assert (work.leases, work.given_back) == (1, ["operator: Stopped"])


def test_the_settings_choose_the_door(tmp_path: Path) -> None:
    token = tmp_path / "token"
    near = {"INTERREX_DATABASE_URL": f"sqlite:///{tmp_path / 'arena.db'}"}
    far = {"INTERREX_WORK_ADDRESS": "127.0.0.1:1", "INTERREX_WORK_TOKEN_FILE": str(token)}
    assert isinstance(find_door(Settings.from_environment(near))(POLLING, "").work, StoreWork)
    with pytest.raises(SettingsError, match=r"^INTERREX_WORK_TOKEN_FILE: .*cannot be read"):
        find_door(Settings.from_environment(near | far))(POLLING, "")
    token.write_text("iw_" + "x" * 40 + "\n")
    assert isinstance(find_door(Settings.from_environment(near | far))(POLLING, "").work, GrpcWork)
