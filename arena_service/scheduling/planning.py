"""The plan of an event: every pair, seed, seating and series, written before anything is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.formats.drawing import PAIRS_OF_A_SERIES, Origin, reseated, seated
from arena_service.formats.format import Draw, Group
from arena_service.store.competitions import Competition
from arena_service.store.database import changed
from arena_service.store.states import (
    EventState,
    MatchKind,
    MatchState,
    Priority,
    SeriesState,
    new_id,
)
from arena_service.store.tables import (
    BotVersion,
    Entrant,
    Event,
    Ladder,
    Match,
    MatchSeat,
    Pair,
    Series,
)
from engine_service.catalogue import game, names
from engine_service.core.seeds import entrants_digest
from engine_service.logs import get_logger

log = get_logger("interrex.planning")

Row = dict[str, Any]


@dataclass(frozen=True)
class Closed:
    """An event whose entries are closed: what every draw and seed of it follows from."""

    event: Event
    digest: str
    rules_version: int

    @property
    def origin(self) -> Origin:
        """What everything in it is drawn from."""
        return Origin(self.event.key, self.event.id, self.digest)

    def draw(self, purpose: str) -> Draw:
        """The numbers of one purpose."""
        return self.origin.draw(purpose)


@dataclass
class Plan:
    """Rows to insert, table by table; its pairs are of `round`, numbered from `first_pair` on."""

    round: int = 1
    first_pair: int = 0
    pairs: list[Row] = field(default_factory=list)
    series: list[Row] = field(default_factory=list)
    matches: list[Row] = field(default_factory=list)
    seats: list[Row] = field(default_factory=list)

    def write(self, session: Session) -> None:
        """Insert everything in the order of the foreign keys."""
        for table, rows in (
            (Pair, self.pairs),
            (Series, self.series),
            (Match, self.matches),
            (MatchSeat, self.seats),
        ):
            if rows:
                session.execute(insert(table), rows)


def close_entries(
    session: Session,
    event: Event,
    competition: Competition,
    versions: list[BotVersion],
    now: datetime,
) -> Closed | None:
    """Fix who plays and under which rules; None: the entries of the event are closed already."""
    digest = entrants_digest([(each.bot, each.sha256) for each in versions])
    rules = _rules_version(competition)
    statement = (
        update(Event)
        .where(col(Event.id) == event.id, col(Event.state) == EventState.OPEN)
        .values(
            state=EventState.RUNNING, entrants_digest=digest, rules_version=rules, closed_at=now
        )
    )
    if changed(session, statement) != 1:
        return None
    rows = [
        {"event": event.id, "bot_version": each.id, "bot_id": each.bot, "sha256": each.sha256}
        for each in versions
    ]
    if rows:
        session.execute(insert(Entrant), rows)
    log.info(
        "entries closed",
        event_id=event.id,
        competition=competition.name,
        slot=event.slot,
        entrants=len(rows),
    )
    return Closed(event, digest, rules)


def plan(
    closed: Closed,
    competition: Competition,
    groups: Iterable[Group],
    pairs: int,
    now: datetime,
    *,
    round: int = 1,
    first_pair: int = 0,
) -> Plan:
    """`pairs` pairs of every group, each with all rotations of the seats."""
    made, met = Plan(round, first_pair), list(groups)
    for first in range(0, pairs, PAIRS_OF_A_SERIES):
        numbers = range(first, min(first + PAIRS_OF_A_SERIES, pairs))
        for group in met:
            _add_series(made, closed, competition, group, numbers, now)
    log.info(
        "event planned",
        event_id=closed.event.id,
        round=round,
        series=len(made.series),
        pairs=len(made.pairs),
        matches=len(made.matches),
    )
    return made


def _add_series(
    plan: Plan,
    closed: Closed,
    competition: Competition,
    group: Group,
    numbers: range,
    now: datetime,
) -> None:
    """`numbers` of the pairs among those of the group."""
    series = new_id()
    plan.series.append(
        {
            "id": series,
            "event": closed.event.id,
            "position": len(plan.series),
            "priority": Priority.PLANNED,
            "turn": 0,
            "limits": closed.event.limits,
            "state": SeriesState.WAITING,
            "fence": 0,
            "progress": {},
            "failures": 0,
            "created_at": now,
        }
    )
    for number in numbers:
        _add_pair(plan, closed, competition, reseated(group, number), series, now)


def _add_pair(
    plan: Plan, closed: Closed, competition: Competition, group: Group, series: str, now: datetime
) -> None:
    event, origin = closed.event, closed.origin
    number, pair, legs = plan.first_pair + len(plan.pairs), new_id(), len(group)
    seed = origin.deal_seed(number)
    plan.pairs.append(
        {
            "id": pair,
            "event": event.id,
            "round": plan.round,
            "number": number,
            "seed": seed,
            "legs": legs,
        }
    )
    for leg in range(legs):
        match = new_id()
        plan.matches.append(
            {
                "id": match,
                "pair": pair,
                "series": series,
                "event": event.id,
                "leg": leg,
                "seed": seed,
                "kind": _kind(competition),
                "game": competition.game,
                "rules_version": closed.rules_version,
                "options": competition.options,
                "seats": competition.seats,
                "state": MatchState.PLANNED,
                "position": len(plan.matches),
                "created_at": now,
            }
        )
        players = zip(seated(group, leg), origin.bot_seeds(number, leg, legs), strict=True)
        for seat, (version, bot_seed) in enumerate(players):
            plan.seats.append(
                {"match": match, "seat": seat, "bot_version": version, "bot_seed": bot_seed}
            )


def _kind(competition: Competition) -> MatchKind:
    if isinstance(competition, Ladder) or formats.find(competition.format).rated:
        return MatchKind.RATED
    return MatchKind.CHALLENGE


def _rules_version(competition: Competition) -> int:
    """Of today's rules; of a game that is no longer installed the version it began with."""
    installed = competition.game in names()
    return game(competition.game).rules_version if installed else competition.rules_version
