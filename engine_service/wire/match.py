"""A match in play: everything it offers is derived from the actions so far."""

from __future__ import annotations

from typing import Any

from engine_service import catalogue
from engine_service.core import referee, replay
from engine_service.core.errors import RulesError
from engine_service.core.referee import Position
from engine_service.core.replay_shape import HEX_DIGITS, HEX_LENGTH
from engine_service.wire.encoding import legal_notations, to_json, view_json
from engine_service.wire.messages import Finished, MatchOverError, MatchStart, Turn


class Match:
    """One match; `offer` is the decision to make, or the end."""

    def __init__(self, start: MatchStart) -> None:
        """Deal and play `start.actions`; raises RulesError."""
        self.position = opened(start)
        self.offer: Turn | Finished = offered(self.position)

    def act(self, action: str | int) -> Turn | Finished:
        """Play an action by notation or id; IllegalActionError leaves the match as it was."""
        self._check_running()
        self.position = referee.step(self.position, action)
        self.offer = offered(self.position)
        return self.offer

    def end(self, ending: str, at_fault: int) -> Finished:
        """End by a fault or resignation of a seat; raises ReplayError for an impossible ending."""
        self._check_running()
        return self._finish(replay.build(self.position, [], ending, at_fault))

    def no_contest(self) -> Finished:
        """End a match that more than one side failed to start."""
        self._check_running()
        return self._finish(replay.no_contest(self.position, []))

    def spectator_view(self) -> bytes:
        """What everybody may see now, as JSON."""
        return view_json(self.position, "spectator")

    def close(self) -> None:
        """Nothing to give back; there for the interface."""

    def _check_running(self) -> None:
        if isinstance(self.offer, Finished):
            raise MatchOverError

    def _finish(self, document: dict[str, Any]) -> Finished:
        finished = Finished(document, len(document["plies"]))
        self.offer = finished
        return finished


def opened(start: MatchStart) -> Position:
    """The position after `start.actions` and the forced plies after them; raises RulesError."""
    game = catalogue.game(start.game)
    if start.rules_version not in (None, game.rules_version):
        raise RulesError(
            f"rules version {start.rules_version} of {game.name}; "
            f"this engine has {game.rules_version}"
        )
    if len(start.seed) != HEX_LENGTH or not HEX_DIGITS.issuperset(start.seed):
        raise RulesError(f"the seed is not {HEX_LENGTH} lower-case hexadecimal digits")
    options = game.parse_options(start.options)
    seed = bytes.fromhex(start.seed)
    return referee.replay_actions(game, options, start.seats, seed, start.actions)


def events(position: Position, seat: int) -> list[dict[str, Any]]:
    """What happened since the seat's last answer; `forced` is told of its own plies only."""
    game, found = position.game, []
    for number in range(len(position.plies) - 1, -1, -1):
        ply = position.plies[number]
        if ply.seat == seat and not ply.forced:
            break
        action = game.event_notation(game.parse(ply.action), ply.seat, seat, position.options)
        event: dict[str, Any] = {"ply": number, "seat": ply.seat, "action": action}
        if ply.seat == seat:
            event["forced"] = True
        found.append(event)
    return found[::-1]


def offered(position: Position) -> Turn | Finished:
    """What a position offers; nothing in a turn depends on what its seat may not know."""
    seat = position.actor
    if seat is None:
        return Finished(replay.build(position, [], replay.COMPLETED, None), len(position.plies))
    ids = position.game.legal_actions(position.state)
    return Turn(
        seat=seat,
        turn=_answered(position, seat),
        ply=len(position.plies),
        view=view_json(position, seat),
        legal=legal_notations(position.game, ids),
        ids=ids,
        events=to_json(events(position, seat)),
        teams=position.teams,
    )


def _answered(position: Position, seat: int) -> int:
    # Of this seat alone: a count over all seats would tell which plies of a rival were forced.
    return sum(ply.seat == seat and not ply.forced for ply in position.plies)
