"""The course of a tournament for everybody to see: rounds, encounters, bracket, table, test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.formats import format as pure
from arena_service.formats.comparison import look
from arena_service.formats.double_elimination import DoubleElimination, standings
from arena_service.formats.scoring import points_of
from arena_service.ratings.sprt import Sprt
from arena_service.store.competitions import find
from arena_service.store.database import Database
from arena_service.store.rounds import field_of, groups_of, history
from arena_service.store.tables import (
    Account,
    Bot,
    BotVersion,
    Departure,
    Entrant,
    Event,
    Pair,
    Round,
    Tournament,
)


@dataclass(frozen=True)
class EntrantRow:
    """Who plays; `seed` from 1; `left` is empty, withdrawn or disqualified, `reason` says why."""

    version_id: str
    bot: str
    owner: str
    version: int
    seed: int | None
    rating: float | None
    challenger: bool
    left: str
    reason: str


@dataclass(frozen=True)
class EncounterRow:
    """A group of a round, `players` as they sit in leg 0 of its first pair.

    `credits` by player over the `pairs_done` whole pairs of `pairs_planned`; `points` by player
    once the round is closed, in formats that give any.
    """

    players: tuple[EntrantRow, ...]
    credits: tuple[float, ...]
    pairs_done: int
    pairs_planned: int
    points: tuple[float, ...] | None


@dataclass(frozen=True)
class RoundRow:
    """What was planned together; `byes` had nobody to meet."""

    number: int
    closed: bool
    encounters: tuple[EncounterRow, ...]
    byes: tuple[EntrantRow, ...]


@dataclass(frozen=True)
class TableRow:
    """A line of the format's own table; `tie_breaks` by name in the order in which they count."""

    rank: int
    entrant: EntrantRow
    points: float
    tie_breaks: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class BracketRow:
    """An encounter of the bracket, in the order of play.

    `side` is winners, losers, final or reset, `round` counts within it. `players` once they are
    known (None in it: nobody came), `winner` once it is decided; `rounds`: when it was played.
    """

    side: str
    round: int
    players: tuple[EntrantRow | None, EntrantRow | None] | None
    decided: bool
    winner: EntrantRow | None
    rounds: tuple[int, ...]


@dataclass(frozen=True)
class ComparisonRow:
    """How far a test with a stopping rule is, of whole pairs in their order.

    `verdict` is open, stronger or not stronger, of the first entrant after `looked` pairs; it is
    made when `llr` reaches `lower` or `upper`. `path`: the ratio after each of those pairs.
    """

    rule: Sprt
    llr: float
    lower: float
    upper: float
    verdict: str
    looked: int
    pairs: int
    pairs_at_most: int
    path: tuple[float, ...]


@dataclass(frozen=True)
class Course:
    """Everything of one tournament; empty where it has none, `test` None likewise."""

    entrants: tuple[EntrantRow, ...]
    rounds: tuple[RoundRow, ...]
    table: tuple[TableRow, ...]
    bracket: tuple[BracketRow, ...]
    test: ComparisonRow | None


Names = Mapping[str, EntrantRow]


def course(db: Database, tournament: str) -> Course:
    """By id or name; raises NotFoundError. Table and bracket follow from the closed rounds."""
    with db.read() as session:
        row = find(session, Tournament, tournament)
        event = session.scalars(select(Event).where(col(Event.tournament) == row.id)).one()
        names = _names(session, event.id)
        field, played = field_of(session, event, row), history(session, event.id)
        planned = select(Round).where(col(Round.event) == event.id).order_by(col(Round.number))
        rounds = list(session.scalars(planned))
        closed = [each for each, at in zip(played, rounds, strict=True) if at.closed_at is not None]
        format = formats.find(row.format)
        scored = format.two_seats and bool(format.table(field, closed))
        sizes = _sizes(session, event.id)
        return Course(
            entrants=tuple(sorted(names.values(), key=lambda each: each.seed or 0)),
            rounds=tuple(
                _round(at, each, field if scored else None, names, sizes)
                for each, at in zip(played, rounds, strict=True)
            ),
            table=tuple(
                TableRow(line.rank, names[line.entrant], line.points, line.tie_breaks)
                for line in format.table(field, closed)
            ),
            bracket=tuple(_bracket(field, closed, names) if _has_bracket(format) else ()),
            test=_test(field, played),
        )


def _has_bracket(format: pure.Format) -> bool:
    return isinstance(format, DoubleElimination)


def _round(
    at: Round,
    played: pure.Round,
    field: pure.Field | None,
    names: Names,
    sizes: Mapping[tuple[int, frozenset[str]], int],
) -> RoundRow:
    """`field` where the format gives points."""
    rows = []
    for each in played.encounters:
        got = None
        if field is not None and at.closed_at is not None:
            points = points_of(each, field)
            got = tuple(points[entrant] for entrant in each.group)
        planned = sizes[at.number, frozenset(each.group)]
        players = tuple(names[entrant] for entrant in each.group)
        rows.append(EncounterRow(players, each.credits, each.pairs, planned, got))
    byes = tuple(names[entrant] for entrant in at.byes)
    return RoundRow(at.number, at.closed_at is not None, tuple(rows), byes)


def _bracket(field: pure.Field, played: Sequence[pure.Round], names: Names) -> list[BracketRow]:
    def named(entrant: str | None) -> EntrantRow | None:
        return None if entrant is None else names[entrant]

    rows = []
    for each in standings(field, played):
        players = each.players
        both = None if players is None else (named(players[0]), named(players[1]))
        side, round = each.slot.side.value, each.slot.round
        winner = named(each.winner)
        rows.append(BracketRow(side, round, both, each.decided, winner, each.rounds))
    return rows


def _test(field: pure.Field, played: Sequence[pure.Round]) -> ComparisonRow | None:
    rule = field.sprt
    if rule is None:
        return None
    seen = look(rule, played)
    return ComparisonRow(
        rule=rule,
        llr=seen.llr,
        lower=rule.lower,
        upper=rule.upper,
        verdict=seen.verdict.value,
        looked=seen.looked,
        pairs=seen.pairs,
        pairs_at_most=field.pairs,
        path=seen.path,
    )


def _sizes(session: Session, event: str) -> Counter[tuple[int, frozenset[str]]]:
    """How many pairs are planned, by round and group."""
    groups = groups_of(session, event)
    pairs = session.execute(select(col(Pair.id), col(Pair.round)).where(col(Pair.event) == event))
    return Counter((round, frozenset(groups[pair])) for pair, round in pairs)


def _names(session: Session, event: str) -> dict[str, EntrantRow]:
    left = {
        row.bot_version: row
        for row in session.scalars(
            select(Departure)
            .where(col(Departure.event) == event)
            .order_by(col(Departure.kind).desc())  # to be disqualified outweighs to withdraw
        )
    }
    rows = session.execute(
        select(Entrant, BotVersion, col(Bot.name), col(Account.name))
        .join(BotVersion, col(Entrant.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(Entrant.event) == event)
    )
    found = {}
    for entrant, version, bot, owner in rows:
        gone = left.get(version.id)
        found[version.id] = EntrantRow(
            version_id=version.id,
            bot=bot,
            owner=owner,
            version=version.number,
            seed=entrant.seed,
            rating=entrant.rating,
            challenger=bool(entrant.challenger),
            left="" if gone is None else gone.kind,
            reason="" if gone is None else gone.reason,
        )
    return found
