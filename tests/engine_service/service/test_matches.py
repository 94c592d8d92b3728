"""Playing a match, the same over every engine."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from engine_service.client import (
    Engine,
    Finished,
    LocalEngine,
    MatchOverError,
    MatchSession,
    MatchStart,
    Turn,
)
from engine_service.core.errors import (
    IllegalActionError,
    OptionError,
    ReplayError,
    RulesError,
    UnknownGameError,
)

Start = Callable[..., MatchStart]


def turn_of(session: MatchSession) -> Turn:
    assert isinstance(session.offer, Turn)
    return session.offer


def play_out(session: MatchSession) -> Finished:
    while isinstance(session.offer, Turn):
        session.act(session.offer.ids[-1])
    return session.offer


def test_games_are_listed_with_what_a_match_needs(engine: Engine) -> None:
    claim = next(game for game in engine.games() if game.name == "claim")
    assert (claim.rules_version, claim.seat_counts, claim.max_plies) == (1, (2,), 52)


def test_the_first_turn_shows_the_dealt_hand(engine: Engine, start: Start) -> None:
    session = engine.play(start())
    turn = turn_of(session)
    session.close()
    assert (turn.seat, turn.turn, turn.ply, turn.events) == (0, 0, 0, b"[]")
    assert json.loads(turn.view)["hands"] == [turn.legal, []]
    assert set(turn.legal) == set("U6 D9 G3 K5 U2 G4 G1 G5 U4 G8 X8 D7 U9".split())


def test_a_match_ends_with_a_replay_that_holds(engine: Engine, start: Start) -> None:
    session = engine.play(start())
    finished = play_out(session)
    assert finished.plies == len(finished.replay["plies"]) == 52
    assert finished.replay["players"] == []
    assert engine.verify(json.dumps(finished.replay).encode()).ok


def test_a_resumed_match_goes_on_byte_for_byte_at_every_ply(engine: Engine, start: Start) -> None:
    unbroken = LocalEngine().play(start())
    while isinstance(unbroken.offer, Turn):
        actions = tuple(ply.action for ply in unbroken.position.plies)
        resumed = engine.play(start(actions=actions))
        assert resumed.offer == unbroken.offer
        assert resumed.spectator_view() == unbroken.spectator_view()
        resumed.close()
        unbroken.act(unbroken.offer.ids[-1])
    everything = tuple(ply.action for ply in unbroken.position.plies)
    assert engine.play(start(actions=everything)).offer == unbroken.offer


def test_a_resumed_match_ends_with_the_same_replay(
    engine: Engine, start: Start, played: Finished
) -> None:
    actions = tuple(ply["action"] for ply in played.replay["plies"][:21])
    assert play_out(engine.play(start(actions=actions))) == played


def test_events_tell_a_seat_what_it_did_not_answer_itself(engine: Engine, start: Start) -> None:
    session = engine.play(start())
    seen: dict[int, list[dict[str, object]]] = {0: [], 1: []}
    asked = {0: 0, 1: 0}
    while isinstance(session.offer, Turn):
        turn = session.offer
        seen[turn.seat] += json.loads(turn.events)
        asked[turn.seat] += 1
        session.act(turn.ids[0])
    for seat, events in seen.items():
        plies = [event["ply"] for event in events]
        assert plies == sorted(set(plies))
        assert all(event["seat"] != seat or event["forced"] for event in events)
        assert not any("forced" in event for event in events if event["seat"] != seat)
        assert asked[seat] > 0


def test_an_action_is_given_by_notation_or_by_id(engine: Engine, start: Start) -> None:
    by_text, by_id = engine.play(start()), engine.play(start())
    turn = turn_of(by_text)
    assert by_text.act(turn.legal[3]) == by_id.act(turn.ids[3])
    by_text.close()
    by_id.close()


@pytest.mark.parametrize("action", ["G9", "nonsense", "", "\ud800", 0, -1, 51, 2**40])
def test_an_illegal_action_leaves_the_match_as_it_was(
    engine: Engine, start: Start, action: str | int
) -> None:
    session = engine.play(start(actions=("U6",)))
    before = turn_of(session)
    legal = before.ids[0]
    assert action not in before.legal + before.ids
    with pytest.raises(IllegalActionError) as refused:
        session.act(action)
    error = refused.value
    assert (error.ply, error.seat, error.action) == (1, 1, action)
    assert error.legal_count == len(before.legal)
    assert session.offer == before
    assert session.act(legal) != before
    session.close()


@pytest.mark.parametrize("ending", ["illegal_action", "timeout", "crash", "resigned"])
def test_a_fault_of_the_seat_to_move_ends_the_match(
    engine: Engine, start: Start, ending: str
) -> None:
    session = engine.play(start(actions=("U6",)))
    finished = session.end(ending, turn_of(session).seat)
    assert session.offer == finished
    assert finished.replay["result"] == {
        "ending": ending,
        "ranks": [1, 2],
        "at_fault": 1,
        "score": None,
    }
    assert finished.plies == 1
    assert engine.verify(json.dumps(finished.replay).encode()).ok


def test_seat_0_can_be_at_fault(engine: Engine, start: Start) -> None:
    result = engine.play(start()).end("timeout", 0).replay["result"]
    assert (result["at_fault"], result["ranks"]) == (0, [2, 1])


def test_a_bot_that_never_started_loses_without_a_ply(engine: Engine, start: Start) -> None:
    finished = engine.play(start()).end("crash", 1)
    assert finished.plies == 0
    assert finished.replay["result"]["ranks"] == [1, 2]


@pytest.mark.parametrize(("ending", "seat"), [("timeout", 0), ("completed", 1), ("sunset", 1)])
def test_an_ending_that_cannot_be_leaves_the_match_as_it_was(
    engine: Engine, start: Start, ending: str, seat: int
) -> None:
    session = engine.play(start(actions=("U6",)))
    before = session.offer
    with pytest.raises(ReplayError):
        session.end(ending, seat)
    assert session.offer == before
    assert session.end("timeout", 1).plies == 1


def test_no_contest_has_neither_plies_nor_ranks(engine: Engine, start: Start) -> None:
    finished = engine.play(start()).no_contest()
    result = finished.replay["result"]
    assert (finished.plies, result["ending"], result["ranks"]) == (0, "no_contest", None)
    assert engine.verify(json.dumps(finished.replay).encode()).ok


def test_a_finished_match_takes_nothing_more(engine: Engine, start: Start) -> None:
    session = engine.play(start())
    play_out(session)
    with pytest.raises(MatchOverError):
        session.act(0)
    with pytest.raises(MatchOverError):
        session.end("timeout", 0)
    with pytest.raises(MatchOverError):
        session.no_contest()
    assert json.loads(session.spectator_view())["actor"] == -1
    session.close()


def test_spectators_see_no_hand(engine: Engine, start: Start) -> None:
    session = engine.play(start())
    view = json.loads(session.spectator_view())
    session.close()
    assert (view["viewer"], view["hands"], view["hand_sizes"]) == (-1, [[], []], [13, 13])


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"game": "chess"}, UnknownGameError),
        ({"options": {"blind_peek": 3}}, OptionError),
        ({"options": {"jokers": True}}, OptionError),
        ({"seats": 3}, RulesError),
        ({"seats": 0}, RulesError),
        ({"seed": "00"}, RulesError),
        ({"seed": "G" * 64}, RulesError),
        ({"rules_version": 0}, RulesError),
        ({"rules_version": 2}, RulesError),
        ({"actions": ("U6", "U6")}, IllegalActionError),
    ],
)
def test_a_start_that_cannot_be_is_the_callers_error(
    engine: Engine, start: Start, changes: dict[str, object], kind: type[RulesError]
) -> None:
    with pytest.raises(RulesError) as local:
        LocalEngine().play(start(**changes))
    with pytest.raises(RulesError) as refused:
        engine.play(start(**changes))
    assert type(refused.value) is kind
    assert str(refused.value) == str(local.value)
    assert vars(refused.value) == vars(local.value)


def test_a_start_may_name_the_rules_version_and_options(engine: Engine, start: Start) -> None:
    session = engine.play(start(rules_version=1, options={"blind_peek": True}))
    assert session.end("crash", 1).replay["options"] == {"blind_peek": True}


@pytest.mark.parametrize("viewer", ["0", "1", "spectator", "all"])
def test_a_position_lists_the_legal_actions_to_those_who_know_them(
    engine: Engine, start: Start, viewer: str
) -> None:
    found = engine.position(start(actions=("U6",)), viewer)
    assert (found["ply"], found["actor"]) == (1, 1)
    assert bool(found["legal"]) == bool(found["ids"]) == (viewer in ("1", "all"))
    assert found == LocalEngine().position(start(actions=("U6",)), viewer)


@pytest.mark.parametrize("viewer", ["2", "-1", "", "00", "everybody", "9" * 5000])
def test_a_viewer_that_is_not_there_is_refused(engine: Engine, start: Start, viewer: str) -> None:
    with pytest.raises(RulesError, match="viewer"):
        engine.position(start(), viewer)
