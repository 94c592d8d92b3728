"""The final run of a ladder: a tournament of the bots that are entered, while the ladder rests."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.formats.final import fewest_pairs
from arena_service.scheduling.tournaments import begin
from arena_service.store import bounds, finals, requests, tournaments
from arena_service.store.accounts import lock_account
from arena_service.store.competitions import find
from arena_service.store.database import Database
from arena_service.store.entries import entrants
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.settings import Settings
from arena_service.store.tables import Ladder, LadderEntry, Tournament, TournamentEntry
from arena_service.store.tournaments import TournamentRow
from engine_service.logs import get_logger

log = get_logger("interrex.finals")

DEFAULT_BUDGET = 500
MAX_STEPS = 20
NAME_KEPT = 28  # of the ladder's, so that a number fits behind it


def run(
    db: Database,
    ladder: str,
    now: datetime,
    budget: int = 0,
    steps: int = 0,
    asked: Asked = UNNAMED,
) -> TournamentRow:
    """Begin it with the newest active versions; `budget` pairs in all, zeros: the defaults.

    The ladder takes no entries and closes no slot until it has ended. Raises InvalidError;
    ConflictError when one is on its way, or too few bots are entered.
    """
    if not 0 <= budget <= bounds.MAX_PAIRS_PLANNED:
        raise InvalidError("budget", f"1 to {bounds.MAX_PAIRS_PLANNED}")
    if not 0 <= steps <= MAX_STEPS:
        raise InvalidError("steps", f"1 to {MAX_STEPS}")
    try:
        with db.write() as session:
            found = find(session, Ladder, ladder)
            session.refresh(found, with_for_update={"key_share": True})
            lock_account(session, found.owner)
            if before := requests.made_before(session, found.owner, asked):
                return tournaments.of(session, session.get_one(Tournament, before))
            finals.check_none(session, found)
            bounds.check_room(session, found.owner)
            row = _begun(session, found, budget or DEFAULT_BUDGET, steps, now)
            requests.keep(session, found.owner, asked, row.id, now)
            log.info("final run begun", ladder=found.name, tournament=row.name)
            return tournaments.of(session, row)
    except IntegrityError as error:
        raise ConflictError("a tournament has the name of the final run; try again") from error


def _begun(session: Session, ladder: Ladder, budget: int, steps: int, now: datetime) -> Tournament:
    count = len(entrants(session, ladder))
    if count < ladder.seats:
        raise ConflictError(
            f"a final run needs at least {ladder.seats} entered bots that are active"
        )
    _check_budget(budget, steps, fewest_pairs(count, ladder.seats))
    row = Tournament(
        owner=ladder.owner,
        name=_name(session, ladder),
        format=formats.FINAL,
        game=ladder.game,
        rules_version=ladder.rules_version,
        options=ladder.options,
        seats=ladder.seats,
        pairs=budget,
        rounds=steps,
        settings=Settings(seeding=ladder.id).to_plain(),
        limits=ladder.limits,
        ladder=ladder.id,
        created_at=now,
    )
    event = tournaments.add(session, row)
    entered = select(LadderEntry).where(
        col(LadderEntry.ladder) == ladder.id, col(LadderEntry.active)
    )
    for entry in session.scalars(entered).all():
        since = entry.changed_at
        session.add(
            TournamentEntry(tournament=row.id, bot=entry.bot, active=True, changed_at=since)
        )
    session.flush()
    begin(session, row, event, now)
    return row


def _check_budget(budget: int, steps: int, fewest: int) -> None:
    """Every step takes `fewest` pairs at least; raises InvalidError."""
    if budget < fewest:
        raise InvalidError("budget", f"at least {fewest} pairs, so that every bot plays")
    if steps * fewest > budget:
        most = budget // fewest
        raise InvalidError(
            "steps", f"1 to {most}, for a step takes at least {fewest} of the {budget} pairs"
        )


def _name(session: Session, ladder: Ladder) -> str:
    before = select(func.count()).where(col(Tournament.ladder) == ladder.id)
    return f"{ladder.name[:NAME_KEPT]}-final-{(session.scalar(before) or 0) + 1}"
