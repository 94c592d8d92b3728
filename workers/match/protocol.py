"""The bot protocol, json form: what is written to a bot and what its line may say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from engine_service.client import MatchStart, Turn

VERSION = 1
LINE_TO_BOT = 256 * 1024
NOTE_BYTES = 1024
READY_EXPECTED = 'the answer to hello has to be {"type":"ready"}'


class AnswerError(ValueError):
    """A line that is no answer to what was asked."""


class Action(msgspec.Struct, tag="action", tag_field="type", frozen=True):
    """An action by notation or id; whether it is legal is the referee's business."""

    turn: int
    action: (
        Annotated[str, msgspec.Meta(max_length=200)] | Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    )
    note: str = ""


class Resign(msgspec.Struct, tag="resign", tag_field="type", frozen=True):
    """The bot gives up."""

    turn: int


class Ready(msgspec.Struct, frozen=True):
    """The bot has started. (A lone struct's tag may be left out, a field may not.)"""

    type: Literal["ready"]


_answers = msgspec.json.Decoder(Action | Resign)
_ready = msgspec.json.Decoder(Ready)


def match_word(bot_seed: str) -> str:
    """The match id a seat is told: says nothing and differs between the seats of a match."""
    return hashlib.sha256(b"interrex/match/1|" + bot_seed.encode()).hexdigest()[:16]


def hello(start: MatchStart, seat: int, seed: str, limits: Mapping[str, int]) -> bytes:
    """The first message of a match; tells neither leg nor pair nor opponent."""
    return _line(
        {
            "type": "hello",
            "protocol": VERSION,
            "match": match_word(seed),
            "game": start.game,
            "rules_version": start.rules_version,
            "options": start.options,
            "seats": start.seats,
            "seat": seat,
            "seed": seed,
            "limits": dict(limits),
        }
    )


def turn(offer: Turn, clock: Mapping[str, int]) -> bytes:
    """Ask for a decision; view and events go through as the engine wrote them."""
    return _line(
        {
            "type": "turn",
            "turn": offer.turn,
            "ply": offer.ply,
            "view": msgspec.Raw(offer.view),
            "legal": offer.legal,
            "ids": offer.ids,
            "events": msgspec.Raw(offer.events),
            "clock": dict(clock),
        }
    )


def end(result: Mapping[str, Any], seat: int) -> bytes:
    """The match is over; without ranks (`no_contest`) the rank is null."""
    ranks = result["ranks"]
    return _line({"type": "end", "result": result, "rank": ranks[seat] if ranks else None})


def read_ready(line: bytes) -> None:
    """Accept `ready`; raises AnswerError for anything else."""
    try:
        _ready.decode(_text(line))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise AnswerError(f"{READY_EXPECTED}: {error}") from error


def read_answer(line: bytes, expected_turn: int) -> Action | Resign:
    """The answer to `expected_turn`; raises AnswerError saying what is wrong with the line."""
    try:
        answer = _answers.decode(_text(line))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise AnswerError(f"no answer: {error}") from error
    if answer.turn != expected_turn:
        raise AnswerError(f"an answer to turn {answer.turn}, asked was turn {expected_turn}")
    return answer


def cut_note(note: str) -> str:
    """At most 1 KiB of a note, cut between characters."""
    return note.encode()[:NOTE_BYTES].decode(errors="ignore")


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise AnswerError("not UTF-8") from error


def _line(message: Mapping[str, Any]) -> bytes:
    line = msgspec.json.encode(message) + b"\n"
    if len(line) > LINE_TO_BOT:
        raise ValueError(f"a message of {len(line)} bytes to a bot")
    return line
