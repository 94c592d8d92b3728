"""Refusals as google.rpc status: a reason for programs, a text for people, the field at fault."""

from __future__ import annotations

from typing import NoReturn

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from arena_service.store.errors import InvalidError, NotFoundError, QuotaError, StoreError
from arena_service.submissions import SubmissionError
from engine_service.core.errors import OptionError, RulesError, UnknownGameError

DOMAIN = "interrex"
MESSAGE_BYTES = 2000  # it travels three times in headers, which clients take up to 16 KiB


class ApiError(Exception):
    """A call that is refused; servicers raise it, the interceptor sends it."""

    def __init__(self, code: int, reason: str, message: str, field: str = "") -> None:
        """`code` is a google.rpc code, `reason` an UPPER_SNAKE word."""
        super().__init__(message)
        self.code, self.reason, self.field = code, reason, field
        self.message = message.encode()[:MESSAGE_BYTES].decode(errors="ignore")


def invalid(reason: str, field: str, message: str) -> ApiError:
    """The request itself cannot be used."""
    return ApiError(code_pb2.INVALID_ARGUMENT, reason, message, field)


def not_found(field: str, message: str) -> ApiError:
    """There is no such thing, or none that the caller may know of."""
    return ApiError(code_pb2.NOT_FOUND, "NOT_FOUND", message, field)


def forbidden(reason: str, message: str) -> ApiError:
    """The caller may not do that."""
    return ApiError(code_pb2.PERMISSION_DENIED, reason, message)


def not_yet(reason: str, message: str) -> ApiError:
    """It is not the time for that; later it may be."""
    return ApiError(code_pb2.FAILED_PRECONDITION, reason, message)


def unauthenticated(reason: str, message: str) -> ApiError:
    """A token is missing or unknown."""
    return ApiError(code_pb2.UNAUTHENTICATED, reason, message)


def busy(message: str) -> ApiError:
    """There is no room for the call now."""
    return ApiError(code_pb2.RESOURCE_EXHAUSTED, "BUSY", message)


def unavailable() -> ApiError:
    """The arena's database is locked or away; the same call may work a moment later."""
    text = "the arena's database does not answer; try again in a moment"
    return ApiError(code_pb2.UNAVAILABLE, "DATABASE_AWAY", text)


def broken(reference: str) -> ApiError:
    """A bug of the arena; the log tells it, under the same reference."""
    text = f"the arena failed; its operator finds the cause in the log under {reference}"
    return ApiError(code_pb2.INTERNAL, "INTERNAL", text)


# The fields of requests by what they name, where they are not called so.
_FIELDS = {
    "bot of yours": "bot",
    "version of your bot": "version",
    "bot version": "version_id",
    "match": "match_id",
    "replay": "match_id",
}
DomainError = SubmissionError | StoreError | RulesError


def as_api_error(error: DomainError) -> ApiError:
    """What a domain error means to a caller."""
    if isinstance(error, StoreError):
        return _from_store(error)
    if isinstance(error, SubmissionError):
        return invalid(error.reason, error.field, error.message)
    if isinstance(error, UnknownGameError):
        return ApiError(code_pb2.NOT_FOUND, "UNKNOWN_GAME", str(error), "game")
    if isinstance(error, OptionError):
        return invalid("BAD_OPTION", f"options.{error.field}", str(error))
    return invalid("AGAINST_THE_RULES", "", str(error))


def _from_store(error: StoreError) -> ApiError:
    if isinstance(error, NotFoundError):
        return not_found(_FIELDS.get(error.kind, error.kind), str(error))
    if isinstance(error, InvalidError):
        return invalid("BAD_VALUE", error.field, str(error))
    if isinstance(error, QuotaError):
        return ApiError(code_pb2.RESOURCE_EXHAUSTED, "QUOTA", str(error))
    return not_yet("CONFLICT", str(error))


def abort(context: grpc.ServicerContext, error: ApiError) -> NoReturn:
    """End the call with the error's status and details."""
    status = status_pb2.Status(code=error.code, message=error.message)
    _attach(status, error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN))
    if error.field:
        request = error_details_pb2.BadRequest()
        request.field_violations.add(field=error.field, description=error.message)
        _attach(status, request)
    context.abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort_with_status raises")


def _attach(status: status_pb2.Status, detail: Message) -> None:
    packed = Any()
    packed.Pack(detail)
    status.details.append(packed)
