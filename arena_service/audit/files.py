"""The file of an export: gzipped lines, read one by one, and written so that equal is equal."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from arena_service.audit.documents import FORMAT, End, Export, Line
from engine_service.core.replay import MAX_BYTES

MAX_LINE = MAX_BYTES + 2**20  # a replay, and what stands around it
MAX_LINES = 2_000_000
CHUNK_BYTES = 2**18
_GZIP = 31  # for zlib: a gzip file without a name and a time
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Line)


class ExportError(ValueError):
    """A file that is no whole export: where, and what was expected."""

    def __init__(self, line: int | None, problem: str) -> None:
        """`line` counts from 1; None where it is about the file."""
        where = "" if line is None else f"line {line}: "
        super().__init__(where + problem)


def read(path: Path) -> Iterator[tuple[int, Line]]:
    """Every document with the number of its line; raises ExportError, or OSError.

    The first is an Export, the last an End that counts the others; nothing comes after it.
    """
    with path.open("rb") as file, gzip.GzipFile(fileobj=file) as lines:
        yield from _documents(lines)


def written(documents: Iterable[Line]) -> Iterator[bytes]:
    """The bytes of the file, in pieces; the same documents make the same bytes."""
    packer, count = zlib.compressobj(wbits=_GZIP), 0
    packed: list[bytes] = []
    for document in documents:
        count += 1
        packed.append(packer.compress(_ENCODER.encode(document) + b"\n"))
        if sum(map(len, packed)) >= CHUNK_BYTES:
            yield b"".join(packed)
            packed.clear()
    last = packer.compress(_ENCODER.encode(End(count)) + b"\n") + packer.flush()
    yield b"".join([*packed, last])


def _documents(lines: BinaryIO | gzip.GzipFile) -> Iterator[tuple[int, Line]]:
    number, ended = 0, False
    for number, text in _lines(lines):
        if ended:
            raise ExportError(number, "something stands behind the end")
        document = _decoded(number, text)
        if (number == 1) != isinstance(document, Export):
            raise ExportError(number, "the first line, and no other, is of the kind export")
        if isinstance(document, Export) and document.format != FORMAT:
            raise ExportError(1, f"format is {document.format[:40]!r}, this reads {FORMAT!r}")
        if isinstance(document, End):
            ended = True
            if document.lines != number - 1:
                raise ExportError(
                    number, f"{document.lines} lines were written, here are {number - 1}"
                )
        yield number, document
    if not ended:
        raise ExportError(None, f"the file ends after {number} lines without its last one")


def _lines(lines: BinaryIO | gzip.GzipFile) -> Iterator[tuple[int, bytes]]:
    """Bounded in length and number, so that a small file cannot fill the memory."""
    number = 0
    try:
        while text := lines.readline(MAX_LINE + 1):
            number += 1
            if len(text) > MAX_LINE or number > MAX_LINES:
                raise ExportError(
                    number, f"more than {MAX_LINES} lines, or {MAX_LINE} bytes in one"
                )
            yield number, text
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ExportError(None, f"no whole gzip file ({error})") from error


def _decoded(number: int, text: bytes) -> Line:
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExportError(number, f"not a document of an export ({error})") from error
