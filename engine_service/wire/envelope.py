"""Errors across the wire: the one table from an error to a gRPC status, and back."""

from __future__ import annotations

from collections.abc import Sequence

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from engine_service.core.errors import (
    IllegalActionError,
    OptionError,
    ReplayError,
    RulesError,
    UnknownGameError,
)
from engine_service.wire.messages import MatchOverError

DOMAIN = "engine.interrex"
BUG = "EngineBug"
SILENCE = "CallerSilent"
_FAILURES = (BUG, SILENCE)  # reasons that are no RulesError
_CODES: tuple[tuple[type[RulesError], int], ...] = (
    (UnknownGameError, code_pb2.NOT_FOUND),
    (MatchOverError, code_pb2.FAILED_PRECONDITION),
    (RulesError, code_pb2.INVALID_ARGUMENT),
)


def status_of(error: RulesError) -> grpc.Status:
    """The status of a caller's error, with its class and fields as ErrorInfo."""
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    fields = {name: str(value) for name, value in vars(error).items() if value is not None}
    return _status(code, str(error), type(error).__name__, fields)


def bug_status(reference: str) -> grpc.Status:
    """The status of a bug of the engine: a reference to its log and nothing of the match."""
    text = f"the engine failed; its log tells the cause under {reference}"
    return _status(code_pb2.INTERNAL, text, BUG, {"reference": reference})


def silence_status(seconds: float) -> grpc.Status:
    """The status of a match whose caller said nothing for so long."""
    text = f"no message for {seconds:g} s; the match is forgotten and can be resumed"
    return _status(code_pb2.DEADLINE_EXCEEDED, text, SILENCE, {})


def _status(code: int, text: str, reason: str, fields: dict[str, str]) -> grpc.Status:
    detail = AnyMessage()
    detail.Pack(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=fields))
    return rpc_status.to_status(status_pb2.Status(code=code, message=text, details=[detail]))


def error_of(error: grpc.RpcError) -> RulesError | None:
    """The caller's error behind a failed call; None when the call failed for another cause."""
    status = rpc_status.from_call(error) if isinstance(error, grpc.Call) else None
    details: Sequence[AnyMessage] = status.details if status is not None else ()
    for detail in details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN and info.reason not in _FAILURES:
            return _rebuilt(info.reason, dict(info.metadata), status.message if status else "")
    return None


def _rebuilt(reason: str, fields: dict[str, str], text: str) -> RulesError:
    if reason == UnknownGameError.__name__:
        return UnknownGameError(fields.get("name", ""), fields.get("known", ""))
    if reason == OptionError.__name__:
        return OptionError(fields.get("field", ""), fields.get("expected", ""))
    if reason == ReplayError.__name__:
        ply = fields.get("ply")
        return ReplayError(None if ply is None else int(ply), fields.get("cause", ""))
    if reason == IllegalActionError.__name__:
        numbers = [int(fields.get(name, "0")) for name in ("ply", "seat", "legal_count")]
        return IllegalActionError(numbers[0], numbers[1], fields.get("action", ""), numbers[2])
    return MatchOverError() if reason == MatchOverError.__name__ else RulesError(text)
