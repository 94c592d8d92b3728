"""The arena's API as the commands use it: stubs whose every call carries the caller's token."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc

from cli.addresses import api_address
from cli.channel import channel
from cli.profile import read_profile
from cli.refusals import failure_of
from interrex.arena.v1.account_service_pb2_grpc import AccountServiceStub
from interrex.arena.v1.bot_service_pb2 import (
    SubmitBotMetadata,
    SubmitBotRequest,
    SubmitBotResponse,
)
from interrex.arena.v1.bot_service_pb2_grpc import BotServiceStub
from interrex.arena.v1.challenge_service_pb2_grpc import ChallengeServiceStub
from interrex.arena.v1.export_service_pb2_grpc import ExportServiceStub
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
        self.challenges = ChallengeServiceStub(channel)
        self.exports = ExportServiceStub(channel)
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
    profile = read_profile(data)
    address = api_address(data, profile)
    signed = Signed(profile.token if profile else "")
    with channel(address, data) as plain:
        try:
            yield Arena(grpc.intercept_channel(plain, signed))
        except grpc.RpcError as error:
            raise failure_of(error, address, data) from error


def new_key() -> str:
    """A key under which something is asked for, once or again."""
    return secrets.token_hex(16)


def _upload(name: str, archive: bytes) -> Iterator[SubmitBotRequest]:
    yield SubmitBotRequest(metadata=SubmitBotMetadata(name=name, request_key=new_key()))
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
