"""Beat's ticks go on when the machine's clock is set back, and while no broker answers."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

import pytest
from celery.beat import SchedulingError

from workers.app import app
from workers.ticking import Ticker

PATIENCE_SECONDS = 60.0
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def ticker() -> Ticker:
    made = Ticker(app)
    vars(made)["producer"] = None  # what would connect, and wait for a broker for ever
    return made


def run_until(ticker: Ticker, sent: list[Any], count: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(sent) < count:
        assert time.monotonic() < deadline, f"{len(sent)} ticks were sent, not {count}"
        time.sleep(max(0.0, min(ticker.tick(), 0.1)))


def test_a_clock_that_is_set_back_holds_up_no_tick(
    ticker: Ticker, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(ticker, "apply_async", lambda entry, **_: sent.append(entry))
    monkeypatch.setattr(app, "now", lambda: NOON)
    run_until(ticker, sent, 1)
    monkeypatch.setattr(app, "now", lambda: NOON - timedelta(hours=1))
    run_until(ticker, sent, 2)


def test_a_broker_that_is_away_is_asked_again(
    ticker: Ticker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[Any] = []

    def refuse(entry: Any, **_: object) -> NoReturn:
        tried.append(entry)
        raise SchedulingError("connection refused")

    monkeypatch.setattr(ticker, "apply_async", refuse)
    run_until(ticker, tried, 2)
    assert "the broker does not answer" in caplog.text
    assert "Traceback" not in caplog.text
