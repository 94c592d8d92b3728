"""Tournaments of double elimination in which everything happens, and their exports."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import departures, slots, sweep
from arena_service.store import tournaments
from arena_service.store.database import Database, open_database
from arena_service.store.tables import Bot, Entrant
from arena_service.store.work_store import StoreWork
from arena_service.work import PlannedMatch
from engine_service.client import Finished, MatchSession
from tests.arena_service import outcomes
from tests.arena_service.audit import events


class Leaves(NamedTuple):
    """Who is at this place of the seeding leaves when it has played so many matches."""

    place: int
    after: int
    is_out: bool


def played(template: Path, path: Path, entries: int, leaving: Sequence[Leaves] = ()) -> Path:
    """The export of a bracket of so many, one after the other of whom leaves."""
    shutil.copy(template, path.with_suffix(".db"))
    db = open_database(f"sqlite:///{path.with_suffix('.db')}")
    cup = events.started_tournament(db, entries, format="double_elimination")
    course = _Course(db, cup)
    for each in leaving:
        course.play(each)
        course.leave(each)
    course.play()
    events.export_tournament(db, cup, path)
    db.close()
    return path


class _Course:
    """The better seeded wins, but the first of all loses its second encounter with the second.

    The third and the fourth draw when they first meet. Matches end after a few plies.
    """

    def __init__(self, db: Database, cup: str) -> None:
        self._db, self._cup, self._now = db, cup, events.NOON
        self._played, self._met = Counter[str](), defaultdict[frozenset[str], set[int]](set)
        with db.read() as session:
            self._entrants = list(session.scalars(select(Entrant).order_by(col(Entrant.seed))))
        self._seeding = [each.bot_version for each in self._entrants]

    def play(self, until: Leaves | None = None) -> None:
        """To the end, or until somebody is to leave."""
        self._now += timedelta(hours=1)
        sweep.expire_leases(self._db, self._now)
        while tournaments.show(self._db, self._cup).state == "running":
            if not self._play_round(until):
                return
            slots.tick(self._db, self._now)

    def leave(self, leaves: Leaves) -> None:
        """By the owner of its bot, who holds the tournament too."""
        bot = self._entrants[leaves.place].bot_id
        with self._db.read() as session:
            owner = session.get_one(Bot, bot).owner
        leave = departures.disqualify if leaves.is_out else departures.withdraw
        leave(self._db, self._cup, bot, owner, self._now, "it was time")

    def _play_round(self, until: Leaves | None) -> bool:
        """False: somebody is to leave, and its match is the last that was played."""
        work = StoreWork(self._db, 60)
        while (lease := work.lease("w", now=self._now)) is not None:
            for match in lease.matches:
                end = partial(_resigned, match.players.index(self._loser(match)))
                outcome = outcomes.played(match, end=end)
                assert work.accept(lease.series, lease.fence, outcome, now=self._now)
                self._played.update(match.players)
                if until and self._played[self._seeding[until.place]] == until.after:
                    return False
        return True

    def _loser(self, match: PlannedMatch) -> str:
        better, worse = sorted(match.players, key=self._seeding.index)
        meetings = self._met[frozenset(match.players)]
        meetings.add(match.pair)
        places = self._seeding.index(better), self._seeding.index(worse)
        if places == (2, 3) and len(meetings) == 1:
            return match.players[0]
        return better if places == (0, 1) and len(meetings) == 2 else worse


def _resigned(seat: int, session: MatchSession) -> Finished:
    """When it is the turn of that seat and it has a choice."""
    while (turn := session.offer) and not isinstance(turn, Finished):
        if turn.seat == seat:
            return session.end("resigned", seat)
        session.act(turn.legal[0])
    return turn
