"""One suite for both engines: in this process, and a server process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

from engine_service.client import Engine, Finished, GrpcEngine, LocalEngine, MatchStart, Turn

SEED = "0" * 64


@contextmanager
def engine_process() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A real server on a free port, ready to answer."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-m", "engine_service.server", "--address", address]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        with grpc.insecure_channel(address) as channel:
            grpc.channel_ready_future(channel).result(timeout=30)
        yield address, process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with engine_process() as (address, _):
        yield address


@pytest.fixture(params=["local", "grpc"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    found: Engine
    if request.param == "local":
        found = LocalEngine()
    else:
        found = GrpcEngine(request.getfixturevalue("address"))
    yield found
    found.close()


@pytest.fixture
def start() -> Callable[..., MatchStart]:
    """A match of Claim on the seed of zeros."""

    def make(**changes: Any) -> MatchStart:
        values: dict[str, Any] = {"game": "claim", "options": {}, "seats": 2, "seed": SEED}
        return MatchStart(**values | changes)

    return make


@pytest.fixture
def played(start: Callable[..., MatchStart]) -> Finished:
    """A whole match, always the last legal action."""
    match = LocalEngine().play(start())
    while isinstance(match.offer, Turn):
        match.act(match.offer.ids[-1])
    return match.offer
