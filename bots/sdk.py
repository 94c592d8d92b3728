"""Everything a Python bot needs: subclass `Bot`, write `choose`, call `run(YourBot)`.

    from bots.sdk import Bot, Turn, run

    class First(Bot):
        def choose(self, turn: Turn) -> str:
            return turn.legal[0]

    if __name__ == "__main__":
        run(First)

Only the standard library, and little of it: a bot's start counts as CPU time. `print` goes to the
author's log (stderr), because stdout belongs to the protocol.
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False  # type checkers take it for true; importing typing would cost start-up time
if TYPE_CHECKING:
    from typing import IO, Any


class Hello:
    """What a bot is told when a match begins."""

    __slots__ = ("game", "limits", "match", "options", "rules_version", "seat", "seats", "seed")

    def __init__(self, message: dict[str, Any]) -> None:
        """Take the fields of a `hello` message."""
        self.match: str = message["match"]
        self.game: str = message["game"]
        self.rules_version: int = message["rules_version"]
        self.options: dict[str, Any] = message["options"]
        self.seats: int = message["seats"]
        self.seat: int = message["seat"]
        self.seed: str = message["seed"]
        self.limits: dict[str, int] = message["limits"]


class Turn:
    """One decision: `legal[i]` and `ids[i]` are two names of one action; never fewer than two."""

    __slots__ = ("clock", "events", "ids", "legal", "ply", "turn", "view")

    def __init__(self, message: dict[str, Any]) -> None:
        """Take the fields of a `turn` message."""
        self.turn: int = message["turn"]
        self.ply: int = message["ply"]
        self.view: dict[str, Any] = message["view"]
        self.legal: list[str] = message["legal"]
        self.ids: list[int] = message["ids"]
        self.events: list[dict[str, Any]] = message["events"]
        self.clock: dict[str, int] = message["clock"]


class Answer:
    """An action with a note (up to 1 KiB) that the author reads beside the ply."""

    __slots__ = ("action", "note")

    def __init__(self, action: str | int, note: str = "") -> None:
        """`action` is a notation or an id."""
        self.action = action
        self.note = note


class Resign:
    """Returned by `choose` to give the match up."""


class Bot:
    """One object per match; several matches may follow one another in one process."""

    def __init__(self, hello: Hello) -> None:
        """Keep the hello; a bot that overrides this should call it."""
        self.hello = hello

    def choose(self, turn: Turn) -> str | int | Answer | Resign:
        """The bot's decision: an entry of `turn.legal` or `turn.ids`."""
        raise NotImplementedError

    def end(self, result: dict[str, Any], rank: int | None) -> None:
        """Called after a match, but only when the next one begins: it costs time of that start."""


def run(bot_class: type[Bot]) -> None:
    """Talk the json protocol until the input ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    serve(bot_class, source, sink)


def serve(bot_class: type[Bot], source: IO[bytes], sink: IO[bytes]) -> None:
    """The loop of `run` over any two streams."""
    bot: Bot | None = None
    for line in source:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            bot = bot_class(Hello(message))
            _say(sink, {"type": "ready"})
        elif bot is None:
            raise ValueError(f"a {kind!r} message came before the hello")
        elif kind == "turn":
            turn = Turn(message)
            _say(sink, _answer(turn.turn, bot.choose(turn)))
        elif kind == "end":
            bot.end(message["result"], message["rank"])


def _answer(turn: int, choice: str | int | Answer | Resign) -> dict[str, Any]:
    if isinstance(choice, Resign):
        return {"type": "resign", "turn": turn}
    if isinstance(choice, Answer):
        message: dict[str, Any] = {"type": "action", "turn": turn, "action": choice.action}
        return {**message, "note": choice.note} if choice.note else message
    return {"type": "action", "turn": turn, "action": choice}


def _say(sink: IO[bytes], message: dict[str, Any]) -> None:
    sink.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    sink.flush()
