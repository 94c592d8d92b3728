"""Two matches that differ only in what a viewer may not know are told alike, ply by ply."""

import json
import random
from itertools import permutations

import pytest

from engine_service.core import referee, replay
from engine_service.core.game import Viewer
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import DECK
from engine_service.games.hidden_leaders_duel.state import State
from engine_service.wire.match import events, offered
from tests.engine_service.games.hidden_leaders_tables import (
    HIDDEN,
    after,
    changed,
    deal,
    legal,
    plain,
    play,
    swapped,
    told,
)

OTHERS: list[Viewer] = [0, "spectator"]  # they are to know no secret of seat 1
HANDS = ("R1 G4 K7", "R2 R3 B6")
ROW = {0: "R7", 1: "R6", 2: "B7", 3: "G7", 9: "K6"}
START = deal(HANDS, ROW, pile="B1 B2 B3 B4")
FIRST_TURN = ("take 4 5", "return G4@4 K7@5", "play R1 council")
PLAYED = play(START, *FIRST_TURN)


@pytest.mark.parametrize("viewer", OTHERS)
def test_the_other_leader(viewer: Viewer) -> None:
    other = changed(START, leaders=["RG", "GK"])
    turn = ("take 0 9", "return R2@0 B6@9", "play R3 council")
    assert told(START, viewer, *FIRST_TURN, *turn) == told(other, viewer, *FIRST_TURN, *turn)
    assert told(START, 1) != told(other, 1)


def test_the_leaders_that_are_not_dealt() -> None:
    view = plain(after(0, 42), "spectator")
    assert len(set(view["leaders"])) == 2
    unseen = {leader["factions"] for leader in view["leader_cards"]} - set(view["leaders"])
    assert len(unseen) == 4  # even then nobody is told more of these


@pytest.mark.parametrize("viewer", OTHERS)
@pytest.mark.parametrize("unseen", ["R6", "R7", "R4"])  # in a row, in a row, in the pile
def test_the_other_hand(viewer: Viewer, unseen: str) -> None:
    start = deal(HANDS, ROW, pile="B1 B2 B3 R4")
    assert told(start, viewer, *FIRST_TURN) == told(
        swapped(start, "R2", unseen), viewer, *FIRST_TURN
    )


@pytest.mark.parametrize("viewer", OTHERS)
def test_the_order_of_the_other_hand(viewer: Viewer) -> None:
    hands = GAME.deal_to_plain(START)["hands"]
    found = [
        told(changed(START, hands=[hands[0], list(order)]), viewer, *FIRST_TURN)
        for order in permutations(hands[1])
    ]
    assert found == [found[0]] * 6


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_heroes_that_lie_face_down(viewer: Viewer) -> None:
    other = swapped(START, "R7", "R6")
    assert told(START, viewer, *FIRST_TURN) == told(other, viewer, *FIRST_TURN)


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_a_blocked_hero_that_lies_face_down(viewer: Viewer) -> None:
    blocking = (*FIRST_TURN[:2], "play R1 block 0")
    other = swapped(START, "R7", "R6")
    assert told(START, viewer, *blocking) == told(other, viewer, *blocking)


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_the_pile_under_its_top(viewer: Viewer) -> None:
    pile = GAME.deal_to_plain(START)["pile"]
    rng, found = random.Random(1), []
    for _ in range(5):
        found.append(told(changed(START, pile=pile), viewer, *FIRST_TURN[:2]))
        under = pile[1:]
        rng.shuffle(under)
        pile = [pile[0], *under]
    assert found == [found[0]] * 5
    assert found[0][-3 if viewer != "spectator" else -1]["pile"] == ["B?", *["?"] * 7]


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_the_strength_of_the_top_of_the_pile(viewer: Viewer) -> None:
    other = swapped(START, "B1", "B4")
    assert told(START, viewer, *FIRST_TURN[:2]) == told(other, viewer, *FIRST_TURN[:2])


@pytest.mark.parametrize("viewer", OTHERS)
@pytest.mark.parametrize("where", ["council", "block 6"])
def test_a_hero_that_is_played(viewer: Viewer, where: str) -> None:
    turn = ("take 0 9", "return B6@0 K6@9")
    one = told(START, viewer, *FIRST_TURN, *turn, f"play R2 {where}")
    other = told(START, viewer, *FIRST_TURN, *turn, f"play R3 {where}")
    assert one == other
    if viewer == 0:
        assert {"ply": 5, "seat": 1, "action": f"play R? {where}"} in one[-2]


@pytest.mark.parametrize("viewer", OTHERS)
def test_a_hero_taken_face_down_and_kept(viewer: Viewer) -> None:
    turn = ("take 0 2", "return R2@0 B6@2", "play R3 council")
    other = swapped(START, "R7", "R6")
    assert told(START, viewer, *FIRST_TURN, *turn) == told(other, viewer, *FIRST_TURN, *turn)
    assert told(START, 1, *FIRST_TURN, *turn) != told(other, 1, *FIRST_TURN, *turn)


KEEPING = (
    *("take 0 3", "return R7@0 G7@3", "play R1 council"),  # R7 lies face up
    *("take 0 9", "return B6@0 K6@9"),  # seat 1 takes it and keeps it
)


@pytest.mark.parametrize("viewer", OTHERS)
@pytest.mark.parametrize("where", ["council", "block 5"])
def test_a_hero_taken_face_up_and_kept(viewer: Viewer, where: str) -> None:
    """Whether R7 was played, or a hero that nobody saw."""
    played = [told(START, viewer, *KEEPING, f"play {hero} {where}") for hero in ("R2", "R3", "R7")]
    assert played == [played[0]] * 3
    view = plain(play(START, *KEEPING), viewer)
    assert view["turns"][-1]["taken"] == ["R7", "K?"]  # that much was public
    assert view["hands"][1] == ["R?", "R?", "R?"]


