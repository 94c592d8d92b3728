"""How entrants are seeded when the entries close, and who of them is a challenger."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.settings import settings_of
from arena_service.store.states import EventState
from arena_service.store.tables import (
    BotVersion,
    Entrant,
    Event,
    Rating,
    Tournament,
    TournamentEntry,
)


def seed(session: Session, event: Event, tournament: Tournament) -> None:
    """Write place, rating and challenge of every entrant.

    By the ratings of the ladder that was named, or of another version of the bot on it; who has
    none, and equals, follow in the order of entry.
    """
    settings = settings_of(tournament)
    ratings = _ratings(session, settings.seeding, event.rules_version)
    entered = _in_order_of_entry(session, event, tournament)
    rated = {
        row.bot_version: ratings.get(row.bot_version, ratings.get(row.bot_id)) for row in entered
    }

    def strength(row: Entrant) -> tuple[bool, float]:
        rating = rated[row.bot_version]
        return rating is None, -(rating or 0.0)

    for place, row in enumerate(sorted(entered, key=strength), 1):
        row.seed, row.rating = place, rated[row.bot_version]
        row.challenger = row.bot_id in settings.challengers or None


def _in_order_of_entry(session: Session, event: Event, tournament: Tournament) -> list[Entrant]:
    entries = select(TournamentEntry).where(col(TournamentEntry.tournament) == tournament.id)
    since = {(row.bot, row.version): row.changed_at for row in session.scalars(entries)}
    rows = session.execute(
        select(Entrant, col(BotVersion.number))
        .join(BotVersion, col(BotVersion.id) == col(Entrant.bot_version))
        .where(col(Entrant.event) == event.id)
    )

    def entered(row: Entrant, number: int) -> datetime:
        """By its number, or as the newest."""
        keys = ((row.bot_id, number), (row.bot_id, 0))
        return min(since[key] for key in keys if key in since)

    ordered = sorted(rows, key=lambda row: (entered(*row), row[0].bot_id, row[1]))
    return [row for row, _ in ordered]


def _ratings(session: Session, ladder: str, rules: int | None) -> dict[str, float]:
    """By version and by bot (of its newest rated version), from the newest complete slot."""
    newest = (
        select(col(Event.id))
        .where(
            col(Event.ladder) == ladder,
            col(Event.state) == EventState.COMPLETE,
            col(Event.rules_version) == rules,
        )
        .order_by(col(Event.slot).desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Rating, col(BotVersion.bot))
        .join(BotVersion, col(BotVersion.id) == col(Rating.bot_version))
        .where(col(Rating.event) == newest)
        .order_by(col(BotVersion.number))
    )
    found: dict[str, float] = {}
    for rating, bot in rows:
        found[rating.bot_version] = found[bot] = rating.value
    return found
