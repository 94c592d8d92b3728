"""An arena with everything in it that a doctor looks at, and nothing wrong."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from arena_service.scheduling import rounds, slots, sweep
from arena_service.scheduling.planning import close_entries
from arena_service.store import accounts, ladders
from arena_service.store.database import Database
from arena_service.store.states import MatchKind, Priority, VersionState
from arena_service.store.tables import (
    Artifact,
    Bot,
    BotVersion,
    Event,
    Match,
    MatchSeat,
    Series,
    Tournament,
)
from arena_service.store.work_store import StoreWork
from arena_service.work import Assignment
from engine_service.client import Turn
from engine_service.core.seeds import commitment
from tests.arena_service import outcomes

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LIMITS = {"start_cpu_ms": 1000, "move_cpu_ms": 100, "bank_cpu_ms": 1000}
PLAYERS = 3


def fill(db: Database) -> None:
    """A ladder with a complete, a running and an open slot, a tournament, a check, a refusal."""
    token = accounts.create_user(db, "ann")
    owner = accounts.by_token(db, token)
    assert owner is not None
    versions = [_version(db, owner.id, f"bot-{number}") for number in range(PLAYERS + 1)]
    ladder = ladders.create_ladder(
        db, owner.id, "daily", "claim", {}, 2, "0 * * * *", "UTC", 2, LIMITS, now=NOON
    )
    for version in versions[:PLAYERS]:
        ladders.enter(db, ladder.id, version.bot)
    slots.tick(db, NOON + timedelta(hours=1))
    _plan_tournament(db, owner.id, [version.id for version in versions])
    _plan_check(db, versions[-1].id)
    _play_all(db, first=versions[0].id)
    slots.tick(db, NOON + timedelta(hours=2))
    slots.tick(db, NOON + timedelta(hours=2))
    _begin_second_slot(db)


def _version(db: Database, owner: str, name: str) -> BotVersion:
    """A version that has come through its checks long ago."""
    sha256 = hashlib.sha256(name.encode()).hexdigest()
    with db.write() as session:
        bot = Bot(owner=owner, name=name)
        session.add_all([bot, Artifact(sha256=sha256, content=name.encode(), size=len(name))])
        session.flush()
        version = BotVersion(
            bot=bot.id,
            number=1,
            sha256=sha256,
            games=["claim"],
            run=["python3", "main.py"],
            protocol="json",
            state=VersionState.ACTIVE,
            state_since=NOON,
        )
        session.add(version)
        return version


def _plan_tournament(db: Database, owner: str, versions: list[str]) -> None:
    key = bytes(range(32))
    with db.write() as session:
        competition = Tournament(
            owner=owner,
            name="cup",
            format="round_robin",
            game="claim",
            rules_version=1,
            options={},
            seats=2,
            pairs=1,
            rounds=1,
            limits=LIMITS,
        )
        session.add(competition)
        session.flush()
        event = Event(tournament=competition.id, key=key, commitment=commitment(key), limits=LIMITS)
        session.add(event)
        session.flush()
        rows = [session.get_one(BotVersion, version) for version in versions]
        assert close_entries(session, event, competition, rows, NOON) is not None
        session.refresh(event)
        assert rounds.plan_next(session, event, competition, 1, NOON)


def _plan_check(db: Database, version: str) -> None:
    with db.write() as session:
        series = Series(position=0, priority=Priority.CHECK, limits=LIMITS, created_at=NOON)
        session.add(series)
        session.flush()
        match = Match(
            series=series.id,
            leg=0,
            seed="5a" * 32,
            kind=MatchKind.CHECK,
            game="claim",
            rules_version=1,
            options={},
            seats=2,
        )
        session.add(match)
        session.flush()
        for seat in range(2):
            session.add(
                MatchSeat(match=match.id, seat=seat, bot_version=version, bot_seed="0" * 32)
            )


def _play_all(db: Database, first: str) -> None:
    """Version `first` plays otherwise than the rest; the first two matches end early."""
    at, work, endings = NOON + timedelta(hours=1, minutes=1), StoreWork(db, 60), _endings()
    while (lease := work.lease("w", now=at)) is not None:
        for match in lease.matches:
            end = next(endings, outcomes.played) if lease.event else outcomes.played
            choice = partial(_choose, match.players, first)
            assert work.accept(lease.series, lease.fence, end(match, choice=choice), now=at)


def _choose(players: list[str], first: str, turn: Turn) -> str:
    return outcomes.first(turn) if players[turn.seat] == first else outcomes.last(turn)


def _endings() -> Any:
    yield lambda match, choice: outcomes.no_contest(match)
    yield partial(outcomes.played, end=lambda session: session.end("timeout", session.offer.seat))


def _begin_second_slot(db: Database) -> None:
    """One series is lost and its late post refused, one is leased, one waits."""
    at, work = NOON + timedelta(hours=2), StoreWork(db, 60)
    lost = _lease(work, at)
    assert work.accept(lost.series, lost.fence, outcomes.played(lost.matches[0]), now=at)
    sweep.expire_leases(db, at + timedelta(hours=1))
    assert not work.accept(lost.series, lost.fence, outcomes.played(lost.matches[1]), now=at)
    _lease(work, at)


def _lease(work: StoreWork, at: datetime) -> Assignment:
    lease = work.lease("w", now=at)
    assert lease is not None
    return lease
