"""The smallest exports in which every value of the form stands, by what they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from arena_service.audit.documents import Line
from arena_service.ratings.sprt import Sprt
from arena_service.scheduling import challenges, departures, finals
from arena_service.scheduling import tournaments as schedule
from arena_service.store import exports, tournaments
from arena_service.store.database import Database
from arena_service.store.settings import Settings
from arena_service.store.tables import Bot
from tests.arena_service.audit import events
from tests.arena_service.audit.events import NOON

Documents = Iterator[Line]
REPLAYS = "match.replay."


@dataclass(frozen=True)
class Small:
    """How it is made; of its values those are changed whose path begins with one of `paths`.

    Without `paths` all but those in replays.
    """

    make: Callable[[Database], Documents]
    paths: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether values of that path are changed."""
        return path.startswith(self.paths) if self.paths else not path.startswith(REPLAYS)


def _tournament(db: Database, **terms: Any) -> Documents:
    return exports.of_tournament(db, events.tournament(db, **{"short": True} | terms))


def _of_bots_that_left(db: Database) -> Documents:
    """One is withdrawn and one disqualified when each has met the other two."""
    cup = events.started_tournament(db, entries=3)
    events.play(db, NOON, at_most=5, short=True)
    with db.read() as session:
        first, second = session.scalars(select(Bot).order_by(col(Bot.name)).limit(2))
    departures.withdraw(db, cup, first.id, first.owner, NOON, "no time")
    departures.disqualify(db, cup, second.id, second.owner, NOON, "broke the rules")
    events.play_to_the_end(db, cup, short=True)
    return exports.of_tournament(db, cup)


def _cancelled(db: Database, after: int) -> Documents:
    cup = events.started_tournament(db, entries=3)
    events.play(db, NOON, at_most=after, short=True)
    schedule.cancel(db, cup, NOON)
    return exports.of_tournament(db, cup)


def _seeded_by_a_ladder(db: Database) -> Documents:
    ladder = events.ladder(db, slots_played=1, entries=2, pairs=2, short=True)
    with db.read() as session:
        entered = list(session.scalars(select(Bot)))
    made = tournaments.create_tournament(
        db,
        entered[0].owner,
        "cup",
        "claim",
        {},
        pairs=1,
        format="double_elimination",
        settings=Settings(seeding=ladder),
    ).id
    for bot in entered:
        tournaments.enter(db, made, bot.id)
    schedule.start(db, made, NOON + timedelta(hours=2))
    events.play_to_the_end(db, made, short=True)
    return exports.of_tournament(db, made)


def _challenge(db: Database) -> Documents:
    owner, bots = events.owner_and_bots(db, "claim", 2)
    made = challenges.challenge(db, owner, bots, NOON, pairs=2).id
    events.play_to_the_end(db, made, short=True)
    return exports.of_tournament(db, made)


def _final(db: Database) -> Documents:
    """With a pair more than are dealt out evenly."""
    ladder = events.ladder(db, slots_played=1, entries=3, pairs=1, short=True)
    made = finals.run(db, ladder, NOON + timedelta(hours=2), budget=4, steps=1).id
    events.play_to_the_end(db, made, short=True)
    return exports.of_tournament(db, made)


def _ladder(db: Database) -> Documents:
    return exports.of_ladder(db, events.ladder(db, slots_played=2, entries=2, short=True))


def _test(db: Database, pairs: int, elo0: float, elo1: float) -> Documents:
    return _tournament(
        db, entries=2, format="test", pairs=pairs, sprt=Sprt(elo0, elo1, alpha=0.2, beta=0.2)
    )


SMALL = {
    "round robin": Small(partial(_tournament, entries=2, short=False), ("",)),
    "somebody left": Small(_of_bots_that_left),
    "nobody came": Small(partial(_tournament, entries=0)),
    "cancelled": Small(partial(_cancelled, after=3)),
    "cancelled at once": Small(partial(_cancelled, after=0), ("entrant.",)),
    "gauntlet": Small(partial(_tournament, entries=3, format="gauntlet", challengers=1)),
    "swiss": Small(partial(_tournament, entries=3, format="swiss", rounds=2)),
    "swiss, over early": Small(
        partial(_tournament, entries=2, format="swiss", rounds=3), ("event.rounds",)
    ),
    "double elimination, seeded by a ladder": Small(_seeded_by_a_ladder),
    "test": Small(partial(_tournament, entries=2, format="test", pairs=2)),
    "test with a rule": Small(
        partial(_test, pairs=3, elo0=0, elo1=300), ("event.", "look.", "round.", "standing.")
    ),
    "test with a rule, over early": Small(
        partial(_test, pairs=17, elo0=0, elo1=300), ("event.pairs",)
    ),
    "challenge": Small(_challenge),
    "final": Small(_final),
    "ladder": Small(_ladder),
    "teams": Small(
        partial(_tournament, entries=4, game="king_is_dead", seats=4, short=False),
        (REPLAYS, "match.result."),
    ),
    "hidden leaders": Small(
        partial(_tournament, entries=2, game="hidden_leaders_duel", short=False), (REPLAYS,)
    ),
}
