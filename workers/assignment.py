"""Play one leased series: from the assignment to process sets, and from outcomes back to `Work`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from structlog.contextvars import bind_contextvars, unbind_contextvars

from arena_service.work import (
    AcceptedOutcome,
    Assignment,
    PlannedMatch,
    Work,
    WorkUnavailable,
)
from engine_service.client import Engine, MatchStart
from engine_service.logs import get_logger
from workers.match.clock import VOID_ATTEMPTS
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.metrics import count_plies
from workers.sandbox.staging import Runtime
from workers.stopping import NEVER, Stopping

log = get_logger("interrex.slot")


class LeaseLost(RuntimeError):
    """The series belongs to another worker by now; nothing more may be reported."""


def play(
    assignment: Assignment,
    work: Work,
    engine: Engine,
    runtime: Runtime,
    stopping: Stopping = NEVER,
) -> None:
    """Play every match of the series and report each when it ends; raises LeaseLost, Stopped."""
    # Games of a check differ in seats; in every other series each match has the same players.
    order = max((match.players for match in assignment.matches), key=len)
    sources = [_source(version, assignment, work, runtime) for version in order]

    def on_progress(match_id: str, ply: int) -> None:
        stopping.within_match()
        try:
            held = work.progress(assignment.series, assignment.fence, {match_id: ply})
        except WorkUnavailable as error:  # the match goes on: its result tells who held the lease
            log.warning("the progress could not be told", error=str(error))
            return
        if not held:
            raise LeaseLost(assignment.series)

    def on_outcome(outcome: Outcome) -> None:
        accepted = AcceptedOutcome(
            match_id=outcome.match_id,
            replay=outcome.replay,
            seat_cpu_ms=outcome.seat_cpu_ms,
            evidence=[asdict(item) for item in outcome.evidence],
        )
        if not work.accept(assignment.series, assignment.fence, accepted):
            raise LeaseLost(assignment.series)
        count_plies(outcome.replay["game"], accepted.evidence)
        stopping.between_matches()
        begin_next()

    begin_next = _beginnings(assignment)
    begin_next()
    legs = [_leg(match, order) for match in assignment.matches]
    try:
        play_series(engine, sources, legs, assignment.limits, runtime, on_progress, on_outcome)
    finally:
        unbind_contextvars("match_id", "attempt_id")


def _beginnings(assignment: Assignment) -> Callable[[], None]:
    """Each call names, in every line of the log from now on, the match that is played next."""
    coming = iter(assignment.matches)

    def begin_next() -> None:
        match = next(coming, None)
        if match is None:
            return
        attempt = assignment.attempts[match.match_id]
        bind_contextvars(match_id=match.match_id, attempt_id=attempt)
        log.info("match begins", game=match.game, pair=match.pair, leg=match.leg)

    return begin_next


def _source(version: str, assignment: Assignment, work: Work, runtime: Runtime) -> BotSource:
    sha256, argv = assignment.artifacts[version]
    return BotSource(runtime.stage_bot(sha256, partial(work.artifact, sha256)), argv)


def _leg(match: PlannedMatch, order: list[str]) -> LegPlan:
    start = MatchStart(
        game=match.game,
        options=match.options,
        seats=match.seats,
        seed=match.seed,
        rules_version=match.rules_version,
    )
    return LegPlan(
        match_id=match.match_id,
        start=start,
        seating=_seating(match.players, order),
        bot_seeds=match.bot_seeds,
        leg=match.leg,
        no_excuse=_no_excuse(match),
    )


def _no_excuse(match: PlannedMatch) -> frozenset[int]:
    return frozenset(seat for seat, times in match.voided.items() if times >= VOID_ATTEMPTS)


def _seating(players: list[str], order: list[str]) -> tuple[int, ...]:
    """Which entry of `order` sits on each seat; of a version that plays itself, each entry once."""
    free = list(range(len(order)))
    seating = []
    for version in players:
        index = next(i for i in free if order[i] == version)
        free.remove(index)
        seating.append(index)
    return tuple(seating)
