"""Events that have ended as the lines of an export, read page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.audit import documents as d
from arena_service.formats import catalogue as formats
from arena_service.formats.comparison import look
from arena_service.ratings.table import StandingRow
from arena_service.store.competitions import Competition, find
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError
from arena_service.store.faults import seats_at_fault
from arena_service.store.ledger import Scope
from arena_service.store.rounds import field_of, history
from arena_service.store.settings import settings_of
from arena_service.store.standings import standings_of
from arena_service.store.states import ENDED, EventState
from arena_service.store.tables import (
    Account,
    Annulment,
    Bot,
    BotVersion,
    Departure,
    Entrant,
    Event,
    Evidence,
    Ladder,
    Match,
    MatchSeat,
    Pair,
    Rating,
    Result,
    Round,
    SeatResult,
    Tournament,
)

MAX_MATCHES = 200_000
PAGE = 10  # pairs: their replays are in memory together


def of_tournament(db: Database, wanted: str) -> Iterator[d.Line]:
    """A tournament by id or name; raises NotFoundError, or ConflictError until it has ended."""
    with db.read() as session:
        row = find(session, Tournament, wanted)
        event = session.scalars(select(Event).where(col(Event.tournament) == row.id)).one()
    if event.state not in ENDED:
        raise ConflictError(f"{row.name} is {event.state}: it can be exported when it has ended")
    return _lines(db, row, [event], Scope(tournament=row.id))


def of_ladder(db: Database, wanted: str, slot: int = 0) -> Iterator[d.Line]:
    """Every complete slot of a ladder by id or name, or the one of that number.

    Raises NotFoundError; ConflictError when none is complete, or when they are too much for a file.
    """
    with db.read() as session:
        row = find(session, Ladder, wanted)
        complete = select(Event).where(
            col(Event.ladder) == row.id, col(Event.state) == EventState.COMPLETE
        )
        if slot:
            complete = complete.where(col(Event.slot) == slot)
        events = list(session.scalars(complete.order_by(col(Event.slot))))
        if not events:
            raise ConflictError(f"{row.name} has no complete slot {slot or ''}".rstrip())
        _check_size(session, row, [event.id for event in events])
    last = events[-1].slot or 0
    return _lines(db, row, events, Scope(ladder=row.id, slots=(events[0].slot or 0, last)))


def _check_size(session: Session, ladder: Ladder, events: Sequence[str]) -> None:
    matches = select(func.count()).select_from(Match).where(col(Match.event).in_(events))
    if (session.scalar(matches) or 0) > MAX_MATCHES:
        raise ConflictError(
            f"{ladder.name} has more than {MAX_MATCHES} matches: export one slot of it"
        )


def _lines(
    db: Database, competition: Competition, events: Sequence[Event], scope: Scope
) -> Iterator[d.Line]:
    kind = "ladder" if isinstance(competition, Ladder) else "tournament"
    yield d.Export(d.FORMAT, kind, competition.id, competition.name)
    for event in events:
        yield _event(competition, event)
        with db.read() as session:
            head = list(_head(session, competition, event))
            tail = [*_ratings(session, event.id), *_table(session, competition, event)]
        yield from head
        yield from _matches(db, event.id)
        yield from tail
    with db.read() as session:
        table = standings_of(session, events[-1], scope)
    yield from map(_standing, table)


def _event(competition: Competition, event: Event) -> d.Event:
    return d.Event(
        id=event.id,
        slot=event.slot,
        state=event.state,
        format=formats.LADDER if isinstance(competition, Ladder) else competition.format,
        game=competition.game,
        rules_version=event.rules_version or competition.rules_version,
        options=competition.options,
        seats=competition.seats,
        pairs=_pairs(competition),
        rounds=1 if isinstance(competition, Ladder) else competition.rounds,
        settings=d.Settings() if isinstance(competition, Ladder) else _settings(competition),
        limits=event.limits,
        commitment=event.commitment,
        key=event.key.hex(),
        entrants_digest=event.entrants_digest,
        closed_at=event.closed_at,
        completed_at=event.completed_at,
    )


def _settings(tournament: Tournament) -> d.Settings:
    found = settings_of(tournament)
    rule = None if found.sprt is None else d.Rule(**asdict(found.sprt))
    return d.Settings(list(found.challengers), found.seeding, rule)


def _pairs(competition: Competition) -> int:
    if isinstance(competition, Ladder):
        return competition.pairs_per_slot
    return competition.pairs


def _head(session: Session, competition: Competition, event: Event) -> Iterator[d.Line]:
    """Entrants, departures, rounds and pairs."""
    yield from _entrants(session, event.id)
    departures = select(Departure).where(col(Departure.event) == event.id)
    for gone in session.scalars(
        departures.order_by(col(Departure.round), col(Departure.bot_version))
    ):
        yield d.Departure(gone.event, gone.bot_version, gone.kind, gone.round, gone.reason)
    planned = select(Round).where(col(Round.event) == event.id).order_by(col(Round.number))
    rounds = [d.Round(r.event, r.number, r.pairs, r.byes) for r in session.scalars(planned)]
    pairs = select(Pair).where(col(Pair.event) == event.id).order_by(col(Pair.number))
    numbered = [d.Pair(p.event, p.number, p.round, p.seed, p.legs) for p in session.scalars(pairs)]
    if numbered and not rounds:  # all was planned at once
        rounds = [d.Round(event.id, 1, _pairs(competition), [])]
    yield from rounds
    yield from numbered


def _entrants(session: Session, event: str) -> Iterator[d.Entrant]:
    rows = session.execute(
        select(Entrant, col(Account.name), col(Bot.name), col(BotVersion.number))
        .join(BotVersion, col(Entrant.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(Entrant.event) == event)
        .order_by(col(Entrant.bot_version))
    )
    for row, owner, bot, version in rows:
        yield d.Entrant(
            event=event,
            bot_version=row.bot_version,
            bot_id=row.bot_id,
            sha256=row.sha256,
            owner=owner,
            bot=bot,
            version=version,
            seed=row.seed,
            rating=row.rating,
            challenger=row.challenger,
            error=row.error,
            pairs=row.pairs,
            waited=row.waited,
            met=row.met,
        )


def _ratings(session: Session, event: str) -> Iterator[d.Rating]:
    rows = select(Rating).where(col(Rating.event) == event).order_by(col(Rating.bot_version))
    for row in session.scalars(rows):
        yield d.Rating(event, row.bot_version, row.value, row.error)


def _table(session: Session, competition: Competition, event: Event) -> Iterator[d.Line]:
    """The format's own table, and how a test with a stopping rule ended."""
    if isinstance(competition, Ladder) or event.entrants_digest is None:
        return
    field, played = field_of(session, event, competition), history(session, event.id)
    for line in formats.find(competition.format).table(field, played):
        breaks = list(line.tie_breaks)
        yield d.Place(event.id, line.rank, line.entrant, line.points, breaks)
    if field.sprt is not None:
        seen = look(field.sprt, played)
        yield d.Look(event.id, seen.verdict.value, seen.looked, seen.llr, seen.pairs)


