"""Who may see and do what: the one function that API, command line and dashboard ask."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


@dataclass(frozen=True)
class Viewer:
    """Somebody who asks; without an account (`None`) a spectator."""

    user_id: str | None = None


class Action(Enum):
    """What is asked for; each goes with the subject named beside it."""

    WATCH = auto()  # MatchSubject: the spectator view and the progress
    SEE_SEED = auto()  # MatchSubject
    SEE_REPLAY = auto()  # MatchSubject
    SEE_SEAT_VIEW = auto()  # MatchSubject
    SEE_ALL_VIEW = auto()  # MatchSubject
    SEE_KEY = auto()  # EventSubject
    SEE_EVIDENCE = auto()  # SeatSubject: what the runner measured, last view, stderr
    SEE_SOURCE = auto()  # BotSubject: the archive
    SEE_BOT = auto()  # BotSubject: how its checks went, what went wrong since
    MANAGE_BOT = auto()  # BotSubject: check a version again, take it out
    ENTER_BOT = auto()  # BotSubject: enter it somewhere, take it out again
    CREATE_LADDER = auto()  # None
    SUBMIT_BOT = auto()  # None
    CREATE_CHALLENGE = auto()  # None
    CHALLENGE_BOT = auto()  # BotSubject
    RUN_LADDER = auto()  # LadderSubject
    CREATE_TOURNAMENT = auto()  # None
    START_TOURNAMENT = auto()  # TournamentSubject
    CANCEL_TOURNAMENT = auto()  # TournamentSubject
    MANAGE_TOURNAMENT = auto()  # TournamentSubject: pause, resume, extend it, take bots out
    SEE_PROCESSES = auto()  # None: which processes there are, and what failed last


@dataclass(frozen=True)
class MatchSubject:
    """A match; `pair_complete` once every leg of its pair has a result.

    `private_to` is the only account that may know of it: a check match's; None: everybody.
    """

    pair_complete: bool
    private_to: str | None


@dataclass(frozen=True)
class SeatSubject:
    """One seat of a match and who owns the bot that sits there."""

    owner_id: str
    pair_complete: bool


@dataclass(frozen=True)
class EventSubject:
    """A tournament or a slot; `complete` once nothing of it will be played any more."""

    complete: bool


@dataclass(frozen=True)
class BotSubject:
    """A bot, any of its versions; `challenges`: its owner lets others challenge it."""

    owner_id: str
    challenges: bool = False


@dataclass(frozen=True)
class LadderSubject:
    """A ladder."""

    owner_id: str


@dataclass(frozen=True)
class TournamentSubject:
    """A tournament."""

    owner_id: str


Subject = (
    MatchSubject
    | SeatSubject
    | EventSubject
    | BotSubject
    | LadderSubject
    | TournamentSubject
    | None
)

_SECRETS_OF_A_PAIR = frozenset(
    {Action.SEE_SEED, Action.SEE_REPLAY, Action.SEE_SEAT_VIEW, Action.SEE_ALL_VIEW}
)
_OF_BOT_OWNERS = frozenset({Action.SEE_SOURCE, Action.SEE_BOT, Action.MANAGE_BOT, Action.ENTER_BOT})
_OF_TOURNAMENT_OWNERS = frozenset(
    {Action.START_TOURNAMENT, Action.CANCEL_TOURNAMENT, Action.MANAGE_TOURNAMENT}
)
_OF_MEMBERS = frozenset(
    {
        Action.CREATE_LADDER,
        Action.CREATE_TOURNAMENT,
        Action.CREATE_CHALLENGE,
        Action.SUBMIT_BOT,
        Action.SEE_PROCESSES,
    }
)


def may(viewer: Viewer, action: Action, subject: Subject) -> bool:
    """Whether `viewer` may do `action`; a subject that does not go with the action: no."""
    match subject:
        case MatchSubject(pair_complete, private_to):
            if private_to is not None and viewer.user_id != private_to:
                return False
            return action is Action.WATCH or (action in _SECRETS_OF_A_PAIR and pair_complete)
        case SeatSubject(owner_id, pair_complete):
            # The last view tells the deal: not even the owner reads it while a leg is missing.
            return action is Action.SEE_EVIDENCE and pair_complete and viewer.user_id == owner_id
        case EventSubject(complete):
            return action is Action.SEE_KEY and complete
        case BotSubject(owner_id, challenges):
            if action is Action.CHALLENGE_BOT:
                return viewer.user_id == owner_id or (challenges and viewer.user_id is not None)
            return action in _OF_BOT_OWNERS and viewer.user_id == owner_id
        case LadderSubject(owner_id):
            return action is Action.RUN_LADDER and viewer.user_id == owner_id
        case TournamentSubject(owner_id):
            return action in _OF_TOURNAMENT_OWNERS and viewer.user_id == owner_id
        case None:
            return action in _OF_MEMBERS and viewer.user_id is not None
