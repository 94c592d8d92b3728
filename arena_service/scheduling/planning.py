"""The plan of a slot: every pair, seed, seating and series, written before anything is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena_service.formats.round_robin import groups
from arena_service.store.states import MatchKind, MatchState, Priority, SeriesState, new_id
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
from engine_service.core.seeds import Stream, bot_seed, deal_seed, draw_seed

PAIRS_OF_A_SERIES = 8
MAX_PAIRS_OF_A_SLOT = 2000
Row = dict[str, Any]


@dataclass
class Plan:
    """Rows to insert, table by table."""

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


def write_entrants(session: Session, event: Event, versions: list[BotVersion]) -> None:
    """Keep who plays, as the entrants digest says it."""
    rows = [
        {"event": event.id, "bot_version": each.id, "bot_id": each.bot, "sha256": each.sha256}
        for each in versions
    ]
    session.execute(insert(Entrant), rows)


def plan_slot(
    ladder: Ladder, event: Event, digest: str, rules: int, versions: list[str], now: datetime
) -> Plan:
    """Round robin of the versions: `pairs_per_slot` pairs per group, all rotations of the seats."""
    draw = Stream(draw_seed(event.key, event.id, digest, "seats"), "draw")
    at_most = max(1, MAX_PAIRS_OF_A_SLOT // ladder.pairs_per_slot)
    met = groups(sorted(versions), ladder.seats, at_most, draw)
    plan = Plan()
    for first in range(0, ladder.pairs_per_slot, PAIRS_OF_A_SERIES):
        size = min(PAIRS_OF_A_SERIES, ladder.pairs_per_slot - first)
        for group in met:
            _add_series(plan, ladder, event, digest, rules, group, size, now)
    return plan


def _add_series(
    plan: Plan,
    ladder: Ladder,
    event: Event,
    digest: str,
    rules: int,
    group: tuple[str, ...],
    size: int,
    now: datetime,
) -> None:
    series = new_id()
    plan.series.append(
        {
            "id": series,
            "event": event.id,
            "position": len(plan.series),
            "priority": Priority.PLANNED,
            "limits": event.limits,
            "state": SeriesState.WAITING,
            "fence": 0,
            "progress": {},
            "failures": 0,
            "created_at": now,
        }
    )
    for _ in range(size):
        number, pair = len(plan.pairs), new_id()
        seed = deal_seed(event.key, event.id, digest, number).hex()
        plan.pairs.append(
            {"id": pair, "event": event.id, "number": number, "seed": seed, "legs": len(group)}
        )
        for leg in range(len(group)):
            match = new_id()
            plan.matches.append(
                {
                    "id": match,
                    "pair": pair,
                    "series": series,
                    "event": event.id,
                    "leg": leg,
                    "seed": seed,
                    "kind": MatchKind.RATED,
                    "game": ladder.game,
                    "rules_version": rules,
                    "options": ladder.options,
                    "seats": ladder.seats,
                    "state": MatchState.PLANNED,
                    "position": len(plan.matches),
                    "created_at": now,
                }
            )
            for seat in range(len(group)):
                plan.seats.append(
                    {
                        "match": match,
                        "seat": seat,
                        "bot_version": group[(seat + leg) % len(group)],
                        "bot_seed": bot_seed(event.key, event.id, digest, number, leg, seat),
                    }
                )
