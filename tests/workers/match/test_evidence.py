"""What is kept of a seat can be stored as it is."""

import json
from dataclasses import asdict

from workers.match.clock import Bank
from workers.match.evidence import LIMIT_KEPT, LINE_KEPT, SeatRecord
from workers.sandbox.faults import Answer


def test_what_a_bot_wrote_is_kept_cut_and_storable() -> None:
    record = SeatRecord(1, Bank(200, 2000))
    record.started(Answer(b'{"type":"ready"}', 40.1234, 60.0))
    record.decided(Answer(b"\0\xff" + b"x" * 70000, 12.3456, 13.4567))
    record.broke("no answer " * 500)
    record.note(3, "")
    record.note(7, "\0 a note")
    kept = record.evidence(b"log\0\xff", peak_bytes=9 << 20)
    assert kept.last_line.startswith("\ufffd\ufffdxx")
    assert len(kept.last_line) == LINE_KEPT
    assert len(kept.limit) == LIMIT_KEPT
    assert kept.stderr_tail == "log\ufffd\ufffd"
    assert kept.notes == [[7, "\ufffd a note"]]
    assert (kept.used_ms, kept.start_cpu_ms, kept.peak_bytes) == (12.346, 40.123, 9 << 20)
    assert (kept.cpu_per_ply, kept.wall_per_ply) == ([12.346], [13.457])
    assert json.loads(json.dumps(asdict(kept)))["seat"] == 1
