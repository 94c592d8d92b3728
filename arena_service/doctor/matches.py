"""What must hold of every single match: each function gives what is wrong with a record."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from math import isclose

from arena_service.doctor.records import Record
from arena_service.formats.credit import credits_of
from arena_service.store.states import COUNTED, AttemptOutcome, EventState, MatchState
from arena_service.store.tables import Ledger, Result
from engine_service.core import replay as replay_file
from engine_service.core.errors import ReplayError


def planned(record: Record, entrants: set[str]) -> Iterator[str]:
    """Pair, leg, seed, series, event and players belong together; `entrants` are of its event."""
    match, pair, series = record.match, record.pair, record.series
    if series is None:
        yield "is in no series"
    elif series.event != match.event:
        yield f"is of event {match.event}, its series {series.id} of {series.event}"
    if (match.kind in COUNTED) != (match.pair is not None and match.event is not None):
        yield f"is a {match.kind} match, pair {match.pair}, event {match.event}"
    if pair is not None:
        if pair.event != match.event:
            yield f"is of event {match.event}, its pair {pair.id} of {pair.event}"
        if pair.seed != match.seed:
            yield "its seed is not the one of its pair"
        if not 0 <= match.leg < pair.legs:
            yield f"is leg {match.leg} of a pair of {pair.legs}"
    if [row.seat for row in record.seats] != list(range(match.seats)):
        yield f"has players on seats {[row.seat for row in record.seats]}, not on {match.seats}"
    strangers = {row.bot_version for row in record.seats} - entrants
    if match.event is not None and strangers:
        yield f"is played by {', '.join(sorted(strangers))}, not entered in its event"


def resulted(record: Record, event: str | None, gone: AbstractSet[str]) -> Iterator[str]:
    """One result when it has ended, none before.

    `event` is the state of its event, `gone` who left it: their matches are not played any more.
    """
    match, result = record.match, record.result
    if match.state == MatchState.FINISHED and result is None:
        yield "has ended without a result"
    if match.state != MatchState.FINISHED and result is not None:
        yield f"is {match.state} and has a result"
    if match.state == MatchState.PLANNED and event in (EventState.COMPLETE, EventState.CANCELLED):
        yield f"is still to be played, its event is {event}"
    left = not gone.isdisjoint(row.bot_version for row in record.seats)
    if match.state == MatchState.CANCELLED and event != EventState.CANCELLED and not left:
        yield f"is cancelled, its event is {event} and nobody in it has left"
    if match.state == MatchState.PLANNED and left:
        yield "is still to be played by somebody who has left"
    yield from _attempted(record)


def _attempted(record: Record) -> Iterator[str]:
    accepted = [each for each in record.attempts if each.outcome == AttemptOutcome.ACCEPTED]
    wanted = [] if record.result is None else [record.result.attempt]
    if [each.id for each in accepted] != wanted:
        ids = ", ".join(each.id for each in accepted) or "none"
        yield f"has the result of attempt {', '.join(wanted) or 'none'}, accepted is {ids}"
    for each in record.attempts:
        if each.series != record.match.series:
            yield f"attempt {each.id} is of another series, {each.series}"
        if record.series is not None and each.fence > record.series.fence:
            yield f"attempt {each.id} has fence {each.fence}, its series {record.series.fence}"


def seated(record: Record) -> Iterator[str]:
    """A rank and a credit on every seat, the credit as it follows from the ranks."""
    rows, seats = record.seat_results, record.match.seats
    if record.result is None:
        if rows:
            yield "has ranks without a result"
        return
    if [row.seat for row in rows] != list(range(seats)):
        yield f"has ranks on seats {[row.seat for row in rows]}, not on {seats}"
        return
    ranks = [row.rank for row in rows if row.rank is not None]
    credits = [row.credit for row in rows if row.credit is not None]
    if record.result.ending == "no_contest":
        if ranks or credits:
            yield "was no contest and has ranks"
    elif len(ranks) < seats or not all(1 <= rank <= seats for rank in ranks):
        yield f"has the ranks {ranks} on {seats} seats"
    elif not _close(credits, expected := credits_of(ranks, _teams(record.result))):
        yield f"has the credits {credits}, from its ranks follow {expected}"


def _teams(result: Result) -> list[int] | None:
    """As its replay names them; one that cannot be read is told where replays are judged."""
    try:
        teams: list[int] | None = replay_file.read(result.replay).get("teams")
    except ReplayError:
        return None
    return teams


def entered_in_ledger(record: Record) -> Iterator[str]:
    """A row in the ledger when it counts and has ranks, saying what the result says."""
    if record.counts and record.ledger is None:
        yield f"is a {record.match.kind} match and not in the ledger"
    if not record.counts and record.ledger is not None:
        yield f"is in the ledger and a {record.match.kind} match, or without a result"
    if record.ledger is not None and record.result is not None:
        yield from _agrees(record, record.ledger, record.result)


def _agrees(record: Record, row: Ledger, result: Result) -> Iterator[str]:
    if (row.event, row.pair) != (record.match.event, record.match.pair):
        yield f"is of event {record.match.event} in the schedule, of {row.event} in the ledger"
    if row.seats != [seat.bot_version for seat in record.seats]:
        yield "has other players in the ledger than in the schedule"
    if not _close(row.credits, [seat.credit or 0.0 for seat in record.seat_results]):
        yield "has other credits in the ledger than in the results of its seats"
    if row.teams != _teams(result):
        yield "has other teams in the ledger than in its replay"
    if row.digest != result.digest:
        yield "has another digest in the ledger than in its result"


def _close(left: list[float], right: list[float]) -> bool:
    return len(left) == len(right) and all(map(isclose, left, right))
