"""What is kept about each seat of a match, so that an author can see why it was lost."""

from __future__ import annotations

from dataclasses import dataclass, field

from workers.match.clock import Bank
from workers.match.protocol import cut_note
from workers.sandbox.faults import Answer

LINE_KEPT = 4096
LIMIT_KEPT = 1024


@dataclass(frozen=True)
class SeatEvidence:
    """One seat's record of one attempt; times in ms.

    `limit` says which limit or rule the bot broke and is empty for a bot at peace with all of them;
    `used_ms` is the CPU time of the last answer, `start_cpu_ms` that of the start; `cpu_per_ply`
    and `wall_per_ply` have one number per decision asked for, in order, without the start;
    `peak_bytes` is the most memory the bot's process ever held, None when it ended before it could
    be asked; `notes` are [ply, text].
    """

    seat: int
    limit: str
    used_ms: float
    start_cpu_ms: float
    cpu_per_ply: list[float]
    wall_per_ply: list[float]
    peak_bytes: int | None
    last_view: str
    last_line: str
    stderr_tail: str
    notes: list[list[int | str]]


@dataclass
class SeatRecord:
    """The same while the match runs, with the seat's clock."""

    seat: int
    bank: Bank
    limit: str = ""
    used_ms: float = 0.0
    start_cpu_ms: float = 0.0
    cpu_per_ply: list[float] = field(default_factory=list)
    wall_per_ply: list[float] = field(default_factory=list)
    last_view: str = ""
    last_line: str = ""
    notes: list[list[int | str]] = field(default_factory=list)

    @property
    def total_ms(self) -> float:
        """CPU time of the whole match, the start included."""
        return self.start_cpu_ms + sum(self.cpu_per_ply)

    def started(self, reply: Answer) -> None:
        """The answer to hello has come, or a fault instead."""
        self.start_cpu_ms = reply.cpu_ms
        self._heard(reply)

    def decided(self, reply: Answer) -> None:
        """The answer to a turn has come, or a fault instead; it is charged to the bank."""
        self.cpu_per_ply.append(reply.cpu_ms)
        self.wall_per_ply.append(reply.wall_ms)
        self.bank.charge(reply.cpu_ms)
        self._heard(reply)

    def broke(self, limit: str) -> None:
        """The bot is at fault."""
        self.limit = _storable(limit[:LIMIT_KEPT])

    def note(self, ply: int, text: str) -> None:
        """Keep what the bot wrote beside a ply."""
        if text:
            self.notes.append([ply, _storable(cut_note(text))])

    def evidence(self, stderr_tail: bytes, peak_bytes: int | None) -> SeatEvidence:
        """The record as it is kept; the log is cut by the sandbox."""
        return SeatEvidence(
            seat=self.seat,
            limit=self.limit,
            used_ms=round(self.used_ms, 3),
            start_cpu_ms=round(self.start_cpu_ms, 3),
            cpu_per_ply=_rounded(self.cpu_per_ply),
            wall_per_ply=_rounded(self.wall_per_ply),
            peak_bytes=peak_bytes,
            last_view=self.last_view,
            last_line=self.last_line,
            stderr_tail=_storable(stderr_tail.decode(errors="replace")),
            notes=self.notes,
        )

    def _heard(self, reply: Answer) -> None:
        self.used_ms = reply.cpu_ms
        self.last_line = _storable((reply.line or b"")[:LINE_KEPT].decode(errors="replace"))


def _rounded(times_ms: list[float]) -> list[float]:
    return [round(time_ms, 3) for time_ms in times_ms]


def _storable(text: str) -> str:
    """Not every database takes a NUL in a text."""
    return text.replace("\0", "\ufffd")
