"""Matches as owner, stranger and spectator see them while a pair is played and afterwards."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from arena_service.scheduling.slots import tick
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from arena_service.work import PlannedMatch
from cli.client import Arena
from engine_service.client import LocalEngine
from interrex.arena.v1.replay_service_pb2 import (
    GetMatchRequest,
    GetReplayRequest,
    ListMatchesRequest,
)
from tests.arena_service.api.played import PAIRS, Slot, enter, lease


@pytest.fixture
def people(db: Database, caller: Any) -> tuple[Arena, Arena]:
    """Two owners with a bot each on the ladder `daily`."""
    ada, bob = caller("ada"), caller("bob")
    enter(db, {"ada": ada, "bob": bob})
    return ada, bob


@pytest.fixture
def slot(people: tuple[Arena, Arena], db: Database) -> Slot:
    return lease(db)


def get(arena: Arena, match: PlannedMatch) -> Any:
    return arena.replays.GetMatch(GetMatchRequest(match_id=match.match_id))


def test_nobody_sees_a_secret_before_the_last_leg_of_the_pair(
    people: tuple[Arena, Arena], spectator: Arena, slot: Slot, refused: Any
) -> None:
    first, _ = slot.legs(0)
    slot.play(first)
    for arena in (*people, spectator):
        with refused() as refusal:
            arena.replays.GetReplay(GetReplayRequest(match_id=first.match_id))
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refusal.reason == "PAIR_INCOMPLETE"
        seen = get(arena, first)
        assert (seen.seed, seen.digest, list(seen.evidence)) == ("", "", [])
        assert first.seed not in str(seen)
        assert seen.match.state == "finished"


def test_a_complete_pair_is_open_while_another_is_played(spectator: Arena, slot: Slot) -> None:
    for match in slot.legs(0):
        slot.play(match)
    first = slot.legs(0)[0]
    replay = spectator.replays.GetReplay(GetReplayRequest(match_id=first.match_id)).replay
    verdict = LocalEngine().verify(replay)
    assert verdict.ok, verdict.problem
    seen = get(spectator, first)
    assert (seen.seed, seen.digest) == (first.seed, verdict.digest)
    assert get(spectator, slot.legs(1)[0]).seed == ""


def test_evidence_is_for_the_owner_of_the_seats_bot(
    people: tuple[Arena, Arena], spectator: Arena, caller: Any, slot: Slot
) -> None:
    for match in slot.legs(0):
        slot.play(match)
    for match in slot.legs(0):
        names = [player.bot for player in get(spectator, match).match.players]
        for name, arena in zip(("ada", "bob"), people, strict=True):
            (evidence,) = get(arena, match).evidence
            assert evidence.seat == names.index(name)
            assert evidence.stderr_tail == f"log of seat {evidence.seat}"
            assert [(note.ply, note.text) for note in evidence.notes] == [(3, "hm")]
    for arena in (spectator, caller("eve")):
        assert not get(arena, slot.legs(0)[0]).evidence


def test_matches_are_listed_in_pages(spectator: Arena, slot: Slot) -> None:
    everything = spectator.replays.ListMatches(ListMatchesRequest(ladder="daily")).matches
    assert len(everything) == 2 * PAIRS
    paged, token = [], ""
    while True:
        request = ListMatchesRequest(ladder="daily", page_size=3, page_token=token)
        page = spectator.replays.ListMatches(request)
        paged += page.matches
        token = page.next_page_token
        if not token:
            break
    assert paged == list(everything)


def test_a_planned_match_shows_players_and_no_result(spectator: Arena, slot: Slot) -> None:
    match = get(spectator, slot.legs(0)[0]).match
    assert match.state == "running"
    assert {player.bot for player in match.players} == {"ada", "bob"}
    assert not any(player.HasField("rank") for player in match.players)
    assert not match.HasField("at_fault")
    assert not match.HasField("finished_at")


def test_the_standings_follow_the_results(spectator: Arena, slot: Slot, db: Database) -> None:
    for match in slot.assignment.matches:
        slot.play(match)
    tick(db, now_utc())
    shown = spectator.show("daily")
    assert (shown.pairs_done, shown.pairs_planned) == (PAIRS, PAIRS)
    assert sorted((row.bot, row.pairs) for row in shown.standings) == [("ada", 2), ("bob", 2)]
    assert all(row.HasField("rating") and row.HasField("error") for row in shown.standings)


def test_an_unknown_match_is_not_found(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        spectator.replays.GetReplay(GetReplayRequest(match_id="nothing"))
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "match_id")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (ListMatchesRequest(page_size=-1), "page_size"),
        (ListMatchesRequest(page_size=10_000), "page_size"),
        (ListMatchesRequest(page_token="x"), "page_token"),
        (ListMatchesRequest(page_token="9" * 30), "page_token"),
        (ListMatchesRequest(ladder="nothing"), "ladder"),
    ],
)
def test_a_faulty_page_is_refused_by_its_field(
    spectator: Arena, refused: Any, request_: ListMatchesRequest, field: str
) -> None:
    with refused() as refusal:
        spectator.replays.ListMatches(request_)
    assert refusal.field == field
