"""The standings of a ladder, derived from the ledger at every look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.fit import LedgerRow
from arena_service.ratings.pairs import interval
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.ladders import entrants
from arena_service.store.ledger import rated_rows
from arena_service.store.states import EventState, MatchState
from arena_service.store.tables import (
    Account,
    Annulment,
    Bot,
    BotVersion,
    Entrant,
    Event,
    Ladder,
    Ledger,
    Match,
    MatchSeat,
    Pair,
    Rating,
    Result,
)


@dataclass(frozen=True)
class StandingRow:
    """One version: matches won, drawn, lost in whole pairs; credit with its 95 % interval."""

    rank: int
    bot: str
    owner: str
    version: int
    version_id: str
    pairs: int
    wins: int
    draws: int
    losses: int
    credit: float
    credit_low: float
    credit_high: float
    rating: float | None
    error: float | None
    faults: int


@dataclass(frozen=True)
class Standings:
    """Rows best first; planned and done pairs of `slot`, the newest closed one (0: none yet)."""

    rows: tuple[StandingRow, ...]
    pairs_planned: int
    pairs_done: int
    slot: int
    next_due: datetime
    commitment: str


@dataclass
class _Tally:
    pairs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, pair: str, credit: float) -> None:
        self.pairs[pair].append(credit)
        self.wins += credit > 0.5
        self.draws += credit == 0.5
        self.losses += credit < 0.5


_KNOWN: dict[str, tuple[tuple[int, int, int], Mapping[str, _Tally]]] = {}
_KNOWN_AT_MOST = 16


def standings(db: Database, ladder_id: str) -> Standings:
    """The versions of the newest closed slot (before the first: who is entered now)."""
    with db.read() as session:
        ladder = session.get(Ladder, ladder_id)
        if ladder is None:
            raise NotFoundError("ladder", ladder_id)
        open_slot = session.scalars(
            _slots(ladder_id).where(col(Event.state) == EventState.OPEN)
        ).one()
        closed = session.scalar(
            _slots(ladder_id).where(col(Event.state) != EventState.OPEN).limit(1)
        )
        planned, done = (0, 0) if closed is None else _pairs(session, closed.id)
        return Standings(
            rows=_rows(session, ladder, closed),
            pairs_planned=planned,
            pairs_done=done,
            slot=0 if closed is None else closed.slot,
            next_due=ladder.next_due,
            commitment=open_slot.commitment,
        )


def _slots(ladder: str) -> Any:
    return select(Event).where(col(Event.ladder) == ladder).order_by(col(Event.slot).desc())


def _pairs(session: Session, event: str) -> tuple[int, int]:
    planned = select(func.count()).where(col(Pair.event) == event)
    unfinished = select(func.count(func.distinct(col(Match.pair)))).where(
        col(Match.event) == event, col(Match.state) == MatchState.PLANNED
    )
    total = session.scalar(planned) or 0
    return total, total - (session.scalar(unfinished) or 0)


def _rows(session: Session, ladder: Ladder, closed: Event | None) -> tuple[StandingRow, ...]:
    if closed is None:
        versions = [each.id for each in entrants(session, ladder)]
        tallies: Mapping[str, _Tally] = {}
        ratings: dict[str, Rating] = {}
    else:
        versions = list(
            session.scalars(select(col(Entrant.bot_version)).where(col(Entrant.event) == closed.id))
        )
        rules = closed.rules_version or 0
        tallies = _known_tallies(session, ladder.id, rules)
        ratings = _ratings(session, ladder.id, rules)
    faults = _faults(session, ladder.id, versions)
    names = session.execute(
        select(BotVersion, col(Bot.name), col(Account.name))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(BotVersion.id).in_(versions))
    )
    unranked = [
        _row(version, bot, owner, tallies.get(version.id, _Tally()), ratings, faults)
        for version, bot, owner in names
    ]
    return _ranked(unranked)


def _known_tallies(session: Session, ladder: str, rules: int) -> Mapping[str, _Tally]:
    """Counted anew only when the ledger or the annulments have grown: both are only appended to."""
    results = (
        select(func.count())
        .select_from(Ledger)
        .join(Event, col(Ledger.event) == col(Event.id))
        .where(col(Event.ladder) == ladder, col(Event.rules_version) == rules)
    )
    annulled = select(func.count()).select_from(Annulment)
    state = (rules, session.scalar(results) or 0, session.scalar(annulled) or 0)
    known = _KNOWN.get(ladder)
    if known is None or known[0] != state:
        if len(_KNOWN) >= _KNOWN_AT_MOST:
            _KNOWN.clear()
        known = _KNOWN[ladder] = (state, _tallies(rated_rows(session, ladder, rules)))
    return known[1]


def _tallies(rows: list[LedgerRow]) -> dict[str, _Tally]:
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for row in rows:
        for version, credit in zip(row.seats, row.credits, strict=True):
            tallies[version].add(row.pair, credit)
    return dict(tallies)


def _ratings(session: Session, ladder: str, rules: int) -> dict[str, Rating]:
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
    found = session.scalars(select(Rating).where(col(Rating.event) == newest))
    return {row.bot_version: row for row in found}


def _faults(session: Session, ladder: str, versions: list[str]) -> dict[str, int]:
    """How many results of the ladder each version decided by a fault of its own."""
    counted = (
        select(col(MatchSeat.bot_version), func.count())
        .join(Result, col(Result.match) == col(MatchSeat.match))
        .join(Match, col(Match.id) == col(Result.match))
        .join(Event, col(Event.id) == col(Match.event))
        .where(
            col(Event.ladder) == ladder,
            col(MatchSeat.bot_version).in_(versions),
            col(Result.at_fault) == col(MatchSeat.seat),
            col(Result.ending) != "resigned",
        )
        .group_by(col(MatchSeat.bot_version))
    )
    return dict(session.execute(counted).all())


def _row(
    version: BotVersion,
    bot: str,
    owner: str,
    tally: _Tally,
    ratings: dict[str, Rating],
    faults: dict[str, int],
) -> StandingRow:
    credit = interval([sum(values) / len(values) for values in tally.pairs.values()])
    rating = ratings.get(version.id)
    return StandingRow(
        rank=0,
        bot=bot,
        owner=owner,
        version=version.number,
        version_id=version.id,
        pairs=len(tally.pairs),
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        credit=credit.mean,
        credit_low=credit.low,
        credit_high=credit.high,
        rating=None if rating is None else rating.value,
        error=None if rating is None else rating.error,
        faults=faults.get(version.id, 0),
    )


def _ranked(rows: list[StandingRow]) -> tuple[StandingRow, ...]:
    """Best first: by rating, unrated ones behind, by credit, then by name; equals share a rank."""

    def strength(row: StandingRow) -> tuple[float, float]:
        # Rounded as shown: what looks equal is ranked equal.
        rating = float("-inf") if row.rating is None else round(row.rating, 1)
        return (-rating, -round(row.credit, 4))

    ordered = sorted(rows, key=lambda row: (*strength(row), row.owner, row.bot, row.version))
    ranked: list[StandingRow] = []
    for index, row in enumerate(ordered):
        same = index > 0 and strength(row) == strength(ordered[index - 1])
        ranked.append(_with_rank(row, ranked[-1].rank if same else index + 1))
    return tuple(ranked)


def _with_rank(row: StandingRow, rank: int) -> StandingRow:
    return replace(row, rank=rank)
