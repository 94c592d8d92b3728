"""Calls of WorkService with a deadline each, repeated with growing pauses while it is away."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena_service.work import WorkRefused, WorkUnavailable

TOKEN_METADATA = "interrex-worker-token"
LEASE_REASON = "NOT_YOUR_LEASE"
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", 8 * 2**20),
    # A connection that was cut is noticed within half a minute, and tried again within seconds.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)
# The same call may go through a moment later; every call of WorkService may be repeated.
_PASSING = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.ABORTED,
    }
)
T = TypeVar("T")


class LeaseDenied(RuntimeError):
    """The lease that a call names was not given to this worker, or is forgotten."""


class RequestRefused(ValueError):
    """The arena cannot use the request; the message names the field and what was expected."""


@dataclass(frozen=True)
class Manner:
    """How a call is made: seconds for each try, and for all tries together."""

    deadline: float
    patience: float


class Caller:
    """Makes the calls of one worker."""

    def __init__(self, token: str) -> None:
        """Every call carries `token`."""
        self._metadata = ((TOKEN_METADATA, token),)

    def ask(self, manner: Manner, call: Callable[..., T]) -> T:
        """What `call` answers; it gets `timeout` and `metadata`.

        Raises WorkUnavailable when the patience ends, WorkRefused for an unknown token,
        LeaseDenied and RequestRefused.
        """
        end = time.monotonic() + manner.patience
        for pause in _pauses():
            try:
                return call(timeout=manner.deadline, metadata=self._metadata)
            except grpc.RpcError as error:
                code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
                if code not in _PASSING:
                    raise _translated(error) from error
                if time.monotonic() + pause > end:
                    raise WorkUnavailable(_told(error)) from error
                time.sleep(pause)
        raise AssertionError("the pauses never end")


def _pauses() -> Iterator[float]:
    """Growing, and never the same for two workers that lost the arena at the same moment."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


def _translated(error: grpc.RpcError) -> Exception:
    code = error.code() if isinstance(error, grpc.Call) else None
    told = _told(error)
    match code:
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.UNIMPLEMENTED:
            return WorkRefused(told)
        case grpc.StatusCode.PERMISSION_DENIED if _reason(error) == LEASE_REASON:
            return LeaseDenied(told)
        case grpc.StatusCode.INVALID_ARGUMENT | grpc.StatusCode.NOT_FOUND:
            return RequestRefused(told)
    return WorkUnavailable(told)


def _told(error: grpc.RpcError) -> str:
    if not isinstance(error, grpc.Call):
        return str(error)
    return f"{error.code().name}: {error.details()}"


def _reason(error: Any) -> str:
    status = rpc_status.from_call(error)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status is not None else ():
        if detail.Unpack(info):
            return str(info.reason)
    return ""
