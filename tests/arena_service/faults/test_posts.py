"""Results in any order, twice, late and otherwise, while the clock is set back."""

from __future__ import annotations

import random

from arena_service.store.database import Database
from tests.arena_service.audit.events import started_tournament
from tests.arena_service.store.doors import GRPC, LEASE, doors_to
from tests.faults.posts import (
    LATE,
    LOST,
    OTHERWISE,
    OUT_OF_ORDER,
    SET_BACK,
    TWICE,
    Bedlam,
    check_sound,
)

SHARES = {TWICE: 0.2, OTHERWISE: 0.1, LOST: 0.1, LATE: 0.3, SET_BACK: 0.1}


def test_whatever_is_reported_each_match_has_one_result(database: Database) -> None:
    cup = started_tournament(database, entries=4, format="swiss", rounds=3, pairs=2)
    with doors_to(database, GRPC) as doors:
        bedlam = Bedlam(database, doors.open(at_most=LEASE), random.Random(3), SHARES)
        bedlam.play(cup)
    print(check_sound(database, bedlam.now), dict(bedlam.faults))
    assert all(bedlam.faults[kind] for kind in (OUT_OF_ORDER, *SHARES))
