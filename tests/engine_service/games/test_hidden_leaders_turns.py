"""The turn situations of the rules, by their numbers."""

import pytest

from engine_service.core import referee
from engine_service.core.errors import IllegalActionError
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.state import State
from tests.engine_service.games.hidden_leaders_tables import after, deal, legal, plain, play

HANDS = ("R1 G4 K7", "R2 G5 B6")
ROW = {0: "R7", 1: "G7", 2: "B7", 9: "K6"}
START = deal(HANDS, ROW, pile="B1 B2 B3 B4")
OPENED = play(  # slots 0 and 9 lie face up, B7 in slot 2 is blocked by seat 1
    START,
    *("take 0 9", "return R7@0 K6@9", "play R1 council"),
    *("take 3 4", "return R2@3 G5@4", "play B6 block 2"),
)


def is_refused(state: State, *texts: str) -> bool:
    """Whether the referee takes none of them."""
    position = referee.Position(GAME, state.options, 2, None, GAME.deal_to_plain(state), state)
    for text in texts:
        with pytest.raises(IllegalActionError):
            referee.play(position, text)
    return True


def test_t1_the_same_two_face_up_heroes_swapped() -> None:
    state = play(OPENED, "take 0 9", "return K6@0 R7@9")
    slots = plain(state, "spectator")["slots"]
    assert [(slots[at]["hero"], slots[at]["face_up"]) for at in (0, 9)] == [
        ("K6", True),
        ("R7", True),
    ]


def test_t2_a_face_down_hero_back_into_its_slot() -> None:
    assert plain(START, 1)["slots"][1] == {
        "hero": "G?",
        "face_up": False,
        "blocker": "",
        "blocked_by": -1,
    }
    state = play(START, "take 1 2", "return G7@1 B7@2")
    for viewer in (0, 1, "spectator"):
        slot = plain(state, viewer)["slots"][1]
        assert (slot["hero"], slot["face_up"]) == ("G7", True)


def test_t3_two_heroes_of_the_same_row() -> None:
    assert "take 0 6" in legal(START)
    assert "take 7 13" in legal(START)


def test_t4_one_of_each_row_both_kept() -> None:
    state = play(START, "take 2 9", "return R1@2 G4@9")
    assert plain(state, 0)["hands"][0] == ["B7", "K6", "K7"]
    slots = plain(state, 1)["slots"]
    assert [(slots[at]["hero"], slots[at]["face_up"]) for at in (2, 9)] == [
        ("R1", True),
        ("G4", True),
    ]


def test_t5_a_hero_under_a_blocker_stays() -> None:
    assert is_refused(OPENED, "take 2 3", "take 0 2", "take 2")


def test_t6_a_blocker_stays() -> None:
    assert not [text for text in legal(OPENED) if "2" in text.split()]
    assert plain(OPENED, "all")["slots"][2]["blocker"] == "B6"


def test_t7_two_different_slots() -> None:
    assert is_refused(START, "take 3 3", "take 3", "take 9 3", "take 3 14")


def test_t8_one_hero_into_each_vacated_slot_face_up() -> None:
    state = play(START, "take 2 9")
    assert is_refused(
        state,
        "return R1@2 G4@2",
        "return R1@2 G4@3",
        "return R1@2",
        "return R1@9 G4@2",
        "return R1@2 R1@9",
        "return R?@2 G4@9",
        "return R2@2 G4@9",
    )
    returned = play(state, "return R1@2 G4@9")
    assert all(plain(returned, 1)["slots"][slot]["face_up"] for slot in (2, 9))


def test_t9_a_hero_returned_in_this_turn_is_blocked() -> None:
    state = play(START, "take 2 9", "return R1@2 G4@9", "play B7 block 2")
    assert plain(state, 0)["slots"][2] == {
        "hero": "R1",
        "face_up": True,
        "blocker": "B7",
        "blocked_by": 0,
    }


def test_t10_a_blocked_hero_is_not_blocked_again() -> None:
    state = play(OPENED, "take 0 9", "return R7@0 K6@9")
    assert is_refused(state, "play G4 block 2")
    assert "play G4 block 3" in legal(state)


def test_t11_a_blocker_is_not_blocked() -> None:
    state = play(OPENED, "take 0 9", "return R7@0 K6@9")
    blocks = {text.split()[-1] for text in legal(state) if "block" in text}
    assert blocks == {str(slot) for slot in range(14) if slot != 2}


