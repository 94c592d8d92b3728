"""What a runner kept of a seat, cut to what the store takes."""

from __future__ import annotations

from math import isfinite
from typing import Any

from arena_service.store.posts import MAX_PLIES
from arena_service.store.tables import Evidence

MAX_VIEW = 256 * 1024
MAX_LINE = 64 * 1024
MAX_STDERR = 64 * 1024
MAX_NOTE = 1024
MAX_LIMIT = 200


def evidence_row(attempt: str, item: dict[str, Any]) -> Evidence:
    """The row of one seat; `item` as the runner posts it, its `seat` is one of the match."""
    used = item.get("used_ms")
    return Evidence(
        attempt=attempt,
        seat=int(item["seat"]),
        limit=_text(str(item.get("limit") or "")[:MAX_LIMIT], MAX_LIMIT),
        used_ms=None if used is None else _finite(used),
        start_cpu_ms=_finite(item.get("start_cpu_ms") or 0.0),
        peak_bytes=_size(item.get("peak_bytes")),
        last_view=_text(item.get("last_view"), MAX_VIEW),
        last_line=_text(item.get("last_line"), MAX_LINE),
        stderr_tail=_text(item.get("stderr_tail"), MAX_STDERR),
        cpu_per_ply=_times(item.get("cpu_per_ply")),
        wall_per_ply=_times(item.get("wall_per_ply")),
        notes=[
            [int(ply), _text(note, MAX_NOTE)]
            for ply, note in list(item.get("notes") or [])[:MAX_PLIES]
        ],
    )


def _times(values: Any) -> list[float]:
    return [_finite(value) for value in list(values or [])[:MAX_PLIES]]


def _size(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**63 else None


def _finite(value: Any) -> float:
    number = float(value)
    return number if isfinite(number) else 0.0


def _text(value: Any, limit: int) -> str:
    """The last `limit` characters, without the NUL that PostgreSQL refuses."""
    return str(value or "").replace("\x00", "\ufffd")[-limit:]
