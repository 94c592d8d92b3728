"""A replay is true or refused, with the ply and the cause."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine_service.catalogue import game
from engine_service.core import referee, replay
from engine_service.core.errors import ReplayError
from engine_service.core.referee import Position

CLAIM = game("claim")
OPTIONS = CLAIM.parse_options({})
PLAYERS = [{"bot": "author-1/greedy", "version": 3}, {"bot": "random", "version": 1}]


def played(plies: int) -> Position:
    """At least so many plies, always the first legal action."""
    position = referee.start(CLAIM, OPTIONS, 2, bytes(32))
    while position.actor is not None and len(position.plies) < plies:
        position = referee.step(position, CLAIM.legal_actions(position.state)[0])
    return position


@pytest.fixture
def document() -> dict[str, Any]:
    return replay.build(played(52), PLAYERS, "completed", None)


def signed(document: dict[str, Any]) -> dict[str, Any]:
    return document | {"digest": replay.digest(document)}


def refused(document: dict[str, Any]) -> tuple[int | None, str]:
    with pytest.raises(ReplayError) as caught:
        replay.verify(document, game)
    return caught.value.ply, caught.value.cause


def test_a_replay_verifies_and_survives_the_file(document: dict[str, Any]) -> None:
    assert replay.read(replay.write(document)) == document
    assert replay.verify(document, game).plies == played(52).plies


def test_players_and_additions_are_not_part_of_the_digest(document: dict[str, Any]) -> None:
    changed = copy.deepcopy(document)
    changed["players"], changed["when"] = [], "2026"
    changed["plies"][0]["legal"] = ["G1"]
    replay.verify(changed, game)
    assert replay.digest(changed) == document["digest"]


def set_key(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.__setitem__(key, value)


def set_players(*players: Any) -> Callable[[dict[str, Any]], None]:
    return set_key("players", list(players))


def set_ply(number: int, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["plies"][number].__setitem__(key, value)


def swap_deck(document: dict[str, Any]) -> None:
    deck = document["deal"]["deck"]
    deck[0], deck[1] = deck[1], deck[0]


def forget_last(document: dict[str, Any]) -> None:
    document["plies"].pop()


def one_too_many(document: dict[str, Any]) -> None:
    document["plies"].append({"seat": 0, "action": "G1"})


def other_winner(document: dict[str, Any]) -> None:
    document["result"]["ranks"].reverse()


def ranks_as_booleans(document: dict[str, Any]) -> None:
    document["result"]["ranks"] = [True if r == 1 else r for r in document["result"]["ranks"]]


@pytest.mark.parametrize(
    ("change", "ply", "cause"),
    [
        (set_key("format", "replay/2"), None, "format is 'replay/2'"),
        (set_key("game", "chess"), None, "got 'chess'"),
        (set_key("rules_version", 2), None, "rules version 2 of claim; this engine has 1"),
        (set_key("rules_version", True), None, "rules_version is missing or not of its kind"),
        (set_key("options", {"peek": True}), None, "option 'peek'"),
        (set_key("options", {"blind_peek": False}), None, "a default, which is left out"),
        (lambda document: document.update(seats=3, players=[]), None, "expected 2 for"),
        (set_key("seats", 3), None, "players is empty or has one for each of the 3 seats"),
        (set_players({}), None, "players is empty or has one for each of the 2 seats"),
        (set_players(PLAYERS[0], {}), None, "players[1].bot is missing"),
        (set_players({"bot": "x", "version": "1"}, PLAYERS[1]), None, "players[0].version is"),
        (set_players("x", PLAYERS[1]), None, "players[0] is not a JSON object"),
        (set_key("seed", "1" * 64), None, "wrong deal"),
        (set_key("seed", "G" * 64), None, "hexadecimal"),
        (swap_deck, None, "wrong deal"),
        (set_ply(4, "action", "X9"), 4, "illegal action 'X9' of seat 0"),
        (set_ply(4, "action", "a card"), 4, "illegal action 'a card'"),
        (set_ply(4, "seat", 1), 4, "seat 1 is not to move"),
        (set_ply(0, "forced", True), 0, "wrong forced mark"),
        (set_ply(0, "forced", False), 0, "forced is true or left out"),
        (forget_last, 51, "the forced ply is missing"),
        (one_too_many, 52, "the game was over before"),
        (other_winner, None, "wrong result: ranks"),
        (ranks_as_booleans, None, "wrong result: ranks"),
    ],
)
def test_a_replay_that_is_not_true_is_refused(
    document: dict[str, Any],
    change: Callable[[dict[str, Any]], None],
    ply: int | None,
    cause: str,
) -> None:
    change(document)
    found, text = refused(signed(document))
    assert found == ply
    assert cause in text


def test_a_wrong_digest_is_refused(document: dict[str, Any]) -> None:
    assert refused(document | {"digest": "0" * 64}) == (None, "wrong digest")


def test_a_match_cut_short_names_the_first_missing_ply(document: dict[str, Any]) -> None:
    del document["plies"][20:]
    assert refused(signed(document)) == (20, "the game is not over: plies are missing")


def test_a_truncated_file_is_refused_by_the_ply_it_lacks(document: dict[str, Any]) -> None:
    data = replay.write(document).rstrip()
    first, last = data.index(b'"plies":[') + len(b'"plies":['), data.index(b'],"result"')
    assert cut(data, 0) == (None, "the file is empty: fetch it again")
    for length in range(1, len(data)):
        ply, cause = cut(data, length)
        assert cause == f"the file ends in the middle, after {length} bytes: fetch it again"
        whole = data[first:length].count(b'"action"') if first <= length <= last else None
        assert ply in ((whole,) if whole is None else (whole, whole - 1))


def cut(data: bytes, length: int) -> tuple[int | None, str]:
    with pytest.raises(ReplayError) as refusal:
        replay.read(data[:length])
    return refusal.value.ply, refusal.value.cause


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"[]", "a replay is a JSON object"),
        (b"hello", "it does not begin with {"),
        (b"1", "a replay is a JSON object"),
        (b"{]", "no JSON at character 1"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b'{"a":' + b"[" * 200_000, "nested too deep"),
        (b'{"a":' + b"9" * 9_999, "a number is too long"),
        (b"{}", "format is 'None'"),
        (b'{"seed":"1","plies":[{"seat":0,"seat":1}]}', "the key 'seat' is there twice"),
        (b'{"digest":"1","digest":"2"}', "the key 'digest' is there twice"),
    ],
)
def test_other_files_are_refused(data: bytes, cause: str) -> None:
    with pytest.raises(ReplayError, match=re.escape(cause)):
        replay.read(data)


@pytest.mark.parametrize("key", replay.DIGESTED)
def test_a_missing_key_is_refused(document: dict[str, Any], key: str) -> None:
    del document[key]
    with pytest.raises(ReplayError):
        replay.read(json.dumps(document).encode())


def test_a_fault_loses_the_match() -> None:
    position = played(7)
    document = replay.build(position, PLAYERS, "timeout", position.actor)
    assert document["result"]["score"] is None
    assert document["result"]["ranks"] == list(referee.forfeit_ranks((0, 1), position.actor or 0))
    replay.verify(document, game)


def test_only_the_seat_to_move_can_be_at_fault() -> None:
    position = played(7)
    assert position.actor is not None
    with pytest.raises(ReplayError, match="cannot be at fault"):
        replay.build(position, PLAYERS, "crash", 1 - position.actor)


@pytest.mark.parametrize("seat", [0, 1])
def test_any_seat_can_fail_to_start(seat: int) -> None:
    document = replay.build(played(0), PLAYERS, "crash", seat)
    assert document["result"]["at_fault"] == seat
    assert document["plies"] == []
    replay.verify(document, game)


def test_a_match_that_goes_on_is_not_completed() -> None:
    with pytest.raises(ReplayError, match="not over"):
        replay.build(played(7), PLAYERS, "completed", None)


def test_a_finished_match_cannot_be_lost_by_a_fault() -> None:
    with pytest.raises(ReplayError, match="the game is over"):
        replay.build(played(52), PLAYERS, "timeout", 0)


def test_no_contest_has_no_plies_and_no_ranks() -> None:
    document = replay.no_contest(played(0), PLAYERS)
    assert document["result"] == {
        "ending": "no_contest",
        "ranks": None,
        "at_fault": None,
        "score": None,
    }
    replay.verify(document, game)


def test_frames_are_the_deal_and_one_per_ply(document: dict[str, Any]) -> None:
    frames = list(replay.frames(document, CLAIM, "spectator"))
    assert [frame.ply for frame in frames] == list(range(53))
    assert (frames[0].seat, frames[0].action, frames[0].actor) == (None, None, 0)
    assert [frame.action for frame in frames[1:]] == [ply["action"] for ply in document["plies"]]
    assert frames[-1].actor is None
    assert all(frame.view["hands"] == [[], []] for frame in frames)


def test_frames_show_a_seat_only_its_own_hand(document: dict[str, Any]) -> None:
    for frame in replay.frames(document, CLAIM, 1):
        assert frame.view["hands"][0] == []
        assert len(frame.view["hands"][1]) == frame.view["hand_sizes"][1]
