"""The course of a tournament over a real channel: who may change it, and what everybody sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from arena_service.scheduling.slots import tick
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from cli.client import Arena
from interrex.arena.v1.tournament_service_pb2 import (
    DisqualifyBotRequest,
    ExtendTournamentRequest,
    PauseTournamentRequest,
    ResumeTournamentRequest,
    ShowCourseRequest,
    ShowCourseResponse,
    Sprt,
    WithdrawBotRequest,
)
from tests.arena_service.api.played import lease, pass_checks
from tests.arena_service.api.test_tournaments import CUP, create, enter, show, start, submit

Act = Callable[[Arena], Any]


@pytest.fixture
def bob(caller: Any) -> Arena:
    """Owns the bot `three`, and no tournament."""
    arena: Arena = caller("bob")
    return arena


@pytest.fixture
def swiss(caller: Any, bob: Arena, db: Database) -> Arena:
    """Of ada, with her bots `one` and `two` and `three` of bob; it runs."""
    ada: Arena = caller("ada")
    create(ada, format="swiss", rounds=3)
    for arena, name in ((ada, "one"), (ada, "two"), (bob, "three")):
        submit(arena, name)
        enter(arena, name)
    pass_checks(db)
    start(ada)
    return ada


def course(arena: Arena) -> ShowCourseResponse:
    return arena.tournaments.ShowCourse(ShowCourseRequest(tournament=CUP))


def pause(arena: Arena) -> Any:
    return arena.tournaments.PauseTournament(PauseTournamentRequest(tournament=CUP))


def resume(arena: Arena) -> Any:
    return arena.tournaments.ResumeTournament(ResumeTournamentRequest(tournament=CUP))


def extend(arena: Arena) -> Any:
    return arena.tournaments.ExtendTournament(ExtendTournamentRequest(tournament=CUP, rounds=1))


def withdraw(arena: Arena, bot: str = "ada/one") -> Any:
    return arena.tournaments.WithdrawBot(WithdrawBotRequest(tournament=CUP, bot=bot))


def disqualify(arena: Arena, bot: str = "bob/three") -> Any:
    request = DisqualifyBotRequest(tournament=CUP, bot=bot, reason="it phoned home")
    return arena.tournaments.DisqualifyBot(request)


@pytest.mark.parametrize("act", [pause, resume, extend, disqualify, withdraw])
def test_strangers_change_nothing(
    swiss: Arena, bob: Arena, spectator: Arena, refused: Any, act: Act
) -> None:
    for arena, code in (
        (bob, grpc.StatusCode.PERMISSION_DENIED),
        (spectator, grpc.StatusCode.UNAUTHENTICATED),
    ):
        with refused() as refusal:
            act(arena)
        assert refusal.code is code
    assert show(spectator).tournament.state == "running"
    assert [each.left for each in course(spectator).entrants] == ["", "", ""]


def test_the_owner_pauses_extends_and_goes_on(swiss: Arena) -> None:
    assert pause(swiss).tournament.state == "paused"
    assert extend(swiss).tournament.rounds == 4
    assert resume(swiss).tournament.state == "running"


def test_owners_of_bots_withdraw_them_and_the_organiser_everybody(
    swiss: Arena, bob: Arena, spectator: Arena, refused: Any
) -> None:
    withdraw(bob, "three")
    with refused() as refusal:
        withdraw(swiss, "bob/three")
    assert "not any more" in refusal.message
    withdraw(swiss, "two")
    disqualify(swiss)
    left = {each.bot: (each.left, each.reason) for each in course(spectator).entrants}
    assert left == {
        "one": ("", ""),
        "two": ("withdrawn", ""),
        "three": ("disqualified", "it phoned home"),
    }


def test_everybody_sees_the_course(swiss: Arena, db: Database, spectator: Arena) -> None:
    before = course(spectator)
    assert [round.closed for round in before.rounds] == [False]
    assert all(line.points == 0 for line in before.table)
    slot = lease(db)
    for match in slot.assignment.matches:
        slot.play(match)
        (encounter,) = course(spectator).rounds[0].encounters
        assert not encounter.points
    tick(db, now_utc())
    after = course(spectator)
    assert [round.closed for round in after.rounds] == [True, False]
    assert len(after.rounds[0].byes) == 1
    names = [each.name for each in after.table[0].tie_breaks]
    assert names == ["Buchholz", "Sonneborn-Berger", "credit"]
    assert sum(line.points for line in after.table) == 2.0


def test_a_test_tells_its_bounds(caller: Any, db: Database, spectator: Arena, refused: Any) -> None:
    ada = caller("ada")
    for wrong in (Sprt(elo0=1, elo1=1), Sprt(elo0=0, elo1=1, alpha=0.7)):
        with refused() as refusal:
            create(ada, format="test", sprt=wrong)
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    create(ada, format="test", pairs=40, sprt=Sprt(elo0=0, elo1=10))
    assert course(spectator).test.verdict == "open"
    for name in ("one", "two"):
        submit(ada, name)
        enter(ada, name)
    pass_checks(db)
    start(ada)
    seen = course(spectator).test
    assert (seen.verdict, seen.pairs, seen.pairs_at_most) == ("open", 0, 40)
    assert seen.lower == pytest.approx(-seen.upper) == pytest.approx(-2.944, abs=1e-3)
    assert show(spectator).progress.pairs_planned == 16
