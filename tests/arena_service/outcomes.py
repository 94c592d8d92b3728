"""What a worker would report of a whole match of Claim, played in this process."""

from __future__ import annotations

from collections.abc import Callable

from arena_service.work import AcceptedOutcome, PlannedMatch
from engine_service.client import Finished, LocalEngine, MatchSession, MatchStart, Turn

Choice = Callable[[Turn], str]
Ending = Callable[[MatchSession], Finished]


def first(turn: Turn) -> str:
    """The first legal action."""
    return turn.legal[0]


def last(turn: Turn) -> str:
    """The last legal action."""
    return turn.legal[-1]


def played(
    match: PlannedMatch, choice: Choice = first, end: Ending | None = None
) -> AcceptedOutcome:
    """Both seats choose so until the match is over, or `end` ends it after two decisions."""
    session = LocalEngine().play(MatchStart(match.game, match.options, match.seats, match.seed))
    decisions = 0
    while not isinstance(session.offer, Finished):
        if end is not None and decisions == 2:
            return _outcome(match, end(session))
        session.act(choice(session.offer))
        decisions += 1
    return _outcome(match, session.offer)


def no_contest(match: PlannedMatch) -> AcceptedOutcome:
    """Neither side started."""
    session = LocalEngine().play(MatchStart(match.game, match.options, match.seats, match.seed))
    return _outcome(match, session.no_contest())


def _outcome(match: PlannedMatch, finished: Finished) -> AcceptedOutcome:
    evidence = [{"seat": seat, "limit": ""} for seat in range(match.seats)]
    return AcceptedOutcome(match.match_id, finished.replay, [1.0] * match.seats, evidence)
