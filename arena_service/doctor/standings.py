"""What is kept so that pages need not count: the tallies of ladders, the records of versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.formats.credit import Fared, fared
from arena_service.ratings.tallies import Tally, tallied
from arena_service.store import ladder_tallies, tallies
from arena_service.store.faults import own_fault
from arena_service.store.ladder_tallies import Kept
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.states import EventState, MatchKind
from arena_service.store.tables import BotVersion, Event, Match, MatchSeat, Result, SeatResult

COUNTS = ("wins", "draws", "losses", "faults")


def check_standings(session: Session, proof: Proof) -> None:
    """Count again what the newest complete slot of each ladder kept, and every version's record."""
    completed: Any = select(col(Event.ladder), col(Event.rules_version)).where(
        col(Event.ladder).is_not(None), col(Event.state) == EventState.COMPLETE
    )
    for ladder, rules in session.execute(completed.distinct()):
        kept = ladder_tallies.newest(session, Scope(ladder), rules)
        if kept is not None:
            proof.take(f"ladder {ladder}", _of_ladder(session, ladder, rules, kept))
    counted = _records(session)
    for version in session.scalars(select(BotVersion)):
        proof.take(f"version {version.id}", _of_version(version, counted[version.id]))


def _of_ladder(session: Session, ladder: str, rules: int, kept: Kept) -> Iterator[str]:
    scope = Scope(ladder, slots=(1, kept.slot))
    counted = tallied(rated_rows(session, scope, rules))
    faults = tallies.faults(session, scope, rules)
    for version in sorted({*counted, *faults, *kept.tallies}):
        known, found = kept.tallies.get(version, Tally()), counted.get(version, Tally())
        if _plain(known) != _plain(found):
            yield f"keeps other results of version {version} than its ledger has"
        if kept.faults.get(version, 0) != faults.get(version, 0):
            yield f"keeps other faults of version {version} than its results have"


def _plain(tally: Tally) -> tuple[Mapping[float, int], int, int, int]:
    return dict(tally.means()), tally.wins, tally.draws, tally.losses


def _of_version(version: BotVersion, counted: Mapping[str, int]) -> Iterator[str]:
    for name in COUNTS:
        known = getattr(version, name)
        if known != counted[name]:
            yield f"has {name}: {known}, its results say {counted[name]}"


def _records(session: Session) -> Mapping[str, Mapping[str, int]]:
    """By version: its seats in rated matches, counted."""
    words = {Fared.WON: "wins", Fared.DRAWN: "draws", Fared.LOST: "losses"}
    found: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for version, rank, credit, count in session.execute(_ended()):
        found[version][words[fared(rank == 1, credit)]] += count
    for version, count in session.execute(_faults()):
        found[version]["faults"] = count
    return found


def _ended() -> Any:
    """Version, rank, credit, and how many of its seats got both."""
    got = (col(MatchSeat.bot_version), col(SeatResult.rank), col(SeatResult.credit))
    return (
        select(*got, func.count())
        .join(Match, col(Match.id) == col(MatchSeat.match))
        .join(
            SeatResult,
            (col(SeatResult.match) == col(MatchSeat.match))
            & (col(SeatResult.seat) == col(MatchSeat.seat)),
        )
        .where(col(Match.kind) == MatchKind.RATED, col(SeatResult.credit).is_not(None))
        .group_by(*got)
    )


def _faults() -> Any:
    return (
        select(col(MatchSeat.bot_version), func.count())
        .join(Match, col(Match.id) == col(MatchSeat.match))
        .join(Result, col(Result.match) == col(MatchSeat.match))
        .where(col(Match.kind) == MatchKind.RATED, own_fault())
        .group_by(col(MatchSeat.bot_version))
    )
