"""The course of a tournament as messages."""

from __future__ import annotations

from arena_service.ratings import sprt
from arena_service.store import settings
from arena_service.store.courses import (
    BracketRow,
    ComparisonRow,
    Course,
    EncounterRow,
    EntrantRow,
    RoundRow,
    TableRow,
)
from interrex.arena.v1.tournament_service_pb2 import (
    BracketSlot,
    CourseEntrant,
    Encounter,
    Round,
    ShowCourseResponse,
    Sprt,
    TableLine,
    TestProgress,
    TieBreak,
)


def rule(message: Sprt) -> sprt.Sprt:
    """A stopping rule; raises InvalidError."""
    return settings.sprt(message.elo0, message.elo1, message.alpha, message.beta)


def message(course: Course) -> ShowCourseResponse:
    """All of it."""
    return ShowCourseResponse(
        entrants=map(_entrant, course.entrants),
        rounds=map(_round, course.rounds),
        table=map(_line, course.table),
        bracket=map(_slot, course.bracket),
        test=None if course.test is None else _test(course.test),
    )


def _entrant(row: EntrantRow) -> CourseEntrant:
    return CourseEntrant(
        bot=row.bot,
        owner=row.owner,
        version=row.version,
        version_id=row.version_id,
        seed=row.seed or 0,
        rating=row.rating,
        challenger=row.challenger,
        left=row.left,
        reason=row.reason,
    )


def _round(row: RoundRow) -> Round:
    return Round(
        number=row.number,
        closed=row.closed,
        encounters=map(_encounter, row.encounters),
        byes=[each.version_id for each in row.byes],
    )


def _encounter(row: EncounterRow) -> Encounter:
    return Encounter(
        players=[each.version_id for each in row.players],
        credits=row.credits,
        pairs_done=row.pairs_done,
        pairs_planned=row.pairs_planned,
        points=row.points or (),
    )


def _line(row: TableRow) -> TableLine:
    return TableLine(
        rank=row.rank,
        version_id=row.entrant.version_id,
        points=row.points,
        tie_breaks=[TieBreak(name=name, value=value) for name, value in row.tie_breaks],
    )


def _slot(row: BracketRow) -> BracketSlot:
    return BracketSlot(
        side=row.side,
        round=row.round,
        players=[_id(each) for each in row.players or ()],
        decided=row.decided,
        winner=_id(row.winner),
        rounds=row.rounds,
    )


def _id(row: EntrantRow | None) -> str:
    return "" if row is None else row.version_id


def _test(row: ComparisonRow) -> TestProgress:
    rule = row.rule
    return TestProgress(
        rule=Sprt(elo0=rule.elo0, elo1=rule.elo1, alpha=rule.alpha, beta=rule.beta),
        llr=row.llr,
        lower=row.lower,
        upper=row.upper,
        verdict=row.verdict,
        looked=row.looked,
        pairs=row.pairs,
        pairs_at_most=row.pairs_at_most,
    )
