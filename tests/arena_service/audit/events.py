"""Tournaments and ladders that were played by the rules, and their exports."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from arena_service.audit import documents
from arena_service.audit.examine import audit
from arena_service.audit.files import written
from arena_service.doctor.report import Report
from arena_service.scheduling import slots, sweep
from arena_service.scheduling import tournaments as schedule
from arena_service.store import accounts, bots, exports, ladders, tournaments
from arena_service.store.database import Database
from arena_service.store.settings import Settings
from arena_service.store.work_store import StoreWork
from bots.manifest import Manifest
from engine_service.client import Finished, MatchSession, Turn
from tests.arena_service import outcomes

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
AFTER = NOON + timedelta(days=2)
Lines = list[dict[str, Any]]


def owner_and_bots(db: Database, game: str, count: int) -> tuple[str, list[str]]:
    """An account and the ids of so many active bots of it."""
    user = accounts.by_token(db, accounts.create_user(db, f"ann-{game[:4]}-{count}"))
    assert user is not None
    made = []
    for number in range(count):
        name = f"bot-{number}"
        manifest = Manifest(name, (game,), ("python3", "main.py"), "json")
        made.append(bots.submit(db, user.id, name, name.encode(), manifest, ()).bot_id)
    return user.id, made


def tournament(
    db: Database, entries: int = 4, game: str = "claim", seats: int = 2, **terms: Any
) -> str:
    """The id of one that has been played to its end."""
    short = terms.pop("short", False)
    started = started_tournament(db, entries, game, seats, **terms)
    play_to_the_end(db, started, short)
    return started


def play_to_the_end(db: Database, tournament: str, short: bool = False) -> None:
    """Round by round; what a worker of before still holds comes back first."""
    sweep.expire_leases(db, LATER)
    while tournaments.show(db, tournament).state == "running":
        play(db, LATER, short=short)
        slots.tick(db, LATER)


def started_tournament(
    db: Database, entries: int = 4, game: str = "claim", seats: int = 2, **terms: Any
) -> str:
    """The id of one whose matches wait."""
    owner, entered = owner_and_bots(db, game, entries)
    challengers = tuple(entered[: terms.pop("challengers", 0)])
    settings = Settings(terms.pop("rounds", 0), challengers, sprt=terms.pop("sprt", None))
    terms = {"pairs": 1, "settings": settings} | terms
    made = tournaments.create_tournament(db, owner, "cup", game, {}, seats, **terms).id
    for bot in entered:
        tournaments.enter(db, made, bot)
    schedule.start(db, made, NOON)
    return made


def ladder(
    db: Database, slots_played: int = 2, entries: int = 3, pairs: int = 2, short: bool = False
) -> str:
    """The id of one with so many complete slots."""
    owner, entered = owner_and_bots(db, "claim", entries)
    made = ladders.create_ladder(
        db, owner, "daily", "claim", {}, 2, "0 * * * *", "UTC", pairs, now=NOON
    ).id
    for bot in entered:
        ladders.enter(db, made, bot)
    for hour in range(1, slots_played + 1):
        slots.tick(db, NOON + timedelta(hours=hour))
        play(db, NOON + timedelta(hours=hour), short=short)
        slots.complete_played(db, NOON + timedelta(hours=hour, minutes=30))
    return made


def play(db: Database, now: datetime, at_most: int = 10_000, short: bool = False) -> None:
    """What waits: bots choose differently, the second match is a fault, the third no contest.

    A short match is resigned after a few plies, always by the same one of two.
    """
    work, count = StoreWork(db, 60), 0
    while (lease := work.lease("w", now=now)) is not None:
        for match in lease.matches:
            if count == at_most:
                return
            end = partial(outcomes.played, choice=partial(_choose, match.players))
            if short:
                end = partial(end, end=partial(_resigned, match.players))
            if count == 1:
                end = partial(end, end=lambda session: session.end("timeout", session.offer.seat))
            elif count == 2:
                end = outcomes.no_contest
            assert work.accept(lease.series, lease.fence, end(match), now=now)
            count += 1


def _choose(players: list[str], turn: Turn) -> str:
    """By its id a bot takes an early or a late action."""
    return turn.legal[int(players[turn.seat][:4], 16) % len(turn.legal)]


def _resigned(players: list[str], session: MatchSession) -> Finished:
    """By the bot with the lowest id, when it is its turn."""
    while (turn := session.offer) and not isinstance(turn, Finished):
        if players[turn.seat] == min(players):
            return session.end("resigned", turn.seat)
        session.act(turn.legal[0])
    return turn


def export(lines: Iterable[documents.Line], path: Path) -> Path:
    """Write an export."""
    path.write_bytes(b"".join(written(lines)))
    return path


def export_tournament(db: Database, wanted: str, path: Path) -> Path:
    """Write the export of a tournament."""
    return export(exports.of_tournament(db, wanted), path)


def read(path: Path) -> Lines:
    """The lines of a file."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def write(path: Path, lines: Lines) -> Path:
    """Write lines with an end that fits them."""
    lines[-1]["lines"] = len(lines) - 1
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=1))
    return path


def look(path: Path) -> Report:
    """Audit a file."""
    return audit(path, lambda done: None)


def problems(report: Report) -> list[str]:
    """What is wrong, as `proof: about text`."""
    return [
        f"{proof.name}: {about} {text}" for proof in report.proofs for about, text in proof.problems
    ]
