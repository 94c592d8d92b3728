"""What views, guesses and events of every game may tell."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from engine_service.core import referee, replay
from engine_service.core.errors import RulesError
from engine_service.core.game import Plain, Viewer
from engine_service.core.referee import Position
from engine_service.wire.encoding import to_json, view_json
from engine_service.wire.match import events, offered

ROOT = Path(__file__).parents[2]


def through_json(plain: Plain) -> Plain:
    return json.loads(json.dumps(plain))  # type: ignore[no-any-return]


def test_states_and_views_survive_json_at_every_ply(case) -> None:
    for position in case.match():
        state = position.state
        assert case.game.state_from_plain(through_json(case.game.state_to_plain(state))) == state
        for viewer in case.viewers:
            view = case.game.view(state, viewer)
            plain = case.game.view_to_plain(view)
            assert through_json(plain) == plain
            assert case.game.view_from_plain(through_json(plain)) == view


def test_a_view_always_has_the_same_keys(case) -> None:
    keys = {
        tuple(case.game.view_to_plain(case.game.view(position.state, viewer)))
        for position in case.match()
        for viewer in case.viewers
    }
    assert len(keys) == 1


def test_a_viewer_cannot_tell_a_determinization(case) -> None:
    rng = random.Random(1)
    for position in case.match():
        for viewer in case.viewers:
            view = case.game.view(position.state, viewer)
            for _ in range(3):
                guess = case.game.determinize(view, rng)
                assert case.game.view(guess, viewer) == view
                assert case.game.actor(guess) == position.actor


def test_a_determinization_can_be_played_to_the_end(case) -> None:
    rng = random.Random(2)
    for position in case.match():
        guess = case.game.determinize(case.game.view(position.state, 0), rng)
        while legal := case.game.legal_actions(guess):
            guess = case.game.apply(guess, rng.choice(legal))
        assert case.game.result(guess) is not None


def told(position: Position, seat: int) -> list[object]:
    """Everything that a seat is told at a position: view, events and, when asked, what is legal."""
    game, state = position.game, position.state
    asked = position.actor == seat
    legal = game.legal_actions(state) if asked else None
    turn = offered(position) if asked and legal and len(legal) > 1 else None
    return [view_json(position, seat), to_json(events(position, seat)), legal, turn]


def test_histories_that_look_alike_are_told_alike(case) -> None:
    """Another match that the seat cannot tell from the true one, ply by ply."""
    rng, positions = random.Random(3), list(case.match())
    for at in range(0, len(positions), 5):
        true = positions[at]
        for seat in range(case.seats):
            guess = case.game.determinize(case.game.view(true.state, seat), rng)
            position = referee.set_up(
                case.game, true.options, case.seats, case.game.deal_to_plain(guess)
            )
            for number, action in enumerate(case.plays(guess)):
                if case.views_remember:
                    assert told(position, seat) == told(positions[number], seat)
                position = referee.play(position, action)
            assert len(position.plies) == len(true.plies)
            assert told(position, seat) == told(true, seat)


def test_a_match_replays_from_its_file(case) -> None:
    *_, last = case.match()
    document = replay.build(last, [], "completed", None)
    read = replay.read(replay.write(document))
    assert replay.verify(read, lambda name: case.game).plies == last.plies


def test_every_viewer_can_walk_a_replay(case) -> None:
    *_, last = case.match()
    document = replay.build(last, [], "completed", None)
    for viewer in case.viewers:
        frames = list(replay.frames(document, case.game, viewer))
        assert len(frames) == 1 + len(last.plies)
        assert frames[-1].view == case.game.view_to_plain(case.game.view(last.state, viewer))


def test_a_fault_can_end_a_match_at_every_ply(case) -> None:
    for position in case.match():
        forced = len(case.game.legal_actions(position.state)) == 1
        if position.actor is not None and not forced:
            document = replay.build(position, [], "timeout", position.actor)
            replay.verify(document, lambda name: case.game)


PRINT_ALL = """
import json, random
from engine_service.catalogue import game, names
from engine_service.core import referee, replay
for name in names():
    found = game(name)
    for seats in found.seat_counts:
        rng = random.Random(1)
        position = referee.start(found, found.parse_options({}), seats, b"x" * 32)
        while position.actor is not None:
            state, legal = position.state, found.legal_actions(position.state)
            viewers: list[object] = [*range(seats), "spectator", "all"]
            for viewer in viewers:
                view = found.view(state, viewer)
                guess = found.determinize(view, rng)
                print(json.dumps([found.view_to_plain(view), found.state_to_plain(guess), legal]))
            position = referee.step(position, rng.choice(legal))
        print(replay.write(replay.build(position, [], "completed", None)))
"""


def printed(hash_seed: str, zone: str, locale: str) -> bytes:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": locale}
    command = [sys.executable, "-c", PRINT_ALL]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    return done.stdout


def test_two_processes_write_the_same_bytes() -> None:
    one = printed("1", "Pacific/Kiritimati", "C")
    other = printed("4242", "America/St_Johns", "C.UTF-8")
    assert len(one) > 100_000
    assert one == other


def test_no_viewer_sees_a_seat_that_is_not_there(case) -> None:
    viewers: list[Viewer] = [case.seats, -7]
    for viewer in viewers:
        with pytest.raises(RulesError):
            case.game.view(case.first().state, viewer)
