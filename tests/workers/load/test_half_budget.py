"""A bot that keeps within its budget loses nothing to a machine that is busy with other things."""

from pathlib import Path

from engine_service.client import LocalEngine
from tests.workers.load.clocked import Table, half_budget_matches
from tests.workers.load.hogs import hogs
from workers.sandbox.staging import Runtime


def test_half_the_budget_is_never_late_under_load(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path
) -> None:
    with hogs():
        print(half_budget_matches(Table(engine, runtime, hostile_dir), 20))
