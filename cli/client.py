"""The arena's API as the commands use it: stubs whose every call carries the caller's token."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from cli.failures import Exit, Failure, unreachable
from cli.profile import api_address, read_profile
from interrex.arena.v1.account_service_pb2_grpc import AccountServiceStub
from interrex.arena.v1.bot_service_pb2 import (
    SubmitBotMetadata,
    SubmitBotRequest,
    SubmitBotResponse,
)
from interrex.arena.v1.bot_service_pb2_grpc import BotServiceStub
from interrex.arena.v1.ladder_service_pb2 import ShowLadderRequest, ShowLadderResponse
from interrex.arena.v1.ladder_service_pb2_grpc import LadderServiceStub
from interrex.arena.v1.replay_service_pb2_grpc import ReplayServiceStub
from interrex.arena.v1.status_service_pb2_grpc import StatusServiceStub
from interrex.arena.v1.tournament_service_pb2_grpc import TournamentServiceStub

TIMEOUT_SECONDS = 60.0
CHUNK_BYTES = 2**18


class Arena:
    """The services of one arena."""

    def __init__(self, channel: grpc.Channel) -> None:
        """Make a stub for each service."""
        self.accounts = AccountServiceStub(channel)
        self.bots = BotServiceStub(channel)
        self.ladders = LadderServiceStub(channel)
        self.replays = ReplayServiceStub(channel)
        self.status = StatusServiceStub(channel)
        self.tournaments = TournamentServiceStub(channel)

    def submit(self, archive: bytes, name: str = "") -> SubmitBotResponse:
        """Upload an archive; an empty name is the manifest's."""
        return self.bots.SubmitBot(_upload(name, archive))

    def show(self, ladder: str) -> ShowLadderResponse:
        """A ladder with its standings."""
        return self.ladders.ShowLadder(ShowLadderRequest(ladder=ladder))


@contextlib.contextmanager
def connect(data: Path) -> Iterator[Arena]:
    """The arena of the data folder; a failed call becomes a Failure."""
    address = api_address(data)
    profile = read_profile(data)
    signed = Signed(profile.token if profile else "")
    with grpc.insecure_channel(address) as channel:
        try:
            yield Arena(grpc.intercept_channel(channel, signed))
        except grpc.RpcError as error:
            raise from_rpc(error, address, data) from error


def from_rpc(error: grpc.RpcError, address: str, data: object) -> Failure:
    """What a failed call means to the person who typed the command."""
    code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
    details = (error.details() if isinstance(error, grpc.Call) else None) or str(error)
    reason = _reason(error)
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        if reason:  # the arena itself said so
            return Failure(details, Exit.UNREACHABLE)
        return unreachable("the arena", address, data)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return Failure(f"{details}; make an account with: interrex user create NAME", Exit.REFUSED)
    text = f"{details} ({reason})" if reason else details
    return Failure(text, Exit.PROBLEM if code is grpc.StatusCode.INTERNAL else Exit.REFUSED)


def _reason(error: grpc.RpcError) -> str:
    status = rpc_status.from_call(error) if isinstance(error, grpc.Call) else None
    if status is None:
        return ""
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return ""


def _upload(name: str, archive: bytes) -> Iterator[SubmitBotRequest]:
    yield SubmitBotRequest(metadata=SubmitBotMetadata(name=name))
    for start in range(0, len(archive), CHUNK_BYTES):
        yield SubmitBotRequest(chunk=archive[start : start + CHUNK_BYTES])


class Signed(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
):
    """Adds the token and a deadline to every call."""

    def __init__(self, token: str) -> None:
        self._token = token

    def intercept_unary_unary(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        """Sign the call."""
        return continuation(self._sign(client_call_details), request)

    def intercept_unary_stream(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        """Sign the call."""
        return continuation(self._sign(client_call_details), request)

    def intercept_stream_unary(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        """Sign the call."""
        return continuation(self._sign(client_call_details), request_iterator)

    def _sign(self, details: grpc.ClientCallDetails) -> grpc.ClientCallDetails:
        metadata = details.metadata or ()
        if self._token:
            metadata = (*metadata, ("authorization", f"Bearer {self._token}"))
        timeout = details.timeout or TIMEOUT_SECONDS
        return _Details(details.method, timeout, metadata, details.credentials)


class _Details(grpc.ClientCallDetails):
    """Call details that can be made; the base class only declares the fields."""

    def __init__(
        self,
        method: str,
        timeout: float | None,
        metadata: tuple[tuple[str, str | bytes], ...],
        credentials: grpc.CallCredentials | None,
    ) -> None:
        self.method, self.timeout = method, timeout
        self.metadata, self.credentials = metadata, credentials
        self.wait_for_ready = None
        self.compression = None
