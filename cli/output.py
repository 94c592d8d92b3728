"""Lists as tables for people and as JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from cli.listing import Listing

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from interrex.arena.v1.bot_service_pb2 import SubmitBotResponse

WIDE = 400


def print_json(document: object) -> None:
    """JSON on stdout, one document."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def plain(message: Message) -> dict[str, Any]:
    """A message with every field present, under its proto name."""
    from google.protobuf.json_format import MessageToDict  # slow to import

    return MessageToDict(
        message, always_print_fields_with_no_presence=True, preserving_proto_field_name=True
    )


def tell(answer: Message, text: str, as_json: bool) -> None:
    """What was done: a line for people, or the arena's answer for programs."""
    if as_json:
        print_json(plain(answer))
    else:
        say(text)


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    folded: Sequence[str] = (),
    spare: Sequence[str] = (),
) -> Listing:
    """Rows under headings; in a narrow terminal columns are `folded` or `spare`, see Listing."""
    return Listing(columns, rows, folded, spare)


def print_table(drawn: Listing) -> None:
    """A table on stdout; where that is no terminal, wide enough that nothing is cut."""
    console = Console() if sys.stdout.isatty() else Console(width=WIDE)
    console.print(drawn)


def submitted(answer: SubmitBotResponse) -> str:
    """What became of an upload: bot, version, and whether it was there before."""
    word = "submitted" if answer.created else "already there"
    return f"{answer.version.bot} version {answer.version.version} {word}"


def say(text: str) -> None:
    """One plain line on stdout."""
    Console().print(text, highlight=False, markup=False, soft_wrap=True)


def warn(text: str) -> None:
    """One plain line on stderr."""
    Console(stderr=True).print(text, highlight=False, markup=False, soft_wrap=True)