def test_t12_a_face_down_hero_that_is_blocked_stays_face_down() -> None:
    for viewer in (0, 1, "spectator"):
        slot = plain(OPENED, viewer)["slots"][2]
        assert (slot["hero"], slot["face_up"]) == ("B?", False)


def test_t13_a_returned_hero_is_not_played() -> None:
    state = play(START, "take 2 9", "return R1@2 G4@9")
    assert is_refused(state, "play R1 council", "play G4 block 2")


def test_t14_exactly_one_play() -> None:
    state = play(START, "take 2 9", "return R1@2 G4@9")
    assert all(text.startswith("play ") for text in legal(state))
    assert is_refused(state, "pass", "play", "take 3 4")
    played = play(state, "play K7 council")
    assert GAME.actor(played) == 1
    assert all(text.startswith("take ") for text in legal(played))


def test_t15_heroes_of_both_rows_are_blocked() -> None:
    state = play(START, "take 2 9", "return R1@2 G4@9")
    assert {"play K7 block 6", "play K7 block 7"} <= set(legal(state))


@pytest.mark.parametrize("seed", range(5))
def test_t16_hands_and_pile_turn_by_turn(seed: int) -> None:
    # after the take, the return, the play with its draw: as in the table of the rules
    sizes = [(5, 3, 3)] * 4 + [(5, 3, 2), (4, 2, 1), (3, 1, 0)]
    for turn in range(14):
        seat, expected = turn % 2, sizes[turn // 2]
        start = plain(after(seed, 3 * turn), "spectator")
        assert len(start["pile"]) == max(0, 8 - turn)
        for step in range(3):
            view = plain(after(seed, 3 * turn + step + 1), "spectator")
            assert len(view["hands"][seat]) == expected[step]


def thirteen_blocks() -> State:
    """Every seat blocks the lowest free slot with the first hero of its hand, thirteen times."""
    state = START
    for _ in range(13):
        take = next(text for text in legal(state) if text.startswith("take "))
        state = play(state, take)
        state = play(state, legal(state)[0])
        block = next(text for text in legal(state) if "block" in text)
        state = play(state, block)
    return state


def test_t17_the_last_free_hero_is_taken_alone() -> None:
    state = thirteen_blocks()
    assert legal(state) == ["take 13"]
    state = play(state, "take 13")
    returns = legal(state)
    assert len(returns) == 2
    assert all(text.endswith("@13") and len(text.split()) == 2 for text in returns)
    state = play(state, returns[0])
    hero = plain(state, 1)["hands"][1][0]
    assert legal(state) == [f"play {hero} council", f"play {hero} block 13"]
    end = play(state, f"play {hero} block 13")
    assert plain(end, "all")["councils"] == [[], []]
    result = GAME.result(end)
    assert result is not None
    assert sum(result.score["heroes"]) + result.score["discarded"] == 28


def test_t18_a_face_down_hero_is_known_to_its_taker_alone() -> None:
    done = play(START, "take 0 2", "return G4@0 K7@2", "play R1 council")
    mine, theirs = plain(done, 0), plain(done, 1)
    assert (mine["hands"][0], mine["councils"][0]) == (["R7", "B1", "B7"], ["R1"])
    assert (theirs["hands"][0], theirs["councils"][0]) == (["R?", "B?", "B?"], ["R?"])
    assert theirs["turns"] == [
        {
            "seat": 0,
            "slots": [0, 2],
            "taken": ["R?", "B?"],
            "face_up": [False, False],
            "returned": ["G4", "K7"],
            "played": "R?",
            "target": -1,
            "drawn": "B?",
        }
    ]


def test_t19_whether_a_hero_that_was_seen_is_still_in_hand() -> None:
    opened = play(OPENED, "take 1 3", "return G7@1 R2@3", "play K7 council")
    both = play(opened, "take 0 3", "return R3@0 R4@3")  # seat 1 holds R7 and R2, both seen
    kept, gone = play(both, "play R2 council"), play(both, "play R7 council")
    assert plain(kept, 0) == plain(gone, 0)
    assert plain(kept, "spectator") == plain(gone, "spectator")
    assert plain(kept, 1) != plain(gone, 1)


def test_t20_a_blocker_is_known_to_its_owner_alone() -> None:
    seen = {viewer: plain(OPENED, viewer)["slots"][2] for viewer in (0, 1, "spectator", "all")}
    blockers = {viewer: slot["blocker"] for viewer, slot in seen.items()}
    assert blockers == {0: "B?", 1: "B6", "spectator": "B?", "all": "B6"}
    assert {slot["blocked_by"] for slot in seen.values()} == {1}
