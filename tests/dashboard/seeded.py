"""A small arena for the pages: a ladder, tournaments, a bot with a hostile name, every ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select, update
from sqlmodel import col

from arena_service.scheduling import slots
from arena_service.scheduling import tournaments as begin
from arena_service.scheduling.checks import Check, checks_of
from arena_service.store import accounts, bots, ladders, tournaments
from arena_service.store.database import Database, open_database
from arena_service.store.tables import Bot, Event, Match, MatchSeat, Pair, Result
from arena_service.work import PlannedMatch
from bots.manifest import Manifest
from tests.dashboard.played import BY_THE_RULES, Script, play_all

HOSTILE = "<img src=x onerror=alert(1)>"
PRIVATE = "written by a bot of"  # the same however it is escaped
HOSTILE_STDERR = f"<script>alert('stderr')</script> {PRIVATE}"
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
OWNERS = ("north", "south")
LIMIT = "more than 200 ms of CPU time for one answer"

#: What happens in the pairs of the last slot, by their number: both legs.
LAST_SLOT: dict[str, tuple[Script, Script | None]] = {
    "completed": (BY_THE_RULES, BY_THE_RULES),
    "timeout": (Script(9, "timeout", limit=LIMIT), BY_THE_RULES),
    "start": (Script(0, "crash", 0, limit="it ended by itself"), Script(0, "crash", 1)),
    "no_contest": (Script(0, "no_contest"), BY_THE_RULES),
    "half": (BY_THE_RULES, None),
}


@dataclass(frozen=True)
class Seeded:
    """Where the arena is, how its owners sign in, and its matches by what is special about them.

    `late` owns the bot that ran out of time.
    """

    data: Path
    url: str
    ladder: str
    tokens: dict[str, str]
    bots: dict[str, str]
    matches: dict[str, str]
    half_seed: str
    late: str

    def stderr(self, owner: str) -> str:
        """What the bots of an owner wrote."""
        return f"{HOSTILE_STDERR} {owner}"


def seed_arena(data: Path) -> Seeded:
    """Fill a fresh database below `data`."""
    url = f"sqlite:///{data / 'interrex.db'}"
    database = open_database(url)
    database.migrate()
    try:
        return _Filling(database).fill(data, url)
    finally:
        database.close()


class _Filling:
    """The steps, in the order in which they would happen in an arena."""

    def __init__(self, db: Database) -> None:
        self.db, self.now = db, NOON
        self.tokens = {name: accounts.create_user(db, name) for name in OWNERS}
        self.owner_of: dict[str, str] = {}

    def fill(self, data: Path, url: str) -> Seeded:
        north, south = OWNERS
        known = {
            "greedy": self.submit(north, "greedy"),
            "hostile": self.submit(south, "hostile"),
            "third": self.submit(north, "third"),
        }
        ladder = ladders.create_ladder(
            self.db,
            self.id_of(north),
            "claim-daily",
            "claim",
            {},
            2,
            "0 * * * *",
            "UTC",
            5,
            now=NOON,
        ).id
        for name in ("greedy", "hostile"):
            ladders.enter(self.db, ladder, known[name])
        self.slot()
        self.submit(north, "greedy", b"second")
        self.slot()
        known["broken"] = self.submit(north, "broken", checks=checks_of(("claim",)))
        self.play(lambda match: Script(0, "crash", 0, limit="it ended by itself with exit code 3"))
        self.tournament("winter-cup", ["greedy", "hostile"], known, series=None)
        self.tournament("spring-cup", ["greedy", "hostile", "third"], known, series=1)
        self.play(lambda match: None)
        self.tournament("autumn-cup", ["greedy"], known, series=0)
        self.slot(_last_slot)
        with self.db.write() as session:
            session.execute(update(Bot).where(col(Bot.name) == "hostile").values(name=HOSTILE))
        matches, seed = self.special(ladder)
        late = self.at_fault(matches["timeout"])
        return Seeded(data, url, ladder, self.tokens, known, matches, seed, late)

    def id_of(self, owner: str) -> str:
        user = accounts.by_token(self.db, self.tokens[owner])
        assert user is not None
        return user.id

    def submit(
        self, owner: str, name: str, content: bytes = b"", checks: tuple[Check, ...] = ()
    ) -> str:
        """A version of a bot; without `checks` it plays at once."""
        manifest = Manifest(name, ("claim",), ("python3", "main.py"), "json")
        archive = content or name.encode()
        row = bots.submit(self.db, self.id_of(owner), name, archive, manifest, checks)
        self.owner_of[row.id] = owner
        return row.bot_id

    def slot(
        self, script: Callable[[PlannedMatch], Script | None] = lambda match: BY_THE_RULES
    ) -> None:
        """An hour later: the open slot closes and is played."""
        self.now += timedelta(hours=1)
        slots.tick(self.db, self.now)
        self.play(script)
        slots.complete_played(self.db, self.now)

    def play(
        self, script: Callable[[PlannedMatch], Script | None], series: int | None = None
    ) -> None:
        play_all(self.db, self.now, script, self.stderr, series=series)

    def stderr(self, version: str) -> str:
        return f"{HOSTILE_STDERR} {self.owner_of[version]}"

    def tournament(
        self, name: str, entered: list[str], known: dict[str, str], series: int | None
    ) -> None:
        """So many of its series are played; 0 leaves its entries open."""
        row = tournaments.create_tournament(
            self.db, self.id_of("north"), name, "claim", {}, pairs=2
        )
        for bot in entered:
            tournaments.enter(self.db, row.id, known[bot])
        if series != 0:
            begin.start(self.db, row.id, self.now)
            self.play(lambda match: BY_THE_RULES, series)
            slots.complete_played(self.db, self.now)

    def special(self, ladder: str) -> tuple[dict[str, str], str]:
        """The matches of the last slot by name, and the seed of the half played pair."""
        last = (
            select(col(Event.id)).where(col(Event.ladder) == ladder, col(Event.slot) == 3)
        ).scalar_subquery()
        names = list(LAST_SLOT)
        with self.db.read() as session:
            found = session.execute(
                select(col(Match.id), col(Match.leg), col(Match.seed), col(Pair.number))
                .join(Pair, col(Match.pair) == col(Pair.id))
                .where(col(Match.event) == last)
            ).all()
        matches = {
            names[number] if leg == 0 else f"{names[number]}-other": match
            for match, leg, _seed, number in found
        }
        seed = next(seed for match, _leg, seed, _number in found if match == matches["half"])
        return matches, seed

    def at_fault(self, match: str) -> str:
        """The owner of the bot that decided a match by its fault."""
        seats = (col(MatchSeat.match) == col(Result.match)) & (
            col(MatchSeat.seat) == col(Result.at_fault)
        )
        culprit = select(col(MatchSeat.bot_version)).join(Result, seats)
        with self.db.read() as session:
            return self.owner_of[session.scalars(culprit.where(col(Result.match) == match)).one()]


def _last_slot(match: PlannedMatch) -> Script | None:
    return list(LAST_SLOT.values())[match.pair][match.leg]
