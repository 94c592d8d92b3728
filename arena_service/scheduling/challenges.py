"""Challenges: one bot against others of its owner's choice, played at once and rated nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from arena_service.formats import catalogue as formats
from arena_service.quotas import DEFAULTS, Quotas
from arena_service.scheduling.tournaments import begin
from arena_service.store import bounds, requests, tournaments, usage
from arena_service.store.accounts import lock_account
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.settings import Settings
from arena_service.store.states import new_id
from arena_service.store.tables import Bot, BotVersion, Tournament, TournamentEntry
from arena_service.store.terms import Terms, agree
from arena_service.store.tournaments import TournamentRow
from arena_service.store.versions import newest_versions
from arena_service.webhooks.addresses import check_url
from arena_service.webhooks.posting import new_secret
from engine_service.logs import get_logger

log = get_logger("interrex.challenges")

DEFAULT_PAIRS = 10
MAX_PAIRS = 100
MAX_BOTS = 10
NAME_DIGITS = 12
_NEXT = timedelta(microseconds=1)


def challenge(
    db: Database,
    owner: str,
    bots: Sequence[str],
    now: datetime,
    game: str = "",
    options: Mapping[str, Any] | None = None,
    pairs: int = 0,
    limits: Mapping[str, int] | None = None,
    *,
    webhook_url: str = "",
    quotas: Quotas = DEFAULTS,
    asked: Asked = UNNAMED,
    rules_version: int | None = None,
) -> TournamentRow:
    """Let bots (by id, the challenger first) play each other; zeros and "" mean the defaults.

    Their newest active versions play, on as many seats as there are bots. Raises InvalidError,
    ConflictError for a bot without such a version, QuotaError.
    """
    if not 0 <= pairs <= MAX_PAIRS:
        raise InvalidError("pairs", f"1 to {MAX_PAIRS}")
    if not 2 <= len(set(bots)) == len(bots) <= MAX_BOTS:
        raise InvalidError("opponents", "other bots than the challenger, each once")
    check_url(webhook_url)
    with db.write() as session:
        lock_account(session, owner)
        if before := requests.made_before(session, owner, asked):
            return tournaments.of(session, session.get_one(Tournament, before))
        usage.check_challenges(session, owner, quotas, now)
        bounds.check_room(session, owner)
        chosen = game or _common_game(_playing(session, bots))
        terms = agree(chosen, options or {}, len(bots), limits, rules_version)
        _playing(session, bots, terms.game)
        row = _row(owner, bots, terms, pairs or DEFAULT_PAIRS, now)
        row.webhook_url, row.webhook_secret = webhook_url, new_secret(webhook_url)
        event = tournaments.add(session, row)
        for place, bot in enumerate(bots):  # the order of entry is the seeding
            since = now + place * _NEXT
            session.add(TournamentEntry(tournament=row.id, bot=bot, active=True, changed_at=since))
        session.flush()
        begin(session, row, event, now)
        requests.keep(session, owner, asked, row.id, now)
        log.info("challenge begun", tournament=row.name, event_id=event.id, bots=len(bots))
        return tournaments.of(session, row)


def _playing(session: Session, bots: Sequence[str], game: str = "") -> list[BotVersion]:
    """The versions that play, in the order of the bots; raises ConflictError when one has none."""
    found = {each.bot: each for each in session.scalars(newest_versions(list(bots)))}
    for bot in bots:
        name = session.get_one(Bot, bot).name
        if bot not in found:
            raise ConflictError(f"{name} cannot be challenged or challenge: no version is active")
        if game and game not in found[bot].games:
            raise ConflictError(f"version {found[bot].number} of {name} does not play {game}")
    return [found[bot] for bot in bots]


def _common_game(versions: Sequence[BotVersion]) -> str:
    challenger, *others = versions
    for game in challenger.games:
        if all(game in other.games for other in others):
            return game
    raise ConflictError("there is no game that all of these bots play")


def _row(owner: str, bots: Sequence[str], terms: Terms, pairs: int, now: datetime) -> Tournament:
    return Tournament(
        owner=owner,
        name=f"challenge-{new_id()[:NAME_DIGITS]}",
        format=formats.CHALLENGE,
        game=terms.game,
        rules_version=terms.rules_version,
        options=terms.options,
        seats=terms.seats,
        pairs=pairs,
        settings=Settings(challengers=(bots[0],)).to_plain(),
        limits=terms.limits,
        created_at=now,
    )
