"""A small arena for the pages: one ladder, one bot with a hostile name, matches of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from arena_service.store import tables
from arena_service.store.database import Database, open_database
from engine_service.client import Finished, LocalEngine, MatchStart

HOSTILE = "<img src=x onerror=alert(1)>"
NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
BOTS = (("north", "greedy"), ("south", HOSTILE))


@dataclass(frozen=True)
class Seeded:
    """Where the arena is, and its matches by what is special about them."""

    data: Path
    url: str
    ladder: str
    matches: dict[str, str]


def seed_arena(data: Path) -> Seeded:
    """Fill a fresh database below `data`."""
    url = f"sqlite:///{data / 'interrex.db'}"
    database = open_database(url)
    database.migrate()
    ladder, matches = _fill(database)
    database.close()
    return Seeded(data, url, ladder, matches)


def play(seed: str, plies: int | None = None, ending: str = "", at_fault: int = 0) -> Finished:
    """A match of first legal actions, to its end or to a fault after some asked decisions."""
    session = LocalEngine().play(MatchStart(game="claim", options={}, seats=2, seed=seed))
    asked = 0
    while not isinstance(session.offer, Finished):
        if asked == plies:
            return session.no_contest() if ending == "no_contest" else session.end(ending, at_fault)
        session.act(session.offer.legal[0])
        asked += 1
    return session.offer


def _fill(database: Database) -> tuple[str, dict[str, str]]:
    with database.write() as session:
        versions = [_version(session, owner, name) for owner, name in BOTS]
        owner = session.query(tables.Account).first()
        assert owner is not None
        ladder = _add(session, _ladder(owner.id)).id
        done = _event(session, ladder, 1, tables.EventState.COMPLETE)
        _event(session, ladder, 2, tables.EventState.OPEN)
        for version, (name, _bot) in zip(versions, BOTS, strict=True):
            entrant = tables.Entrant(event=done, bot_version=version, bot_id=name, sha256=name * 2)
            session.add(entrant)
        games = {
            "completed": (play("11" * 32), play("11" * 32)),
            "timeout": (play("22" * 32, 9, "timeout", 1), play("22" * 32)),
            "start": (play("33" * 32, 0, "crash", 0), play("33" * 32, 0, "crash", 1)),
            "no_contest": (play("44" * 32, 0, "no_contest"), play("44" * 32)),
            "half": (play("55" * 32), None),
        }
        matches: dict[str, str] = {}
        for number, (name, legs) in enumerate(games.items()):
            for leg, match_id in enumerate(_pair(session, done, number, legs, versions)):
                matches[name if leg == 0 else f"{name}-other"] = match_id
        for version, value in zip(versions, (-34.0, 34.0), strict=True):
            session.add(tables.Rating(event=done, bot_version=version, value=value, error=21.0))
    return ladder, matches


def _add(session: Session, row: Any) -> Any:
    session.add(row)
    session.flush()
    return row


def _version(session: Session, owner: str, name: str) -> str:
    account = _add(session, tables.Account(name=owner, token_sha256=owner))
    bot = _add(session, tables.Bot(owner=account.id, name=name))
    _add(session, tables.Artifact(sha256=owner * 2, content=b"", size=0))
    version = tables.BotVersion(
        bot=bot.id, number=3, sha256=owner * 2, games=["claim"], run=["./bot"], protocol="bot/1"
    )
    return str(_add(session, version).id)


def _ladder(owner: str) -> tables.Ladder:
    return tables.Ladder(
        owner=owner,
        name="claim-daily",
        game="claim",
        rules_version=1,
        options={},
        seats=2,
        cron="0 12 * * *",
        timezone="UTC",
        pairs_per_slot=5,
        limits={},
        next_due=NOW,
    )


def _event(session: Session, ladder: str, slot: int, state: str) -> str:
    event = tables.Event(
        ladder=ladder,
        slot=slot,
        key=bytes(32),
        commitment="66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        limits={},
        rules_version=1,
        state=state,
        completed_at=NOW if state == tables.EventState.COMPLETE else None,
    )
    return str(_add(session, event).id)


def _pair(
    session: Session,
    event: str,
    number: int,
    legs: tuple[Finished | None, ...],
    versions: list[str],
) -> list[str]:
    played = [leg for leg in legs if leg is not None]
    seed = str(played[0].replay["seed"])
    pair = _add(session, tables.Pair(event=event, number=number, seed=seed, legs=len(legs)))
    series = _add(
        session, tables.Series(event=event, position=number, state=tables.SeriesState.DONE)
    )
    ids = []
    for leg, finished in enumerate(legs):
        match = tables.Match(
            pair=pair.id,
            series=series.id,
            event=event,
            leg=leg,
            seed=seed,
            game="claim",
            rules_version=1,
            options={},
            seats=2,
        )
        ids.append(str(_add(session, match).id))
        seating = versions if leg == 0 else versions[::-1]
        for seat, version in enumerate(seating):
            session.add(
                tables.MatchSeat(match=match.id, seat=seat, bot_version=version, bot_seed="0" * 32)
            )
        session.flush()
        if finished is not None:
            _result(session, match, finished.replay, seating)
    return ids


def _result(
    session: Session, match: tables.Match, replay: dict[str, Any], seating: list[str]
) -> None:
    assert match.series is not None
    assert match.event is not None
    assert match.pair is not None
    match.state = tables.MatchState.FINISHED
    attempt = tables.Attempt(match=match.id, series=match.series, fence=1, worker="w")
    result = replay["result"]
    _add(session, attempt)
    _add(
        session,
        tables.Result(
            match=match.id,
            attempt=attempt.id,
            ending=result["ending"],
            at_fault=result["at_fault"],
            plies=len(replay["plies"]),
            digest=replay["digest"],
            replay=msgspec.json.encode(replay),
            accepted_at=NOW,
        ),
    )
    ranks = result["ranks"]
    credits = (
        None if ranks is None else [0.5 + (1.5 - rank) * (ranks[0] != ranks[1]) for rank in ranks]
    )
    for seat in range(len(seating)):
        session.add(
            tables.SeatResult(
                match=match.id,
                seat=seat,
                rank=None if ranks is None else ranks[seat],
                credit=None if credits is None else credits[seat],
                cpu_ms=12.5,
            )
        )
    if credits is not None:
        session.add(
            tables.Ledger(
                match=match.id,
                event=match.event,
                pair=match.pair,
                seats=seating,
                credits=credits,
                digest=replay["digest"],
            )
        )
