"""What goes wrong on the command line: one line, the next step, and a documented exit code."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import grpc
import typer
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from rich.console import Console
from typer.core import TyperGroup


class Exit(IntEnum):
    """Exit codes of every command."""

    OK = 0
    PROBLEM = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4


class Failure(Exception):
    """Ends a command with one line on stderr."""

    def __init__(self, message: str, code: Exit = Exit.PROBLEM) -> None:
        """The message says what happened and what to do next."""
        super().__init__(message)
        self.message, self.code = message, code


def unreachable(service: str, address: str, data: object) -> Failure:
    """A service that does not answer."""
    return Failure(
        f"{service} does not answer at {address}; start it with: interrex up --data {data}",
        Exit.UNREACHABLE,
    )


def server_missing() -> Failure:
    """The base installation plays and submits; it serves nothing."""
    return Failure("this needs the server packages: pip install 'interrex[dashboard]'", Exit.USAGE)


def from_rpc(error: grpc.RpcError, address: str, data: object) -> Failure:
    """What a failed call means to the person who typed the command."""
    code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
    details = (error.details() if isinstance(error, grpc.Call) else None) or str(error)
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return unreachable("the arena", address, data)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return Failure(f"{details}; make an account with: interrex user create NAME", Exit.REFUSED)
    reason = _reason(error)
    return Failure(f"{details} ({reason})" if reason else details, Exit.REFUSED)


def _reason(error: grpc.RpcError) -> str:
    status = rpc_status.from_call(error) if isinstance(error, grpc.Call) else None
    if status is None:
        return ""
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return ""


class Commands(TyperGroup):
    """A group whose commands end with one line instead of a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a Failure becomes its line and its exit code."""
        try:
            return super().invoke(ctx)
        except Failure as failure:
            console = Console(stderr=True, soft_wrap=True, highlight=False)
            console.print("[red]error:[/]", end=" ")
            console.print(failure.message, markup=False)
            raise typer.Exit(failure.code) from failure
