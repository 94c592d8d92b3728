"""A version's check and faults as owner, stranger and spectator see them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from engine_service.client import LocalEngine, MatchStart
from interrex.arena.v1.bot_service_pb2 import (
    CheckBotRequest,
    DisableBotRequest,
    GetBotRequest,
    GetBotResponse,
    ListBotsRequest,
)
from interrex.arena.v1.ladder_service_pb2 import CreateLadderRequest, EnterLadderRequest
from interrex.arena.v1.replay_service_pb2 import (
    GetMatchRequest,
    GetReplayRequest,
    ListMatchesRequest,
)
from tests.arena_service.api.played import Slot, enter, lease, pass_checks


def archive(name: str, program: bytes = b"") -> bytes:
    manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    return pack_files({"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(program)})


def waiting_check(db: Database) -> Slot:
    work = StoreWork(db, 60.0)
    assignment = work.lease("tests")
    assert assignment is not None
    return Slot(work, assignment)


def get(arena: Arena, bot: str = "mine", version: int = 0) -> GetBotResponse:
    return arena.bots.GetBot(GetBotRequest(bot=bot, version=version))


def fail_check(db: Database) -> None:
    """The version that waits ends at its start."""
    check = waiting_check(db)
    (match,) = check.assignment.matches
    start = MatchStart(match.game, match.options, match.seats, match.seed)
    check.report(match, LocalEngine().play(start).end("crash", 1).replay, {1: "it ended"})


@pytest.fixture
def ada(caller: Any) -> Arena:
    """The owner of `mine`, whose first version waits for its check."""
    arena: Arena = caller("ada")
    arena.submit(archive("mine"))
    return arena


def test_a_version_is_checked_and_becomes_active(ada: Arena, db: Database) -> None:
    waiting = get(ada)
    assert waiting.version.state == "checking"
    assert [log.match.state for log in waiting.checks] == ["waiting"]
    pass_checks(db)
    seen = get(ada)
    assert (seen.version.state, seen.version.reason) == ("active", "")
    assert seen.version.HasField("submitted_at")
    (check,) = seen.checks
    assert (check.match.kind, check.match.ending, check.match.game) == (
        "check",
        "completed",
        "claim",
    )
    assert [kept.stderr_tail for kept in check.evidence] == ["log of seat 0", "log of seat 1"]
    assert [kept.seat for kept in check.evidence] == [0, 1]
    first = check.evidence[0]
    assert (first.start_cpu_ms, first.peak_bytes) == (12.5, 2**20)
    assert list(first.wall_ms_per_ply) == [1.0, 2.0]
    assert list(ada.bots.ListBots(ListBotsRequest()).versions) == [seen.version]


def test_a_version_that_failed_says_why_and_comes_back(ada: Arena, db: Database) -> None:
    fail_check(db)
    failed = get(ada).version
    assert failed.state == "failed"
    assert failed.reason.startswith("claim: crash at the start, seat 1: it ended")
    assert ada.submit(archive("mine")).version == failed
    again = ada.bots.CheckBot(CheckBotRequest(bot="mine")).version
    assert (again.id, again.state, again.reason) == (failed.id, "checking", "")
    pass_checks(db)
    assert get(ada).version.state == "active"


def test_entering_tells_whether_the_check_is_passed(ada: Arena, db: Database) -> None:
    ada.ladders.CreateLadder(CreateLadderRequest(name="daily", game="claim"))
    request = EnterLadderRequest(ladder="daily", bot="mine")
    assert ada.ladders.EnterLadder(request).state == "checking"
    pass_checks(db)
    assert ada.ladders.EnterLadder(request).state == "active"


def test_an_owner_takes_a_version_out(ada: Arena, db: Database, refused: Any) -> None:
    pass_checks(db)
    ada.submit(archive("mine", b"2"))
    pass_checks(db)
    gone = ada.bots.DisableBot(DisableBotRequest(bot="mine", version=1)).version
    assert (gone.version, gone.state) == (1, "disabled")
    assert [get(ada, version=number).version.state for number in (0, 1)] == ["active", "disabled"]
    with refused() as refusal:
        ada.bots.CheckBot(CheckBotRequest(bot="mine"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "CONFLICT")


def test_an_own_bot_is_found_by_the_name_that_pages_show(ada: Arena, refused: Any) -> None:
    assert get(ada, "ada/mine") == get(ada)
    with refused() as refusal:
        get(ada, "eve/mine")
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "bot")


CALLS = {
    "GetBot": GetBotRequest(bot="mine"),
    "CheckBot": CheckBotRequest(bot="ada/mine"),
    "DisableBot": DisableBotRequest(bot="mine"),
}


@pytest.mark.parametrize("call", CALLS)
def test_other_peoples_bots_are_not_found(
    ada: Arena, caller: Any, spectator: Arena, refused: Any, call: str
) -> None:
    with refused() as refusal:
        getattr(caller("eve").bots, call)(CALLS[call])
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "bot")
    with refused() as refusal:
        getattr(spectator.bots, call)(CALLS[call])
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    assert get(ada).version.state == "checking"


def test_a_check_match_is_seen_by_its_owner_alone(
    ada: Arena, caller: Any, spectator: Arena, db: Database, refused: Any
) -> None:
    pass_checks(db)
    match_id = get(ada).checks[0].match.id
    for arena in (caller("eve"), spectator):
        for call, request in (
            (arena.replays.GetMatch, GetMatchRequest(match_id=match_id)),
            (arena.replays.GetReplay, GetReplayRequest(match_id=match_id)),
        ):
            with refused() as refusal:
                call(request)
            assert refusal.code is grpc.StatusCode.NOT_FOUND
    mine = ada.replays.GetMatch(GetMatchRequest(match_id=match_id))
    assert (mine.match.kind, len(mine.evidence), len(mine.seed)) == ("check", 2, 64)
    replay = ada.replays.GetReplay(GetReplayRequest(match_id=match_id)).replay
    assert LocalEngine().verify(replay).ok


def test_a_check_match_that_is_played_keeps_its_seed(ada: Arena, refused: Any) -> None:
    match_id = get(ada).checks[0].match.id
    assert ada.replays.GetMatch(GetMatchRequest(match_id=match_id)).seed == ""
    with refused() as refusal:
        ada.replays.GetReplay(GetReplayRequest(match_id=match_id))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION


def test_lists_show_rated_matches_only(ada: Arena, caller: Any, db: Database) -> None:
    pass_checks(db)
    enter(db, {"one": ada, "two": caller("bob")})
    slot = lease(db)
    for arena in (ada, caller("eve")):
        found = arena.replays.ListMatches(ListMatchesRequest()).matches
        assert {match.kind for match in found} == {"rated"}
        assert {match.id for match in found} == {each.match_id for each in slot.assignment.matches}


def test_a_fault_is_told_with_ones_own_evidence(ada: Arena, caller: Any, db: Database) -> None:
    enter(db, {"one": ada, "two": caller("bob")})
    slot = lease(db)
    first, second = slot.legs(0)
    one = get(ada, "one").version.id
    seat = first.players.index(one)
    start = MatchStart(first.game, first.options, first.seats, first.seed)
    slot.report(first, LocalEngine().play(start).end("timeout", seat).replay, {seat: "too slow"})
    (early,) = get(ada, "one").faults
    assert (early.match.id, early.match.ending) == (first.match_id, "timeout")
    assert not early.evidence  # the pair is still played
    slot.play(second)
    (fault,) = get(ada, "one").faults
    assert [(kept.seat, kept.limit) for kept in fault.evidence] == [(seat, "too slow")]
    assert not get(ada, "one").checks[0].match.HasField("at_fault")
