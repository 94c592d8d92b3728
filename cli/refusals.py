"""What a failed call means to the person who typed the command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from cli.addresses import Address
from cli.failures import Exit, Failure
from cli.profile import profile_path

# By the field of a request that names something: where the names stand that there are.
LISTS = {
    "ladder": "interrex ladder list",
    "tournament": "interrex tournament list",
    "challenge": "interrex challenge list",
    "bot": "interrex bot list",
    "version": "interrex bot list",
    "version_id": "interrex bot list",
    "match_id": "interrex replay list",
}
# Fields that are called otherwise on the command line than `--field`.
WORDS = {
    "name": "NAME",
    "metadata.name": "--name",
    "pairs_per_slot": "--pairs",
    "opponents": "OPPONENT",
    "challengers": "--challenger",
    "webhook_url": "--webhook",
    "elo0": "--sprt ELO0",
    "elo1": "--sprt ELO1",
}
ACCOUNT = "make an account with: interrex user create NAME"


@dataclass(frozen=True)
class Refusal:
    """What the arena said; without a `reason` it was not the arena that spoke."""

    code: grpc.StatusCode
    text: str
    reason: str
    field: str


def failure_of(error: grpc.RpcError, address: Address, data: Path) -> Failure:
    """The line that ends the command."""
    refusal = _read(error)
    if not refusal.reason:
        return _unspoken(refusal, address, data)
    match refusal.code:
        case grpc.StatusCode.UNAVAILABLE:
            return Failure(refusal.text, Exit.UNREACHABLE)
        case grpc.StatusCode.INTERNAL:
            return Failure(f"{refusal.text} ({refusal.reason})", Exit.PROBLEM)
        case grpc.StatusCode.UNAUTHENTICATED:
            return Failure(f"{_unknown_caller(data)} ({refusal.reason})", Exit.REFUSED)
    return Failure(f"{_spoken(refusal)} ({refusal.reason}){_next_step(refusal)}", Exit.REFUSED)


def _read(error: grpc.RpcError) -> Refusal:
    if not isinstance(error, grpc.Call):
        return Refusal(grpc.StatusCode.UNKNOWN, str(error), "", "")
    info, request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        detail.Unpack(info)
        detail.Unpack(request)
    field = request.field_violations[0].field if request.field_violations else ""
    return Refusal(error.code(), error.details() or "", info.reason, field)


def unanswered(address: Address, data: Path) -> Failure:
    """The line for an API that does not answer."""
    return Failure(
        f"the arena does not answer at {address.api}; {_remedy(address, data)}", Exit.UNREACHABLE
    )


def _unspoken(refusal: Refusal, address: Address, data: Path) -> Failure:
    match refusal.code:
        case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.DEADLINE_EXCEEDED:
            return unanswered(address, data)
        case grpc.StatusCode.RESOURCE_EXHAUSTED | grpc.StatusCode.CANCELLED:
            return Failure(
                f"the arena at {address.api} has no time for this call ({refusal.text}); "
                "try again in a moment",
                Exit.UNREACHABLE,
            )
    return Failure(
        f"what answers at {address.api} is no arena of this version ({refusal.text}); "
        f"it is named by {address.said_by}",
        Exit.UNREACHABLE,
    )


def _remedy(address: Address, data: Path) -> str:
    if address.lives:
        return f"it is being started again: wait a moment, or see {data / 'logs' / 'api.log'}"
    if address.said_by.endswith(".json") and Path(address.said_by).parent == data:
        return f"start it with: interrex up --data {data}"
    return (
        f"{address.said_by} says so; correct it, or start an arena with: interrex up --data {data}"
    )


def _unknown_caller(data: Path) -> str:
    path = profile_path(data)
    if not path.exists():
        return f"this needs an account, and {path} is not there; {ACCOUNT}"
    return (
        f"the arena does not know the token in {path}; "
        f"name another file with INTERREX_PROFILE, or move it away and {ACCOUNT}"
    )


def _spoken(refusal: Refusal) -> str:
    """The text with the name that its field has on the command line."""
    field, text = refusal.field, refusal.text
    if not field or not text.startswith(f"{field}: "):
        return text
    word = WORDS.get(field, f"--{field.replace('_', '-')}")
    return f"{word}{text.removeprefix(field)}"


def _next_step(refusal: Refusal) -> str:
    known = LISTS.get(refusal.field) if refusal.code is grpc.StatusCode.NOT_FOUND else None
    return f"; see what there is: {known}" if known else ""
