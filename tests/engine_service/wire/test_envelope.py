"""Errors come back from the wire as they were raised."""

from __future__ import annotations

import pickle

import grpc
import pytest
from google.rpc import code_pb2

from engine_service.core.errors import (
    IllegalActionError,
    OptionError,
    ReplayError,
    RulesError,
    UnknownGameError,
)
from engine_service.wire.envelope import error_of, status_of
from engine_service.wire.messages import MatchOverError

ERRORS = [
    (IllegalActionError(0, 0, "G5", 3), code_pb2.INVALID_ARGUMENT),
    (OptionError("blind_peek", "true or false"), code_pb2.INVALID_ARGUMENT),
    (ReplayError(0, "illegal action"), code_pb2.INVALID_ARGUMENT),
    (ReplayError(None, "wrong digest"), code_pb2.INVALID_ARGUMENT),
    (RulesError("the seed is short"), code_pb2.INVALID_ARGUMENT),
    (UnknownGameError("chess", "claim, nim"), code_pb2.NOT_FOUND),
    (MatchOverError(), code_pb2.FAILED_PRECONDITION),
]


class Failed(grpc.RpcError, grpc.Call):
    """A failed call as a client sees it."""

    def __init__(self, status: grpc.Status) -> None:
        self.status = status

    def code(self) -> grpc.StatusCode:
        return self.status.code

    def details(self) -> str:
        return self.status.details

    def trailing_metadata(self) -> object:
        return self.status.trailing_metadata

    def initial_metadata(self) -> object:
        return ()

    def add_callback(self, callback: object) -> bool:
        return False

    def cancel(self) -> bool:
        return False

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> None:
        return None


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: type(value).__name__)
def test_an_error_crosses_the_wire_whole(error: RulesError, code: int) -> None:
    status = status_of(error)
    assert status.code.value[0] == code
    back = error_of(Failed(status))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: type(value).__name__)
def test_an_error_crosses_processes(error: RulesError, code: int) -> None:
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


def test_a_failure_of_the_transport_is_nobodys_error() -> None:
    assert error_of(grpc.RpcError()) is None