@pytest.mark.parametrize("viewer", OTHERS)
def test_a_hero_that_is_drawn(viewer: Viewer) -> None:
    start = deal(HANDS, ROW, pile="B1 B2 K5 B4")
    turns = (*FIRST_TURN, "take 0 9", "return B6@0 K6@9", "play R3 council")
    assert told(start, viewer, *turns) == told(swapped(start, "B2", "B5"), viewer, *turns)


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_with_hidden_factions_the_top_of_the_pile(viewer: Viewer) -> None:
    start = deal(HANDS, ROW, pile="B1 B2 B3 B4", options=HIDDEN)
    other = swapped(start, "B1", "K5")
    assert told(start, viewer, *FIRST_TURN[:2]) == told(other, viewer, *FIRST_TURN[:2])


@pytest.mark.parametrize("viewer", OTHERS)
def test_with_hidden_factions_the_other_hand_and_council(viewer: Viewer) -> None:
    start = deal(HANDS, ROW, pile="B1 B2 B3 B4", options=HIDDEN)
    other = swapped(start, "B2", "K5")  # what seat 1 is going to draw
    turns = (*FIRST_TURN, "take 0 9", "return R2@0 K6@9")
    councils = [
        told(deal_, viewer, *turns, f"play {hero} council")
        for deal_ in (start, other)
        for hero in ("R3", "B6")
    ]
    assert councils == [councils[0]] * 4
    view = plain(play(start, *turns, "play B6 council"), viewer)
    assert (view["hands"][1], view["councils"]) == (
        ["?"] * 3,
        [["R1" if viewer == 0 else "?"], ["?"]],
    )
    assert (view["pile"], view["turns"][1]["drawn"]) == (["?"] * 6, "?")


def test_with_hidden_factions_a_blocker_shows_its_back() -> None:
    start = deal(HANDS, ROW, pile="B1 B2 B3 B4", options=HIDDEN)
    turns = (*FIRST_TURN, "take 0 9", "return R2@0 K6@9", "play R3 block 5")
    *_, view, heard, _ = told(start, 0, *turns)
    assert heard[-1]["action"] == "play R? block 5"
    assert (view["slots"][5]["blocker"], view["turns"][1]["played"]) == ("R?", "R?")


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_a_view_of_the_end_shows_what_is_turned_up_and_no_more(viewer: Viewer) -> None:
    state = after(3, 42)
    view = plain(state, viewer)
    whole = plain(state, "all")
    for key in ("slots", "councils", "leaders", "armies", "discarded"):
        assert view[key] == whole[key]
    for mine, all_ in zip(view["turns"], whole["turns"], strict=True):
        assert mine["played"] == all_["played"]
        if viewer != mine["seat"]:
            assert not any(
                hero in DECK
                for hero, up in zip(mine["taken"], mine["face_up"], strict=True)
                if not up
            )
            assert mine["drawn"] not in DECK


@pytest.mark.parametrize("options", [None, HIDDEN])
@pytest.mark.parametrize("seed", range(4))
def test_no_text_that_a_viewer_gets_names_a_hero_it_has_not_seen(
    seed: int, options: object
) -> None:
    """Searched in the bytes, past the list of the deck, whatever the keys are called."""
    for plies in range(42):
        state = after(seed, plies, HIDDEN if options else None)
        for viewer in (0, 1, "spectator"):
            view = plain(state, viewer)
            assert view.pop("deck") == list(DECK)
            text = json.dumps(view)
            named = {hero for hero in DECK if f'"{hero}"' in text}
            assert named <= seen_by(state, viewer)


def seen_by(state: State, viewer: Viewer) -> set[str]:
    """Counted anew from the complete match."""
    whole = plain(state, "all")
    seen = set(whole["hands"][viewer]) if isinstance(viewer, int) else set()
    for turn in whole["turns"]:
        seen |= set(turn["returned"])
        if turn["seat"] == viewer:
            seen |= {*turn["taken"], turn["played"], turn["drawn"]}
    return seen


def forced_last_turn() -> referee.Position:
    """Seat 1 is down to a single take in the last turn."""
    position = referee.set_up(GAME, START.options, 2, GAME.deal_to_plain(START))
    while len(position.plies) < 39:
        texts = legal(position.state)
        blocks = [text for text in texts if "block" in text] or texts
        position = referee.play(position, blocks[0])
    return position


def test_only_its_own_seat_is_told_that_a_ply_was_forced() -> None:
    position = referee.play_forced(forced_last_turn())
    assert position.plies[-1].forced
    assert events(position, 1)[-1]["forced"] is True
    assert all("forced" not in event for event in events(position, 0))
    turn = offered(position)
    assert json.loads(turn.events)[-1] == {  # type: ignore[union-attr]
        "ply": 39,
        "seat": 1,
        "action": position.plies[-1].action,
        "forced": True,
    }


@pytest.mark.parametrize("raw", [{}, {"hidden_factions": True}])
@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_frames_of_a_replay_hide_what_was_played(viewer: Viewer, raw: dict[str, bool]) -> None:
    position = referee.start(GAME, GAME.parse_options(raw), 2, bytes(32))
    rng = random.Random(4)
    while position.actor is not None:
        position = referee.step(position, rng.choice(legal(position.state)))
    document = replay.build(position, [], "completed", None)
    for frame in replay.frames(document, GAME, viewer):
        if frame.action is None or not frame.action.startswith("play"):
            continue
        _, hero, where, *_ = frame.action.split()
        if frame.seat == viewer:
            assert hero in DECK
        else:
            assert hero == "?" if raw and where == "council" else hero[1:] == "?"