def _standing(row: StandingRow) -> d.Standing:
    return d.Standing(
        rank=row.rank,
        bot_version=row.version_id,
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


def _matches(db: Database, event: str) -> Iterator[d.Match]:
    """In the order of pairs and legs; a page is read in one transaction and then sent."""
    with db.read() as session:
        pairs = session.scalar(select(func.count()).where(col(Pair.event) == event)) or 0
    for first in range(0, pairs, PAGE):
        with db.read() as session:
            page = list(_page(session, event, first))
        yield from page


def _page(session: Session, event: str, first: int) -> Iterator[d.Match]:
    planned = session.execute(
        select(Match, col(Pair.number))
        .join(Pair, col(Match.pair) == col(Pair.id))
        .where(
            col(Pair.event) == event,
            col(Pair.number) >= first,
            col(Pair.number) < first + PAGE,
        )
        .order_by(col(Pair.number), col(Match.leg))
    ).all()
    ids = [match.id for match, _ in planned]
    seats = _by_match(session, MatchSeat, ids, col(MatchSeat.seat))
    ranked = _by_match(session, SeatResult, ids, col(SeatResult.seat))
    results = {row.match: row for row in _of(session, Result, ids)}
    annulled = {row.match: row.created_at for row in _of(session, Annulment, ids)}
    broke = _broke(session, ids)
    for match, pair in planned:
        result = results.get(match.id)
        yield d.Match(
            event=event,
            pair=pair,
            leg=match.leg,
            id=match.id,
            players=[d.Player(row.bot_version, row.bot_seed) for row in seats[match.id]],
            result=result and _result(result, ranked[match.id], broke[match.id]),
            annulled_at=annulled.get(match.id),
            replay=msgspec.Raw(result.replay if result else d.NO_REPLAY),
        )


def _result(row: Result, seats: Sequence[SeatResult], broke: set[int]) -> d.Result:
    ranks = [seat.rank for seat in seats if seat.rank is not None]
    credits = [seat.credit for seat in seats if seat.credit is not None]
    return d.Result(
        ending=row.ending,
        at_fault=row.at_fault,
        ranks=ranks or None,
        credits=credits or None,
        faults=sorted(seats_at_fault(row, broke)),
        digest=row.digest,
    )


def _of(session: Session, table: Any, ids: Sequence[str]) -> Iterable[Any]:
    return session.scalars(select(table).where(table.match.in_(ids)))


def _by_match(
    session: Session, table: Any, ids: Sequence[str], order: Any
) -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = defaultdict(list)
    for row in session.scalars(select(table).where(table.match.in_(ids)).order_by(order)):
        found[row.match].append(row)
    return found


def _broke(session: Session, ids: Sequence[str]) -> Mapping[str, set[int]]:
    """By match: the seats that broke a limit."""
    found: dict[str, set[int]] = defaultdict(set)
    rows = session.execute(
        select(col(Result.match), col(Evidence.seat))
        .join(Evidence, col(Evidence.attempt) == col(Result.attempt))
        .where(col(Result.match).in_(ids), col(Evidence.limit) != "")
    )
    for match, seat in rows:
        found[match].add(seat)
    return found
