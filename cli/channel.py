"""The way to the arena's API: what is asked again, and how long, when it is away for a moment."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc

from cli.addresses import Address
from cli.refusals import unanswered

READY_SECONDS = 10.0
# All calls read, have a key, or are refused or idle the second time; this one makes a slot due,
# and the slot after it when it comes twice.
_NOT_AGAIN = {"service": "interrex.arena.v1.LadderService", "method": "RunLadderNow"}


def _again(attempts: int, first: str, most: str, multiplier: float) -> dict[str, Any]:
    return {
        "maxAttempts": attempts,
        "initialBackoff": first,
        "maxBackoff": most,
        "backoffMultiplier": multiplier,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }


_SOON = _again(4, "0.1s", "1s", 3)  # about a second in all
_PATIENTLY = _again(5, "0.8s", "4s", 2)  # about ten: `up` starts an API that died in less


@contextlib.contextmanager
def channel(address: Address, data: Path) -> Iterator[grpc.Channel]:
    """A channel to the API; that of an `up` that runs here is waited for when it is not there.

    Raises Failure when it does not come within READY_SECONDS.
    """
    with grpc.insecure_channel(address.api, _options(address.lives)) as made:
        if address.lives:
            try:
                grpc.channel_ready_future(made).result(READY_SECONDS)
            except grpc.FutureTimeoutError as error:
                raise unanswered(address, data) from error
        yield made


def _options(patient: bool) -> list[tuple[str, str | int]]:
    retried = {"name": [{}], "retryPolicy": _PATIENTLY if patient else _SOON}
    config = {"methodConfig": [retried, {"name": [_NOT_AGAIN]}]}
    return [
        ("grpc.service_config", json.dumps(config)),
        ("grpc.initial_reconnect_backoff_ms", 200),
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
