"""States and views of Hidden Leaders: Duel as JSON data and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.games.hidden_leaders_duel.actions import text
from engine_service.games.hidden_leaders_duel.dealing import deal_to_plain
from engine_service.games.hidden_leaders_duel.heroes import NO_HERO, seen
from engine_service.games.hidden_leaders_duel.options import parse_options
from engine_service.games.hidden_leaders_duel.state import (
    BySeat,
    Heroes,
    Leader,
    Options,
    Slot,
    State,
    Step,
    Turn,
    View,
)
from engine_service.games.hidden_leaders_duel.turns import history

T = TypeVar("T")


def state_to_plain(state: State) -> Plain:
    """The deal and what was played since."""
    return {
        "options": state.options.to_plain(),
        "deal": deal_to_plain(state),
        "plays": [text(action) for action in history(state.turns)],
    }


def view_to_plain(view: View) -> Plain:
    """All keys always present; sets in canonical order, so that their order tells nothing."""
    return {
        "viewer": view.viewer,
        "turn": view.turn,
        "step": view.step,
        "actor": view.actor,
        "slots": [_slot_to_plain(slot) for slot in view.slots],
        "hands": [list(hand) for hand in view.hands],
        "councils": [list(council) for council in view.councils],
        "leaders": [leader.factions if leader else "" for leader in view.leaders],
        "pile": list(view.pile),
        "turns": [_turn_to_plain(turn) for turn in view.turns],
        "armies": [list(army) for army in view.armies],
        "discarded": list(view.discarded),
        "deck": list(view.options.deck),
        "leader_cards": [
            {"factions": leader.factions, "value": leader.value} for leader in view.options.leaders
        ],
        "hidden_factions": view.options.hidden_factions,
    }


def view_from_plain(plain: Plain) -> View:
    """The inverse of `view_to_plain`; raises RulesError."""
    try:
        options = _options(plain)
        return View(
            viewer=_number(plain["viewer"]),
            options=options,
            turn=_number(plain["turn"]),
            step=_step(plain["step"]),
            actor=_number(plain["actor"]),
            slots=tuple(map(_slot_from_plain, plain["slots"])),
            hands=_by_seat(plain["hands"]),
            councils=_by_seat(plain["councils"]),
            leaders=_leaders(plain["leaders"], options),
            pile=_heroes(plain["pile"]),
            turns=tuple(map(_turn_from_plain, plain["turns"])),
            armies=_by_seat(plain["armies"]),
            discarded=_heroes(plain["discarded"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RulesError(f"not a view of hidden_leaders_duel: {error}") from error


def _slot_to_plain(slot: Slot) -> Plain:
    return {
        "hero": slot.hero,
        "face_up": slot.face_up,
        "blocker": slot.blocker,
        "blocked_by": slot.blocked_by,
    }


def _slot_from_plain(plain: Plain) -> Slot:
    return Slot(
        hero=_optional(plain["hero"]),
        face_up=_flag(plain["face_up"]),
        blocker=_optional(plain["blocker"]),
        blocked_by=_number(plain["blocked_by"]),
    )


def _turn_to_plain(turn: Turn) -> Plain:
    return {
        "seat": turn.seat,
        "slots": list(turn.slots),
        "taken": list(turn.taken),
        "face_up": list(turn.face_up),
        "returned": list(turn.returned),
        "played": turn.played,
        "target": turn.target,
        "drawn": turn.drawn,
    }


def _turn_from_plain(plain: Plain) -> Turn:
    return Turn(
        seat=_number(plain["seat"]),
        slots=_row(_number, plain["slots"]),
        taken=_heroes(plain["taken"]),
        face_up=_row(_flag, plain["face_up"]),
        returned=_heroes(plain["returned"]),
        played=_optional(plain["played"]),
        target=_number(plain["target"]),
        drawn=_optional(plain["drawn"]),
    )


def _options(plain: Plain) -> Options:
    leaders = [
        {"factions": list(leader["factions"]), "value": leader["value"]}
        for leader in plain["leader_cards"]
    ]
    return parse_options(
        {
            "deck": plain["deck"],
            "leaders": leaders,
            "hidden_factions": plain["hidden_factions"],
        }
    )


def _leaders(names: Any, options: Options) -> tuple[Leader | None, Leader | None]:
    by_factions = {leader.factions: leader for leader in options.leaders}
    first, second = (by_factions[name] if name else None for name in names)
    return first, second


def _step(value: Any) -> Step:
    if value not in get_args(Step):
        raise ValueError(f"no step is called {str(value)[:20]!r}")
    step: Step = value
    return step


def _by_seat(plain: Any) -> BySeat:
    first, second = map(_heroes, plain)
    return first, second


def _heroes(plain: Any) -> Heroes:
    return _row(seen, plain)


def _row(read: Callable[[Any], T], plain: Any) -> tuple[T, ...]:
    if not isinstance(plain, (list, tuple)):
        raise TypeError(f"expected a list, not {str(plain)[:20]!r}")
    return tuple(map(read, plain))


def _optional(value: Any) -> str:
    return NO_HERO if value == NO_HERO else seen(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false, not {str(value)[:20]!r}")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"expected a whole number, not {str(value)[:20]!r}")
    return value
