"""Brokers that are away are told within the deadline, whichever they are."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena_service.settings import Settings
from arena_service.status.probes import DEADLINE_SECONDS, Probes


@pytest.fixture
def silent() -> Iterator[str]:
    """HOST:PORT where somebody listens and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_says_nothing_is_told(silent: str, scheme: str) -> None:
    address = f"{scheme}://user:hidden@{silent}/"
    settings = replace(Settings.from_environment({}), broker_url=address, engine_address=silent)
    began = time.monotonic()
    rows = {row.kind: row for row in Probes(settings).rows()}
    assert time.monotonic() - began < 10 * DEADLINE_SECONDS
    assert rows["broker"].detail == "does not answer"
    assert rows["broker"].host == f"{scheme}://{silent}/"
