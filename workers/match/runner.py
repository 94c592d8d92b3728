"""One match without I/O: it is told what bots and engine said, and answers what to do next.

The driver performs each step and reports back with the method that the step names, until `Over`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engine_service.client import Finished, MatchStart, Turn
from workers.match import protocol
from workers.match.clock import Bank, HostStall, hello_limits, is_stalled, wall_cap
from workers.match.evidence import SeatRecord
from workers.sandbox.faults import Answer, Fault
from workers.sandbox.limits import Limits

Ending = Literal["illegal_action", "timeout", "crash", "resigned", "no_contest"]


@dataclass(frozen=True)
class Ask:
    """Send a line to a seat's bot, await one line; report with `answered`.

    `wall_ms` is the cap on a quiet host: silence ends the wait when `clock.is_late` says so.
    """

    seat: int
    line: bytes
    cpu_ms: float
    wall_ms: float


@dataclass(frozen=True)
class Act:
    """Give an action to the engine; report with `offered` or, if it is not legal, `refused`."""

    action: str | int


@dataclass(frozen=True)
class Stop:
    """End the match before its end; report with `offered`. `no_contest` is nobody's fault alone."""

    ending: Ending
    at_fault: int | None


@dataclass(frozen=True)
class Over:
    """The match has a replay; `farewells` go to the bots that live, `broken` ones are replaced."""

    replay: dict[str, Any]
    farewells: tuple[tuple[int, bytes], ...]
    broken: frozenset[int]


Step = Ask | Act | Stop | Over


class MatchRunner:
    """The course of one match: hello to all seats in order, turns, ending, end to all."""

    def __init__(
        self,
        match_id: str,
        start: MatchStart,
        bot_seeds: Sequence[str],
        limits: Limits,
        no_excuse: frozenset[int] = frozenset(),
    ) -> None:
        """`match_id` is for messages to the operator, bots never see it.

        `start` names the rules version, which bots are told.
        A seat in `no_excuse` loses when it is late, also on a stalled host.
        """
        self._match_id = match_id
        self._start = start
        self._seeds = bot_seeds
        self._limits = limits
        self._no_excuse = no_excuse
        self._offer: Turn | Finished | None = None
        self._ask: Ask | None = None
        self._starting = True
        self._faults: dict[int, Fault] = {}
        self.records = [
            SeatRecord(seat, Bank(limits.move_cpu_ms, limits.bank_cpu_ms))
            for seat in range(start.seats)
        ]

    @property
    def ply(self) -> int:
        """Plies played so far, as far as the engine has told."""
        if isinstance(self._offer, Turn):
            return self._offer.ply
        return self._offer.plies if self._offer else 0

    def begin(self, offer: Turn | Finished) -> Step:
        """`offer` is the engine's first one; it is put only after every bot has started."""
        self._offer = offer
        return self._hello(0)

    def answered(self, reply: Answer, stall_ms: float = 0.0) -> Step:
        """A bot's reply to the last `Ask`, and how long the host stalled meanwhile.

        Raises HostStall when the bot is late and the host may be to blame.
        """
        ask = self._asked()
        late = reply.fault is not None and reply.fault.wall
        if late and ask.seat not in self._no_excuse and is_stalled(stall_ms, ask.wall_ms):
            raise HostStall(self._match_id, ask.seat, stall_ms)
        return self._started(ask, reply) if self._starting else self._decided(ask, reply)

    def offered(self, offer: Turn | Finished) -> Step:
        """The engine's next offer, after an `Act` or a `Stop`."""
        self._offer = offer
        return self._next()

    def refused(self, reason: str) -> Step:
        """The engine found the action illegal."""
        return self._forfeit(self._asked().seat, Fault("illegal_action", reason))

    def _hello(self, seat: int) -> Ask:
        seed = self._seeds[seat]
        limits = hello_limits(self._limits)
        line = protocol.hello(self._start, seat, seed, limits)
        budget = self._limits.start_cpu_ms
        self._ask = Ask(seat, line, budget, wall_cap(budget))
        return self._ask

    def _started(self, ask: Ask, reply: Answer) -> Step:
        self.records[ask.seat].started(reply)
        fault = reply.fault or _overdrawn(ask, reply) or _not_ready(reply)
        if fault is not None:
            self._blame(ask.seat, _with_limits(fault, ask))
        if ask.seat + 1 < self._start.seats:
            return self._hello(ask.seat + 1)
        self._starting = False
        if not self._faults:
            return self._next()
        teams = self._turn().teams
        if len({teams[seat] for seat in self._faults}) > 1:
            return Stop("no_contest", None)
        first = min(self._faults)
        return Stop(self._faults[first].ending, first)

    def _decided(self, ask: Ask, reply: Answer) -> Step:
        record = self.records[ask.seat]
        record.decided(reply)
        fault = reply.fault or _overdrawn(ask, reply)
        if fault is not None:
            return self._forfeit(ask.seat, _with_limits(fault, ask))
        turn = self._turn()
        try:
            answer = protocol.read_answer(reply.line or b"", turn.turn)
        except protocol.AnswerError as error:
            return self._forfeit(ask.seat, Fault("illegal_action", str(error)))
        if isinstance(answer, protocol.Resign):
            return Stop("resigned", ask.seat)
        record.note(turn.ply, answer.note)
        return Act(answer.action)

    def _next(self) -> Step:
        if isinstance(self._offer, Finished):
            return self._over(self._offer)
        turn = self._turn()
        record = self.records[turn.seat]
        record.last_view = turn.view.decode()
        line = protocol.turn(turn, record.bank.to_turn())
        self._ask = Ask(turn.seat, line, record.bank.allowance_ms, record.bank.wall_ms)
        return self._ask

    def _over(self, finished: Finished) -> Over:
        result = finished.replay["result"]
        living = [seat for seat in range(self._start.seats) if seat not in self._faults]
        farewells = tuple((seat, protocol.end(result, seat)) for seat in living)
        return Over(finished.replay, farewells, frozenset(self._faults))

    def _forfeit(self, seat: int, fault: Fault) -> Stop:
        self._blame(seat, fault)
        return Stop(fault.ending, seat)

    def _blame(self, seat: int, fault: Fault) -> None:
        self._faults[seat] = fault
        self.records[seat].broke(fault.detail)

    def _asked(self) -> Ask:
        if self._ask is None:
            raise RuntimeError("a reply came although nobody was asked")
        return self._ask

    def _turn(self) -> Turn:
        if not isinstance(self._offer, Turn):
            raise RuntimeError("the engine offers no turn")
        return self._offer


def _overdrawn(ask: Ask, reply: Answer) -> Fault | None:
    if reply.cpu_ms <= ask.cpu_ms:
        return None
    return Fault("timeout", f"{reply.cpu_ms:.0f} ms of CPU time, {ask.cpu_ms:.0f} ms were left")


def _with_limits(fault: Fault, ask: Ask) -> Fault:
    """A time-out with what was allowed, for the evidence."""
    if fault.ending != "timeout":
        return fault
    allowed = f"{ask.cpu_ms:.0f} ms of CPU time, {ask.wall_ms:.0f} ms by the wall clock"
    return replace(fault, detail=f"{fault.detail} (allowed: {allowed})")


def _not_ready(reply: Answer) -> Fault | None:
    try:
        protocol.read_ready(reply.line or b"")
    except protocol.AnswerError as error:
        return Fault("illegal_action", str(error))
    return None
