"""The JSON text of a replay file, and where a file that is none goes wrong."""

from __future__ import annotations

import json
from typing import Any

from engine_service.core.errors import ReplayError

PLIES = '"plies":['


def parse(data: bytes) -> Any:
    """The document in a file; raises ReplayError, for a file that was cut with the ply it lacks."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ReplayError(None, f"not a replay file: byte {error.start} is not UTF-8") from error
    if not text.strip():
        raise ReplayError(None, "the file is empty: fetch it again")
    try:
        return json.loads(text, object_pairs_hook=_once_each)
    except ReplayError:
        raise
    except RecursionError as error:
        raise ReplayError(None, "not a replay file: nested too deep") from error
    except json.JSONDecodeError as error:
        if not text.lstrip().startswith("{"):
            raise ReplayError(None, "not a replay file: it does not begin with {") from error
        if _is_cut(text, error):
            cause = f"the file ends in the middle, after {len(data)} bytes: fetch it again"
            raise ReplayError(_whole_plies(text), cause) from error
        raise ReplayError(None, f"not a replay file: no JSON at character {error.pos}") from error
    except ValueError as error:  # a number of more digits than Python reads
        raise ReplayError(None, "not a replay file: a number is too long") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values; raises ReplayError for a key that is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ReplayError(None, f"the key {twice[:40]!r} is there twice in one object")
    return found


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    """Whether the reader wanted more, in a string or anywhere else."""
    return error.msg.startswith("Unterminated string") or _cut_word(text[error.pos :])


def _cut_word(rest: str) -> bool:
    """Nothing but the beginning of a word, or nothing, stands where a value or a comma should."""
    rest = rest.strip()
    return any(word.startswith(rest) for word in ("true", "false", "null", "-"))


def _whole_plies(text: str) -> int | None:
    """How many plies the text holds to their end; None when it ends before or after them."""
    _, found, rest = text.replace(" ", "").partition(PLIES)
    if not found:
        return None
    decoder, count = json.JSONDecoder(), 0
    while rest.startswith("{"):
        try:
            _, end = decoder.raw_decode(rest)
        except json.JSONDecodeError:
            return count
        count, rest = count + 1, rest[end:].removeprefix(",")
    return None if rest.startswith("]") else count
