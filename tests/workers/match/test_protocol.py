"""What is written to a bot, and which lines are an answer."""

import json
from typing import Any

import pytest

from engine_service.client import MatchStart, Turn
from workers.match import protocol
from workers.match.protocol import Action, AnswerError, Resign

START = MatchStart(
    game="claim", options={"blind_peek": True}, seats=2, seed="ab" * 32, rules_version=1
)
OFFER = Turn(
    seat=1,
    turn=5,
    ply=13,
    view=b'{"led":"G3"}',
    legal=["G5", "G7"],
    ids=[5, 7],
    events=b'[{"ply":12,"seat":0,"action":"G3"}]',
    teams=(0, 1),
)


def test_hello_has_the_fields_of_the_protocol_and_no_word_of_the_deal() -> None:
    line = protocol.hello(START, seat=1, seed="cd" * 16, limits={"move_cpu_ms": 200})
    message = json.loads(line)
    assert message.pop("match") != json.loads(protocol.hello(START, 0, "ce" * 16, {}))["match"]
    assert message == {
        "type": "hello",
        "protocol": 1,
        "game": "claim",
        "rules_version": 1,
        "options": {"blind_peek": True},
        "seats": 2,
        "seat": 1,
        "seed": "cd" * 16,
        "limits": {"move_cpu_ms": 200},
    }
    assert START.seed.encode() not in line


def test_a_turn_carries_view_and_events_as_the_engine_wrote_them() -> None:
    line = protocol.turn(OFFER, {"bank_cpu_ms": 1830, "wall_ms": 10150})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "type": "turn",
        "turn": 5,
        "ply": 13,
        "view": {"led": "G3"},
        "legal": ["G5", "G7"],
        "ids": [5, 7],
        "events": [{"ply": 12, "seat": 0, "action": "G3"}],
        "clock": {"bank_cpu_ms": 1830, "wall_ms": 10150},
    }


@pytest.mark.parametrize(("ranks", "rank"), [([2, 1], 1), (None, None)])
def test_end_tells_the_rank_of_its_seat(ranks: list[int] | None, rank: int | None) -> None:
    message = json.loads(protocol.end({"ending": "completed", "ranks": ranks}, seat=1))
    assert (message["type"], message["rank"]) == ("end", rank)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"type":"action","turn":5,"action":"G5"}', Action(5, "G5")),
        (b'{"turn":5,"note":"n","action":7,"type":"action"}', Action(5, 7, "n")),
        (b'{"type":"action","turn":5,"action":"G5","mood":["good"]}', Action(5, "G5")),
        (b' {"type":"resign","turn":5}\r', Resign(5)),
    ],
)
def test_answers_are_read(line: bytes, answer: Action | Resign) -> None:
    assert protocol.read_answer(line, 5) == answer


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"G5",
        b"[]",
        b"null",
        b'{"type":"action","turn":5}',
        b'{"type":"action","turn":4,"action":"G5"}',
        b'{"type":"action","turn":"5","action":"G5"}',
        b'{"type":"action","turn":5,"action":true}',
        b'{"type":"action","turn":5,"action":-1}',
        b'{"type":"action","turn":5,"action":123456789012345678901234567890}',
        b'{"type":"action","turn":5,"action":["G5"]}',
        b'{"type":"action","turn":5,"action":"\xff"}',
        b'{"type":"action","turn":5,"action":"\\ud800"}',
        b'{"type":"action","turn":5,"action":"G5"} {}',
        b'{"type":"action","turn":5,"action":"G5","x":' + b"[" * 30000,
        b'{"type":"action","turn":5,"action":"' + b"G" * 500 + b'"}',
        b'{"type":"ready"}',
        b'{"type":"resign"}',
    ],
)
def test_other_lines_are_no_answer(line: bytes) -> None:
    with pytest.raises(AnswerError):
        protocol.read_answer(line, 5)


@pytest.mark.parametrize("line", [b"ready", b'{"type":"action"}', b"\xff", b"{}"])
def test_only_ready_starts_a_match(line: bytes) -> None:
    protocol.read_ready(b'{"type":"ready"}')
    with pytest.raises(AnswerError):
        protocol.read_ready(line)


def test_a_note_is_cut_between_characters() -> None:
    assert protocol.cut_note("ž" * 2000) == "ž" * 512
    assert protocol.cut_note("short") == "short"


def test_a_message_too_long_for_a_bot_is_a_bug_and_loud() -> None:
    big: dict[str, Any] = {"ending": "x" * protocol.LINE_TO_BOT, "ranks": [1, 2]}
    with pytest.raises(ValueError, match="bytes to a bot"):
        protocol.end(big, 0)
