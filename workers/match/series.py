"""Play a series of matches between the same bots, each leg of a pair with processes of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine_service.client import Engine, Finished, MatchSession, MatchStart, Turn
from engine_service.core.errors import IllegalActionError
from workers.match.asking import put
from workers.match.evidence import SeatEvidence, SeatRecord
from workers.match.proc import peak_bytes
from workers.match.runner import Act, Ask, MatchRunner, Over, Step, Stop
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

PROGRESS_SECONDS = 1.0


@dataclass(frozen=True)
class BotSource:
    """A staged bot: its folder and the command that starts it."""

    dir: Path
    argv: Sequence[str]


@dataclass(frozen=True)
class LegPlan:
    """One match of the series: `seating[seat]` is an index of the players, `leg` of the processes.

    `no_excuse`: seats that were late on a stalled host in VOID_ATTEMPTS attempts at this match;
    late once more they lose by time-out.
    """

    match_id: str
    start: MatchStart
    seating: tuple[int, ...]
    bot_seeds: tuple[str, ...]
    leg: int
    no_excuse: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Outcome:
    """A finished match; lists are by seat."""

    match_id: str
    replay: dict[str, Any]
    seat_cpu_ms: list[float]
    evidence: list[SeatEvidence]


OnProgress = Callable[[str, int], None]
OnOutcome = Callable[[Outcome], None]


def play_series(
    engine: Engine,
    players: Sequence[BotSource],
    legs: Sequence[LegPlan],
    limits: Limits | Mapping[str, object],
    runtime: Runtime,
    on_progress: OnProgress,
    on_outcome: OnOutcome,
) -> None:
    """Play all `legs` in their order; every outcome is reported as soon as it is known.

    Infrastructure trouble raises (EngineUnavailable, SandboxRefused, HostStall) and, like every
    other way out, ends all bot processes.
    """
    _check_no_deal_twice(legs)
    bounds = limits if isinstance(limits, Limits) else Limits.from_plain(limits)
    versions = {game.name: game.rules_version for game in engine.games()}
    report = _sparing(on_progress)
    with ExitStack() as stack:
        sets: dict[int, ProcessSet] = {}
        for leg in legs:
            if leg.leg not in sets:
                sets[leg.leg] = stack.enter_context(ProcessSet(players, bounds, runtime))
            match = _Match(engine, _versioned(leg, versions), bounds, sets[leg.leg], report)
            on_outcome(match.play())


def _versioned(leg: LegPlan, versions: Mapping[str, int]) -> LegPlan:
    """Bots are told the rules that are played: those that the plan names, else the installed."""
    if leg.start.rules_version is not None:
        return leg
    return replace(leg, start=replace(leg.start, rules_version=versions.get(leg.start.game)))


def _sparing(on_progress: OnProgress) -> OnProgress:
    """Pass progress on at most every PROGRESS_SECONDS, however short the matches are."""
    reported = time.monotonic()

    def report(match_id: str, ply: int) -> None:
        nonlocal reported
        if (now := time.monotonic()) - reported >= PROGRESS_SECONDS:
            reported = now
            on_progress(match_id, ply)

    return report


def _check_no_deal_twice(legs: Sequence[LegPlan]) -> None:
    """A process that met a deal before would know it: the plan must keep legs of a seed apart."""
    seen: set[tuple[int, str]] = set()
    for leg in legs:
        if (leg.leg, leg.start.seed) in seen:
            raise ValueError(f"match {leg.match_id}: its process set would meet its deal twice")
        seen.add((leg.leg, leg.start.seed))


class ProcessSet:
    """One process per player, started when first needed and replaced after a fault."""

    def __init__(self, players: Sequence[BotSource], limits: Limits, runtime: Runtime) -> None:
        """Starts nothing yet."""
        self._players = players
        self._limits = limits
        self._runtime = runtime
        self._processes: dict[int, BotProcess] = {}

    def __enter__(self) -> ProcessSet:
        """Nothing to do."""
        return self

    def __exit__(self, *_: object) -> None:
        """End every process."""
        for player in list(self._processes):
            self.drop(player)

    def process(self, player: int) -> BotProcess:
        """The player's process, started in its sandbox if there is none."""
        if player not in self._processes:
            source = self._players[player]
            self._processes[player] = BotProcess(
                source.dir, list(source.argv), self._runtime, self._limits
            )
        return self._processes[player]

    def drop(self, player: int) -> None:
        """End the player's process, if there is one."""
        process = self._processes.pop(player, None)
        if process is not None:
            process.close()


class _Match:
    """The driver of one MatchRunner: performs its steps with real processes and the engine."""

    def __init__(
        self,
        engine: Engine,
        leg: LegPlan,
        limits: Limits,
        processes: ProcessSet,
        on_progress: OnProgress,
    ) -> None:
        self._engine = engine
        self._leg = leg
        self._processes = processes
        self._on_progress = on_progress
        self._runner = MatchRunner(leg.match_id, leg.start, leg.bot_seeds, limits, leg.no_excuse)

    def play(self) -> Outcome:
        """From hello to end."""
        for seat in range(self._leg.start.seats):
            self._process(seat).new_match()
        session = self._engine.play(self._leg.start)
        try:
            step: Step = self._runner.begin(session.offer)
            while not isinstance(step, Over):
                step = self._perform(step, session)
        finally:
            session.close()
        return self._finish(step)

    def _perform(self, step: Ask | Act | Stop, session: MatchSession) -> Step:
        if isinstance(step, Ask):
            self._on_progress(self._leg.match_id, self._runner.ply)
            return self._runner.answered(*put(step, self._process(step.seat)))
        if isinstance(step, Stop):
            return self._runner.offered(_stop(step, session))
        try:
            return self._runner.offered(session.act(step.action))
        except IllegalActionError as error:
            return self._runner.refused(str(error))

    def _process(self, seat: int) -> BotProcess:
        return self._processes.process(self._leg.seating[seat])

    def _finish(self, over: Over) -> Outcome:
        records = self._runner.records
        evidence = [self._evidence(record) for record in records]
        for seat, line in over.farewells:
            self._process(seat).send(line)
        for seat in over.broken:
            self._processes.drop(self._leg.seating[seat])
        cpu_ms = [round(record.total_ms, 3) for record in records]
        return Outcome(self._leg.match_id, over.replay, cpu_ms, evidence)

    def _evidence(self, record: SeatRecord) -> SeatEvidence:
        process = self._process(record.seat)
        process.pump(0)  # what it wrote to its log after its last answer
        return record.evidence(process.stderr_tail, peak_bytes(process.pid))


def _stop(step: Stop, session: MatchSession) -> Turn | Finished:
    if step.at_fault is None:
        return session.no_contest()
    return session.end(step.ending, step.at_fault)
