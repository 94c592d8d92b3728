"""The table of a ladder or a tournament."""

from __future__ import annotations

from collections.abc import Iterable

from arena_service.figures import record_heading, signed
from cli.listing import Listing
from cli.output import table
from interrex.arena.v1.ladder_service_pb2 import Standing
from interrex.arena.v1.tournament_service_pb2 import SeatWorth


def standings_table(standings: Iterable[Standing], seats: int) -> Listing:
    """The standings of matches of so many seats, drawn."""
    record = record_heading(seats)
    columns = ("#", "bot", "version", "pairs", record, "credit", "rating", "faults")
    rows = [_row(standing) for standing in standings]
    return table(columns, rows, folded=("bot",), spare=("version", "faults", "pairs"))


def seats_table(worth: Iterable[SeatWorth]) -> Listing:
    """The mean credit of each seat, drawn."""
    rows = [(str(seat), _interval(each)) for seat, each in enumerate(worth)]
    return table(("seat", "credit"), rows)


def credit_of(standing: Standing) -> str:
    """The credit with its interval; a dash while nothing is played."""
    if not standing.pairs:
        return "-"
    return _interval(standing)


def _interval(of: Standing | SeatWorth) -> str:
    return f"{of.credit:.3f} [{of.credit_low:.3f}, {of.credit_high:.3f}]"


def _row(standing: Standing) -> tuple[str, ...]:
    return (
        str(standing.rank) if standing.pairs else "-",
        f"{standing.owner}/{standing.bot}",
        str(standing.version),
        str(standing.pairs),
        f"{standing.wins}-{standing.draws}-{standing.losses}",
        credit_of(standing),
        _rating(standing),
        str(standing.faults),
    )


def _rating(standing: Standing) -> str:
    if not standing.HasField("rating"):
        return "-"
    error = f" ± {standing.error:.0f}" if standing.HasField("error") else ""
    return f"{signed(standing.rating)}{error}"
