"""Errors carry fields, and keep them on the way between processes."""

import pickle

import pytest

from engine_service.core.errors import (
    IllegalActionError,
    OptionError,
    ReplayError,
    RulesError,
    UnknownGameError,
)

ERRORS = [
    IllegalActionError(3, 1, "G5", 4),
    UnknownGameError("chess", "claim, nim"),
    OptionError("blind_peek", "true or false"),
    ReplayError(None, "wrong digest"),
    ReplayError(7, "wrong forced mark"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: RulesError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)


def test_a_replay_error_names_the_ply_where_there_is_one() -> None:
    assert str(ReplayError(7, "wrong forced mark")) == "ply 7: wrong forced mark"
    assert str(ReplayError(None, "wrong digest")) == "wrong digest"


def test_a_huge_action_makes_a_short_message() -> None:
    assert len(str(IllegalActionError(0, 0, "x" * 60000, 13))) < 200
