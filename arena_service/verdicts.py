"""From how matches ended to words for an author: the same in the arena and at home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine_service.core.replay import COMPLETED, FAULTS, NO_CONTEST

PASSED = frozenset({COMPLETED, "resigned"})
OWN_FAULTS = frozenset(FAULTS) - PASSED
NOBODY_STARTED = NO_CONTEST
STDERR_SHOWN = 160


@dataclass(frozen=True)
class CheckedSeat:
    """What was kept of one seat: the limit it broke (empty: none) and whether it came to move."""

    limit: str
    moved: bool
    stderr: str


NOTHING_KEPT = CheckedSeat("", moved=False, stderr="")


@dataclass(frozen=True)
class CheckedMatch:
    """A match that a version played against itself; seats in their order."""

    game: str
    ending: str
    at_fault: int | None
    plies: int
    seats: tuple[CheckedSeat, ...]


def verdict(matches: Iterable[CheckedMatch]) -> str:
    """Why the matches do not make a version active, on one line; empty: they do."""
    return ". ".join(fault(match) for match in matches if match.ending not in PASSED)


def failed_check(reason: str) -> str:
    """A verdict of the arena, with how to come to the same one at home."""
    return f"{reason}. Repeat it at home with: interrex bot check DIR"


def fault(match: CheckedMatch) -> str:
    """Game, ending, moment, the limit that was broken, and the last line on stderr."""
    seats = _seats_at_fault(match)
    place = f"{'seat' if len(seats) == 1 else 'seats'} {' and '.join(map(str, seats))}"
    first = match.seats[seats[0]]
    text = f"{match.game}: {match.ending} {_moment(match, first)}, {place}: {first.limit}"
    said = last_line(first.stderr)
    return f'{text}; last line on stderr: "{said}"' if said else text


def disabled_by_faults(bot: str, endings: Iterable[str]) -> str:
    """Why a version that failed again and again does not play any more."""
    counted = Counter(endings)
    faults = ", ".join(f"{count} {ending}" for ending, count in counted.most_common())
    return (
        f"it lost {counted.total()} rated matches in a row by its own fault ({faults}). "
        f"See them with: interrex bot log {bot}; {_way_back(bot)}"
    )


def disabled_by_owner(bot: str) -> str:
    """Why a version does not play that its owner took out."""
    return f"its owner took it out; {_way_back(bot)}"


def last_line(stderr: str) -> str:
    """The last line that says something, printable and shortened."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    text = printable(lines[-1].strip()) if lines else ""
    return text if len(text) <= STDERR_SHOWN else f"{text[:STDERR_SHOWN]}..."


def printable(text: str) -> str:
    """What a program wrote, harmless to a terminal: nothing but text, tabs and line ends."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in text)


def _way_back(bot: str) -> str:
    return f"let it come back with: interrex bot recheck {bot}"


def _seats_at_fault(match: CheckedMatch) -> list[int]:
    if match.at_fault is not None:
        return [match.at_fault]
    return [seat for seat, kept in enumerate(match.seats) if kept.limit] or [0]


def _moment(match: CheckedMatch, seat: CheckedSeat) -> str:
    if not seat.moved:
        return "at the start"
    return f"after {match.plies} {'ply' if match.plies == 1 else 'plies'}"
