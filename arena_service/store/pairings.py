"""Who met in a slot of a ladder, and what was known of them when its entries closed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import col

from arena_service.formats.candidates import Candidate
from arena_service.store.candidates import candidate_of, groups_in_order
from arena_service.store.database import Database
from arena_service.store.tables import Account, Bot, BotVersion, Entrant, Event


@dataclass(frozen=True)
class MatchedRow:
    """A version in a group, and what was known of it."""

    version_id: str
    bot_id: str
    bot: str
    owner: str
    version: int
    known: Candidate


def of_slot(db: Database, ladder: str, slot: int) -> list[tuple[MatchedRow, ...]]:
    """Every group of a slot in the order of the plan; empty while entries are open."""
    with db.read() as session:
        event = session.scalar(
            select(col(Event.id)).where(col(Event.ladder) == ladder, col(Event.slot) == slot)
        )
        if event is None:
            return []
        rows = session.execute(
            select(Entrant, col(Bot.name), col(Account.name), col(BotVersion.number))
            .join(BotVersion, col(BotVersion.id) == col(Entrant.bot_version))
            .join(Bot, col(Bot.id) == col(BotVersion.bot))
            .join(Account, col(Account.id) == col(Bot.owner))
            .where(col(Entrant.event) == event)
        )
        matched = {
            row.bot_version: MatchedRow(
                row.bot_version, row.bot_id, bot, owner, number, candidate_of(row)
            )
            for row, bot, owner, number in rows
        }
        groups = {frozenset(group): group for group in groups_in_order(session, event)}
    return [tuple(matched[version] for version in group) for group in groups.values()]
