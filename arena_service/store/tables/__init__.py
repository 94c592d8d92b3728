"""Every table of the arena. No column is named after a seat: a match has as many rows as seats."""

from arena_service.store.tables.accounts import (
    Account,
    Artifact,
    Bot,
    BotVersion,
    Request,
    SignIn,
)
from arena_service.store.tables.books import (
    Annulment,
    LadderTally,
    Ledger,
    Rating,
    Refusal,
    Result,
    SeatResult,
)
from arena_service.store.tables.competitions import (
    Delivery,
    Departure,
    Entrant,
    Event,
    Ladder,
    LadderEntry,
    Round,
    Tournament,
    TournamentEntry,
)
from arena_service.store.tables.play import Attempt, Evidence, Match, MatchSeat, Pair, Series
from arena_service.store.tables.processes import Process, WorkerToken

__all__ = [
    "Account",
    "Annulment",
    "Artifact",
    "Attempt",
    "Bot",
    "BotVersion",
    "Delivery",
    "Departure",
    "Entrant",
    "Event",
    "Evidence",
    "Ladder",
    "LadderEntry",
    "LadderTally",
    "Ledger",
    "Match",
    "MatchSeat",
    "Pair",
    "Process",
    "Rating",
    "Refusal",
    "Request",
    "Result",
    "Round",
    "SeatResult",
    "Series",
    "SignIn",
    "Tournament",
    "TournamentEntry",
    "WorkerToken",
]
