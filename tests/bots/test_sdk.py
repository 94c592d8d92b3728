"""The bot's half of the protocol, and how little it costs to start."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.sdk import Answer, Bot, Resign, Turn, serve

ROOT = Path(__file__).parents[2]
HELLO = {
    "type": "hello",
    "protocol": 1,
    "match": "m",
    "game": "claim",
    "rules_version": 1,
    "options": {},
    "seats": 2,
    "seat": 1,
    "seed": "0" * 32,
    "limits": {"start_cpu_ms": 5000, "move_cpu_ms": 200, "bank_cpu_ms": 2000, "wall_ms": 11000},
}
TURN = {
    "type": "turn",
    "turn": 5,
    "ply": 13,
    "view": {},
    "legal": ["G5", "G7"],
    "ids": [5, 7],
    "events": [],
    "clock": {"bank_cpu_ms": 1830, "wall_ms": 10150},
}
END = {"type": "end", "result": {"ending": "completed"}, "rank": 2}


def said(bot: type[Bot], *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What a bot answers to a conversation."""
    source = io.BytesIO(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    sink = io.BytesIO()
    serve(bot, source, sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def answering(choice: str | int | Answer | Resign) -> type[Bot]:
    """A bot with one answer for everything."""

    class Stubborn(Bot):
        def choose(self, turn: Turn) -> str | int | Answer | Resign:
            return choice

    return Stubborn


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("G5", {"type": "action", "turn": 5, "action": "G5"}),
        (7, {"type": "action", "turn": 5, "action": 7}),
        (Answer("G7", "why"), {"type": "action", "turn": 5, "action": "G7", "note": "why"}),
        (Resign(), {"type": "resign", "turn": 5}),
    ],
)
def test_a_choice_becomes_the_answer_to_its_turn(
    choice: str | int | Answer | Resign, message: dict[str, Any]
) -> None:
    assert said(answering(choice), HELLO, TURN, END) == [{"type": "ready"}, message]


def test_every_match_has_a_bot_of_its_own() -> None:
    made: list[str] = []

    class Counted(Bot):
        def choose(self, turn: Turn) -> str:
            made.append(f"{self.hello.match} {turn.view}")
            return turn.legal[0]

        def end(self, result: dict[str, Any], rank: int | None) -> None:
            made.append(f"{self.hello.match} {result['ending']} {rank}")

    said(Counted, HELLO, TURN, END, {**HELLO, "match": "n"}, TURN)
    assert made == ["m {}", "m completed 2", "n {}"]


def test_the_sdk_imports_nothing_slow() -> None:
    code = "import sys, bots.sdk; print('\\n'.join(sys.modules))"
    line = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, '.'); {code}"]
    loaded = subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"typing", "dataclasses", "inspect", "random", "numpy", "grpc"} & set(loaded.split())


def test_the_bot_of_the_page_answers() -> None:
    page = (ROOT / "bots" / "README.md").read_text()
    code = page.split("```python\n")[1].split("```")[0]
    talk = "".join(json.dumps(message) + "\n" for message in (HELLO, TURN, END))
    done = subprocess.run(
        [sys.executable, "-c", code], input=talk, capture_output=True, text=True, cwd=ROOT
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [{"type": "ready"}, {"type": "action", "turn": 5, "action": "G5"}]
    assert (done.returncode, done.stderr) == (0, "")


def test_what_a_bot_prints_goes_to_its_log() -> None:
    code = (
        "from bots.sdk import Bot, run\n"
        "class Talker(Bot):\n"
        "    def choose(self, turn):\n"
        "        print('thinking')\n"
        "        return 7\n"
        "run(Talker)"
    )
    talk = "".join(json.dumps(message) + "\n" for message in (HELLO, TURN))
    done = subprocess.run(
        [sys.executable, "-c", code], input=talk, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stderr == "thinking\n"
    assert json.loads(done.stdout.splitlines()[-1])["action"] == 7
