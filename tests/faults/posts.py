"""Workers that report in any order, twice, late and otherwise, on a clock that is set back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.examine import examine
from arena_service.scheduling import slots, sweep
from arena_service.store import tournaments
from arena_service.store.database import Database
from arena_service.store.states import AttemptOutcome, MatchState, SeriesState
from arena_service.store.tables import Attempt, Match, Refusal, Result, Series
from arena_service.work import AcceptedOutcome, Assignment
from engine_service.client import LocalEngine
from tests.arena_service.outcomes import last, played
from tests.arena_service.store.doors import LEASE, Timed

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HANDS = 3
RECENT = 20  # of what was leased and posted: a remote worker forgets old leases
BACK = timedelta(hours=1)
OUT_OF_ORDER, TWICE, OTHERWISE = "out of order", "twice", "contradicting"
LOST, LATE, SET_BACK = "lease lost", "late", "clock set back"


@dataclass
class Hand:
    """A worker with a lease and what it has still to report."""

    lease: Assignment
    unposted: list[AcceptedOutcome]


@dataclass
class Bedlam:
    """Three workers at one door; `faults` counts what happened.

    `shares` says how often each fault follows upon a result, from 0 to 1.
    """

    db: Database
    door: Timed
    chance: random.Random
    shares: Mapping[str, float]
    now: datetime = NOON
    faults: Counter[str] = field(default_factory=Counter)
    hands: list[Hand] = field(default_factory=list)
    ghosts: list[Hand] = field(default_factory=list)
    posted: list[tuple[Assignment, AcceptedOutcome]] = field(default_factory=list)

    def play(self, tournament: str) -> None:
        """Until it has ended."""
        kinds = {
            TWICE: self._post_again,
            OTHERWISE: self._contradict,
            LOST: self._lose_leases,
            LATE: self._post_late,
            SET_BACK: self._set_back,
        }
        while tournaments.show(self.db, tournament).state == "running":
            self.now += timedelta(seconds=1)
            self._lease()
            if self.hands:
                self._post()
                for name, share in self.shares.items():
                    if self.chance.random() < share:
                        self.faults[name] += kinds[name]()
            self._tick()

    def _lease(self) -> None:
        while len(self.hands) < HANDS:
            found = self.door.lease("w", now=self.now)
            if found is None:
                return
            self.hands.append(Hand(found, [played(match) for match in found.matches]))

    def _post(self) -> None:
        """Any match of any worker."""
        hand = self.chance.choice(self.hands)
        outcome = self.chance.choice(hand.unposted)
        self.faults[OUT_OF_ORDER] += outcome is not hand.unposted[0]
        hand.unposted.remove(outcome)
        if not hand.unposted:
            self.hands.remove(hand)
        assert self._accept(hand.lease, outcome)
        self.posted.append((hand.lease, outcome))

    def _post_again(self) -> bool:
        assert self._accept(*self.chance.choice(self.posted[-RECENT:]))
        return True

    def _contradict(self) -> bool:
        lease, outcome = self.chance.choice(self.posted[-RECENT:])
        match = next(each for each in lease.matches if each.match_id == outcome.match_id)
        assert not self._accept(lease, played(match, last))
        return True

    def _lose_leases(self) -> bool:
        """All of them; who held them goes on as if nothing had happened."""
        self.now += timedelta(seconds=2 * LEASE)
        self._tick()
        self.ghosts += self.hands
        self.hands = []
        return True

    def _post_late(self) -> bool:
        if not self.ghosts:
            return False
        ghost = self.chance.choice(self.ghosts[-RECENT:])
        assert not self._accept(ghost.lease, self.chance.choice(ghost.unposted))
        return True

    def _set_back(self) -> bool:
        """Leases run out as soon as ever, by the clock as it is then."""
        self.now -= BACK
        self._tick()
        self._lose_leases()
        with self.db.read() as session:
            assert _count(session, Series, col(Series.state) == SeriesState.LEASED) == 0
        return True

    def _accept(self, lease: Assignment, outcome: AcceptedOutcome) -> bool:
        return self.door.accept(lease.series, lease.fence, outcome, now=self.now)

    def _tick(self) -> None:
        """What the control worker does."""
        for step in (sweep.follow_clock, sweep.expire_leases, slots.tick):
            step(self.db, self.now)


def check_sound(db: Database, now: datetime) -> str:
    """The doctor finds nothing wrong, each match has one result; the figures."""
    report = examine(db, LocalEngine(), now, lambda _done, _total: None)
    assert report.to_plain()["problems"] == []
    assert {each.kind for each in report.oddities} <= {"refused posts"}
    with db.read() as session:
        planned = _count(session, Match, col(Match.state) != MatchState.CANCELLED)
        accepted = _count(session, Result)
        assert planned == accepted
        assert _count(session, Attempt, col(Attempt.outcome) == AttemptOutcome.OPEN) == 0
        return (
            f"planned {planned}, accepted {accepted}, attempts {_count(session, Attempt)}, "
            f"refused posts {_count(session, Refusal)}"
        )


def _count(session: Session, table: type, *conditions: Any) -> int:
    return session.scalar(select(func.count()).select_from(table).where(*conditions)) or 0
