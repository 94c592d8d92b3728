"""How much of its quotas an account uses; each check raises QuotaError when there is no more.

The caller holds the account: what it has is counted and then added to.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Mapped, Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.quotas import Quotas
from arena_service.store.errors import QuotaError
from arena_service.store.states import VersionState
from arena_service.store.tables import Bot, BotVersion, Tournament

DAY = timedelta(days=1)


def check_active_bots(session: Session, owner: str, bot: str, quotas: Quotas) -> None:
    """One more bot (by id) with a version that plays, or will once its check is passed."""
    active = (
        select(func.count(func.distinct(col(Bot.id))))
        .join(BotVersion, col(BotVersion.bot) == col(Bot.id))
        .where(
            col(Bot.owner) == owner,
            col(Bot.id) != bot,
            col(BotVersion.state).in_((VersionState.ACTIVE, VersionState.CHECKING)),
        )
    )
    if (session.scalar(active) or 0) >= quotas.active_bots:
        frees = "when every version of one is taken out: interrex bot disable BOT"
        raise QuotaError(quotas.said("active_bots"), frees)


def check_versions(session: Session, owner: str, quotas: Quotas, now: datetime) -> None:
    """One more version."""
    submitted = (
        select(col(BotVersion.created_at))
        .join(Bot, col(Bot.id) == col(BotVersion.bot))
        .where(col(Bot.owner) == owner)
    )
    _check_day(session, quotas, "versions_a_day", submitted, col(BotVersion.created_at), now)


def check_waiting(session: Session, owner: str, version: str, quotas: Quotas) -> None:
    """One more version that waits for its check, beside this one."""
    waiting = (
        select(func.count())
        .select_from(BotVersion)
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .where(
            col(Bot.owner) == owner,
            col(BotVersion.state) == VersionState.CHECKING,
            col(BotVersion.id) != version,
        )
    )
    if (session.scalar(waiting) or 0) >= quotas.checks_waiting:
        raise QuotaError(quotas.said("checks_waiting"), "when one of them is played")


def check_challenges(session: Session, owner: str, quotas: Quotas, now: datetime) -> None:
    """One more challenge."""
    made = select(col(Tournament.created_at)).where(
        col(Tournament.owner) == owner, col(Tournament.format) == formats.CHALLENGE
    )
    _check_day(session, quotas, "challenges_a_day", made, col(Tournament.created_at), now)


def _check_day(
    session: Session,
    quotas: Quotas,
    quota: str,
    made: Select[datetime],
    at: Mapped[datetime],
    now: datetime,
) -> None:
    """With as many as allowed within a day the oldest of the newest of them is the first to go."""
    allowed = quotas.of(quota)
    if allowed == 0:
        raise QuotaError(quotas.said(quota), "when the operator of the arena raises it")
    of_today = made.where(at > now - DAY).order_by(at.desc())
    oldest = session.scalar(of_today.offset(allowed - 1).limit(1))
    if oldest is not None:
        raise QuotaError(quotas.said(quota), f"at {oldest + DAY:%Y-%m-%d %H:%M:%S} UTC")
