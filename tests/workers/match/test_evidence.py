"""What is kept of a seat can be stored as it is."""

import json
from dataclasses import asdict

from workers.match.clock import Bank
from workers.match.evidence import LIMIT_KEPT, LINE_KEPT, SeatRecord


def test_what_a_bot_wrote_is_kept_cut_and_storable() -> None:
    record = SeatRecord(1, Bank(200, 2000))
    record.used(12.3456, b"\0\xff" + b"x" * 70000)
    record.broke("no answer " * 500)
    record.note(3, "")
    record.note(7, "\0 a note")
    record.cpu_per_ply.append(12.3456)
    kept = record.evidence(b"log\0\xff")
    assert kept.last_line.startswith("\ufffd\ufffdxx")
    assert len(kept.last_line) == LINE_KEPT
    assert len(kept.limit) == LIMIT_KEPT
    assert kept.stderr_tail == "log\ufffd\ufffd"
    assert kept.notes == [[7, "\ufffd a note"]]
    assert (kept.used_ms, kept.cpu_per_ply) == (12.346, [12.346])
    assert json.loads(json.dumps(asdict(kept)))["seat"] == 1
