"""What is no whole export is told in one line that says where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_service.audit import files
from arena_service.audit.files import ExportError
from tests.arena_service.audit import events
from tests.arena_service.audit.events import Lines

packed = partial(gzip.compress, mtime=0)  # the same in every process: these name tests
FIRST = {"kind": "export", "format": "export/1", "competition": "x", "id": "i", "name": "n"}
RUBBISH = [
    (b"", "without its last one"),
    (b"no gzip", "no whole gzip file"),
    (packed(b""), "without its last one"),
    (packed(b"nothing"), "line 1: not a document of an export"),
    (packed(b"[" * 100_000), "line 1: not a document of an export"),
    (packed(b'{"kind":"export"}'), "missing required field"),
    (packed(b'{"kind":"round"}'), "line 1: not a document"),
    (packed(b'{"kind":"other"}'), "line 1: not a document"),
    (packed(b'{"kind":"end","lines":0}'), "line 1: the first line, and no other"),
    (packed(b"\xff\xfe"), "line 1: not a document"),
    (packed(b'{"kind":"end","lines":NaN}'), "line 1: not a document"),
]


@pytest.mark.parametrize(("content", "says"), RUBBISH)
def test_rubbish_is_told_in_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "x.gz").write_bytes(content)
    with pytest.raises(ExportError) as told:
        events.look(tmp_path / "x.gz")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


BROKEN: list[tuple[str, Callable[[Lines], Any]]] = [
    ("format is 'export/9', this reads 'export/1'", lambda ls: ls[0].update(format="export/9")),
    ("line 2: the first line, and no other", lambda ls: ls.insert(1, FIRST)),
    ("it is 'running'", lambda ls: ls[1].update(state="running")),
    ("key: expected hexadecimal digits", lambda ls: ls[1].update(key="secret")),
    ("expected ASCII", lambda ls: ls[1].update(id="é")),
    ("event 'other' has not come before", lambda ls: ls[2].update(event="other")),
    ("Expected `int", lambda ls: ls[1].update(seats="two")),
]


@pytest.mark.parametrize(("says", "change"), BROKEN, ids=[says for says, _ in BROKEN])
def test_a_line_that_cannot_be_is_named(
    cup: Path, tmp_path: Path, says: str, change: Callable[[Lines], Any]
) -> None:
    lines = events.read(cup)
    change(lines)
    with pytest.raises(ExportError) as told:
        events.look(events.write(tmp_path / "x.gz", lines))
    assert says in str(told.value)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_half_a_file_is_no_export(cup: Path, tmp_path: Path, share: float) -> None:
    content = cup.read_bytes()
    (tmp_path / "x.gz").write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ExportError, match="no whole gzip file"):
        events.look(tmp_path / "x.gz")


def test_lines_are_counted(cup: Path, tmp_path: Path) -> None:
    text = gzip.decompress(cup.read_bytes()).splitlines(keepends=True)
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"".join(text[:5] + text[6:])))
    with pytest.raises(ExportError, match="lines were written, here are"):
        events.look(tmp_path / "x.gz")
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"".join([*text, text[5]])))
    with pytest.raises(ExportError, match="behind the end"):
        events.look(tmp_path / "x.gz")


def test_a_line_without_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 1000)
    (tmp_path / "x.gz").write_bytes(gzip.compress(b" " * 10_000_000))
    with pytest.raises(ExportError, match="bytes in one"):
        events.look(tmp_path / "x.gz")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.lists(st.integers(-2, 3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_a_file_says_the_audit_ends_in_a_verdict(
    cup: Path, tmp_path: Path, data: st.DataObject
) -> None:
    """Changed values anywhere: problems are named or the file is refused, nothing else happens."""
    lines = events.read(cup)
    for _ in range(data.draw(st.integers(1, 3))):
        holder: Any = lines[data.draw(st.integers(1, len(lines) - 2))]
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if not isinstance(holder[key], dict | list) or data.draw(st.booleans()):
                holder[key] = data.draw(VALUES)
                break
            holder = holder[key]
    try:
        report = events.look(events.write(tmp_path / "x.gz", lines))
    except ExportError:
        return
    assert json.dumps(report.to_plain(), allow_nan=False)
