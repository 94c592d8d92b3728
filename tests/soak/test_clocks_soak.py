"""The clocks over many matches on a busy machine; takes minutes."""

from pathlib import Path

import pytest

from engine_service.client import LocalEngine
from tests.workers.load.clocked import Table, half_budget_matches
from tests.workers.load.hogs import hogs
from workers.sandbox.staging import Runtime

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]


def test_no_match_of_two_hundred_is_lost_on_time(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path
) -> None:
    with hogs():
        print(half_budget_matches(Table(engine, runtime, hostile_dir), 200))
