"""What the services of ladders and tournaments have in common."""

from __future__ import annotations

import json
from typing import Any

from arena_service.access import Action, BotSubject, may
from arena_service.api import session
from arena_service.api.errors import invalid
from arena_service.ratings.table import StandingRow
from arena_service.store import bots
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from interrex.arena.v1.ladder_service_pb2 import Limits, Standing


def own_bot(db: Database, name: str) -> str:
    """The id of the caller's bot of that name; other people's bots are not found."""
    row = bots.find(db, session.user().id, name)
    if not may(session.viewer(), Action.ENTER_BOT, BotSubject(row.owner_id)):
        raise NotFoundError("bot of yours", name)
    return row.bot_id


def any_bot(db: Database, name: str) -> bots.BotVersionRow:
    """Anybody's bot as OWNER/BOT, or the caller's of that name."""
    owner, slash, bot = name.partition("/")
    return bots.find_of(db, owner, bot) if slash else bots.find(db, session.user().id, name)


def options(text: str) -> dict[str, Any]:
    """The options of a game from JSON; raises ApiError."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise invalid("BAD_OPTION", "options_json", f"the options are no JSON: {error}") from error
    if not isinstance(found, dict):
        raise invalid("BAD_OPTION", "options_json", "the options are no JSON object")
    return found


def limits(message: Limits) -> dict[str, int]:
    """The clocks that were named."""
    return {field.name: value for field, value in message.ListFields()}


def standing(row: StandingRow) -> Standing:
    """A row of a table."""
    return Standing(
        rank=row.rank,
        bot=row.bot,
        owner=row.owner,
        version=row.version,
        version_id=row.version_id,
        pairs=row.pairs,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        credit=row.credit,
        credit_low=row.credit_low,
        credit_high=row.credit_high,
        rating=row.rating,
        error=row.error,
        faults=row.faults,
    )
