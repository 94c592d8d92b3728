"""What a line of the log looks like, and what never stands in one."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from engine_service.logs import LogSettingsError, configure

PROGRAM = """
import logging, sys
from structlog.contextvars import bind_contextvars
from engine_service import logs
logs.configure_or_exit("tests", quiet=["noisy"])
bind_contextvars(match_id="m1")
logs.get_logger("interrex.tests").info("hello", seats=2)
logging.getLogger("celery").warning("%d broken", 3)
logging.getLogger("noisy").info("tick")
def fails(token):
    raise ValueError("no luck")
try:
    fails("s3cret" * 2)
except ValueError:
    logs.get_logger("interrex.tests").exception("it failed")
"""


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={f"INTERREX_LOG_{name}": value for name, value in environment.items()},
        capture_output=True,
        text=True,
        check=False,
    )


def lines(**environment: str) -> list[dict[str, Any]]:
    done = run(**environment)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_every_line_is_an_object_whoever_speaks() -> None:
    own, foreign, failed = lines()
    assert (own["message"], own["seats"], own["level"]) == ("hello", 2, "info")
    assert (foreign["message"], foreign["logger"]) == ("3 broken", "celery")
    assert failed["exception"].endswith("ValueError: no luck")
    for line in (own, foreign, failed):
        assert (line["process"], line["match_id"]) == ("tests", "m1")
        assert line["time"].endswith("Z")


def test_the_level_is_a_setting() -> None:
    assert [line["level"] for line in lines(LEVEL="warning")] == ["warning", "error"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_shows_no_values(form: str) -> None:
    done = run(FORMAT=form)
    assert "no luck" in done.stderr
    assert "s3crets3cret" not in done.stderr


@pytest.mark.parametrize("name", ["LEVEL", "FORMAT"])
def test_a_wrong_setting_is_named(name: str) -> None:
    done = run(**{name: "loud"})
    assert done.returncode == 1
    assert done.stderr.startswith(f"INTERREX_LOG_{name}: expected one of ")
    with pytest.raises(LogSettingsError, match=f"INTERREX_LOG_{name}.*'loud'"):
        configure("tests", {f"INTERREX_LOG_{name}": "loud"})
