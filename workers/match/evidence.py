"""What is kept about each seat of a match, so that an author can see why it was lost."""

from __future__ import annotations

from dataclasses import dataclass, field

from workers.match.clock import Bank
from workers.match.protocol import cut_note

LINE_KEPT = 4096
LIMIT_KEPT = 1024


@dataclass(frozen=True)
class SeatEvidence:
    """One seat's record of one attempt.

    `limit` says which limit or rule the bot broke and is empty for a bot at peace with all of them;
    `used_ms` is the CPU time of the last answer; `cpu_per_ply` has one number per decision asked
    for, in order, without the start; `notes` are [ply, text].
    """

    seat: int
    limit: str
    used_ms: float
    last_view: str
    last_line: str
    stderr_tail: str
    cpu_per_ply: list[float]
    notes: list[list[int | str]]


@dataclass
class SeatRecord:
    """The same while the match runs, with the seat's clock."""

    seat: int
    bank: Bank
    limit: str = ""
    used_ms: float = 0.0
    total_ms: float = 0.0
    last_view: str = ""
    last_line: str = ""
    cpu_per_ply: list[float] = field(default_factory=list)
    notes: list[list[int | str]] = field(default_factory=list)

    def used(self, cpu_ms: float, line: bytes | None) -> None:
        """An answer, or the lack of one, has come."""
        self.used_ms = cpu_ms
        self.total_ms += cpu_ms
        self.last_line = _storable((line or b"")[:LINE_KEPT].decode(errors="replace"))

    def broke(self, limit: str) -> None:
        """The bot is at fault."""
        self.limit = _storable(limit[:LIMIT_KEPT])

    def note(self, ply: int, text: str) -> None:
        """Keep what the bot wrote beside a ply."""
        if text:
            self.notes.append([ply, _storable(cut_note(text))])

    def evidence(self, stderr_tail: bytes) -> SeatEvidence:
        """The record as it is kept; the log is cut by the sandbox."""
        return SeatEvidence(
            seat=self.seat,
            limit=self.limit,
            used_ms=round(self.used_ms, 3),
            last_view=self.last_view,
            last_line=self.last_line,
            stderr_tail=_storable(stderr_tail.decode(errors="replace")),
            cpu_per_ply=[round(cpu_ms, 3) for cpu_ms in self.cpu_per_ply],
            notes=self.notes,
        )


def _storable(text: str) -> str:
    """Not every database takes a NUL in a text."""
    return text.replace("\0", "\ufffd")
