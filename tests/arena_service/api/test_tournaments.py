"""Tournaments over a real channel: owner, stranger and spectator before every door."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from arena_service.api import tournaments as api
from arena_service.scheduling.slots import tick
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from interrex.arena.v1.ladder_service_pb2 import Limits
from interrex.arena.v1.replay_service_pb2 import ListMatchesRequest
from interrex.arena.v1.tournament_service_pb2 import (
    CancelTournamentRequest,
    CreateTournamentRequest,
    EnterTournamentRequest,
    LeaveTournamentRequest,
    ListTournamentsRequest,
    Progress,
    ShowTournamentRequest,
    StartTournamentRequest,
    Tournament,
    WatchTournamentRequest,
)
from tests.arena_service.api.played import lease, pass_checks

CUP = "cup"


def create(arena: Arena, **changes: Any) -> Tournament:
    request = CreateTournamentRequest(**{"name": CUP, "game": "claim", "pairs": 1, **changes})
    return arena.tournaments.CreateTournament(request).tournament


def enter(arena: Arena, bot: str) -> tuple[int, str]:
    request = EnterTournamentRequest(tournament=CUP, bot=bot)
    entered = arena.tournaments.EnterTournament(request)
    return entered.version, entered.state


def start(arena: Arena) -> Tournament:
    request = StartTournamentRequest(tournament=CUP)
    return arena.tournaments.StartTournament(request).tournament


def cancel(arena: Arena) -> Tournament:
    request = CancelTournamentRequest(tournament=CUP)
    return arena.tournaments.CancelTournament(request).tournament


def show(arena: Arena) -> Any:
    return arena.tournaments.ShowTournament(ShowTournamentRequest(tournament=CUP))


def watch(arena: Arena) -> list[Progress]:
    stream = arena.tournaments.WatchTournament(WatchTournamentRequest(tournament=CUP))
    return [answer.progress for answer in stream]


def submit(arena: Arena, name: str) -> None:
    manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    files = {"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(b"")}
    arena.submit(pack_files(files))


@pytest.fixture
def ada(caller: Any, db: Database) -> Arena:
    """Owns the tournament and the entered bots `one` and `two`."""
    arena: Arena = caller("ada")
    create(arena)
    for name in ("one", "two"):
        submit(arena, name)
        assert enter(arena, name) == (1, "checking")
    pass_checks(db)
    assert enter(arena, "one") == (1, "active")
    return arena


def test_a_tournament_has_the_arenas_defaults_and_a_commitment(caller: Any) -> None:
    made = create(caller("ada"), pairs=0)
    assert (made.owner, made.format, made.seats, made.pairs) == ("ada", "round_robin", 2, 5)
    assert (made.state, made.entrants, made.key, made.entrants_digest) == ("open", 0, "", "")
    assert len(made.commitment) == 64
    assert made.limits.move_cpu_ms > 0
    assert made.HasField("created_at")
    assert not made.HasField("started_at")


def test_it_runs_from_entries_to_its_key(ada: Arena, db: Database, spectator: Arena) -> None:
    announced = show(spectator).tournament
    assert [row.bot for row in show(spectator).standings] == ["one", "two"]
    started = start(ada)
    assert (started.state, started.key, started.entrants) == ("running", "", 2)
    assert len(started.entrants_digest) == 64
    slot = lease(db)
    for match in slot.assignment.matches:
        seen = show(spectator)
        assert (seen.tournament.key, seen.progress.pairs_done) == ("", 0)
        assert all(row.pairs == 0 for row in seen.standings)
        slot.play(match)
    tick(db, now_utc())
    ended = show(spectator)
    assert ended.tournament.state == "complete"
    key = bytes.fromhex(ended.tournament.key)
    assert hashlib.sha256(key).hexdigest() == announced.commitment
    assert [row.pairs for row in ended.standings] == [1, 1]
    assert all(row.HasField("rating") for row in ended.standings)
    assert ended.progress.matches_done == 2
    assert not ended.progress.HasField("eta_seconds")
    [listed] = spectator.tournaments.ListTournaments(ListTournamentsRequest()).tournaments
    assert listed == ended.tournament


def test_matches_are_listed_by_tournament(ada: Arena, refused: Any) -> None:
    started = start(ada)
    for name in (CUP, started.id):
        request = ListMatchesRequest(tournament=name)
        found = ada.replays.ListMatches(request).matches
        assert [(match.leg, match.state) for match in found] == [(0, "waiting"), (1, "waiting")]
    with refused() as refusal:
        ada.replays.ListMatches(ListMatchesRequest(tournament="nothing"))
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "tournament")
    with refused() as refusal:
        ada.replays.ListMatches(ListMatchesRequest(tournament=CUP, ladder="daily"))
    assert refusal.field == "tournament"
    cancel(ada)
    found = ada.replays.ListMatches(ListMatchesRequest(tournament=CUP)).matches
    assert [match.state for match in found] == ["cancelled", "cancelled"]


@pytest.mark.parametrize("act", [start, cancel])
def test_only_the_owner_starts_and_cancels(
    ada: Arena, caller: Any, spectator: Arena, refused: Any, act: Callable[[Arena], Tournament]
) -> None:
    with refused() as refusal:
        act(caller("bob"))
    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.PERMISSION_DENIED,
        "NOT_YOUR_TOURNAMENT",
    )
    with refused() as refusal:
        act(spectator)
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    assert show(spectator).tournament.state == "open"
    act(ada)
    with refused() as refusal:
        start(ada)
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION


def test_tournaments_come_in_pages(ada: Arena, spectator: Arena) -> None:
    for number in range(3):
        create(ada, name=f"cup-{number}")
    request = ListTournamentsRequest(page_size=2)
    first = spectator.tournaments.ListTournaments(request)
    request.page_token = first.next_page_token
    second = spectator.tournaments.ListTournaments(request)
    shown = [row.name for page in (first, second) for row in page.tournaments]
    assert (shown, second.next_page_token) == (["cup-2", "cup-1", "cup-0", "cup"], "")


def test_everybody_enters_and_takes_out_their_own_bots_alone(
    ada: Arena, caller: Any, spectator: Arena, refused: Any
) -> None:
    bob = caller("bob")
    submit(bob, "three")
    assert enter(bob, "three") == (1, "checking")
    leave_one = LeaveTournamentRequest(tournament=CUP, bot="one")
    for stranger, code in (
        (bob, grpc.StatusCode.NOT_FOUND),
        (spectator, grpc.StatusCode.UNAUTHENTICATED),
    ):
        with refused() as refusal:
            enter(stranger, "one")
        assert refusal.code is code
        with refused() as refusal:
            stranger.tournaments.LeaveTournament(leave_one)
        assert refusal.code is code
    assert show(spectator).tournament.entrants == 3
    bob.tournaments.LeaveTournament(LeaveTournamentRequest(tournament=CUP, bot="three"))
    ada.tournaments.LeaveTournament(leave_one)
    assert [row.bot for row in show(spectator).standings] == ["two"]


def test_a_spectator_makes_no_tournament(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        create(spectator)
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("changes", "code", "reason", "field"),
    [
        ({"game": "chess"}, "NOT_FOUND", "UNKNOWN_GAME", "game"),
        ({"name": "../x"}, "INVALID_ARGUMENT", "BAD_VALUE", "name"),
        ({"seats": 7}, "INVALID_ARGUMENT", "BAD_VALUE", "seats"),
        ({"pairs": 10**6}, "INVALID_ARGUMENT", "BAD_VALUE", "pairs"),
        ({"pairs": -1}, "INVALID_ARGUMENT", "BAD_VALUE", "pairs"),
        ({"format": "chaos"}, "INVALID_ARGUMENT", "BAD_VALUE", "format"),
        ({"limits": Limits(bank_cpu_ms=-5)}, "INVALID_ARGUMENT", "BAD_VALUE", "bank_cpu_ms"),
        ({"options_json": "{"}, "INVALID_ARGUMENT", "BAD_OPTION", "options_json"),
    ],
)
def test_a_faulty_tournament_is_refused_by_its_field(
    caller: Any, refused: Any, changes: dict[str, Any], code: str, reason: str, field: str
) -> None:
    with refused() as refusal:
        create(caller("ada"), **changes)
    assert (refusal.code.name, refusal.reason, refusal.field) == (code, reason, field)


def test_watching_tells_every_change_and_ends_with_the_event(
    ada: Arena, db: Database, spectator: Arena
) -> None:
    seen: list[Progress] = []
    watching = threading.Thread(target=lambda: seen.extend(watch(spectator)))
    watching.start()
    start(ada)
    slot = lease(db)
    for match in slot.assignment.matches:
        slot.play(match)
    tick(db, now_utc())
    watching.join(20)
    assert seen[-1].state == "complete"
    assert (seen[-1].matches_done, seen[-1].matches_planned) == (2, 2)
    done = [each.matches_done for each in seen]
    assert done == sorted(done)
    assert watch(spectator)[0].state == "complete"


def test_watchers_are_bounded_in_number_and_time(
    ada: Arena, spectator: Arena, refused: Any
) -> None:
    request = WatchTournamentRequest(tournament=CUP)
    streams = [spectator.tournaments.WatchTournament(request) for _ in range(api.WATCHERS_AT_ONCE)]
    for stream in streams:
        assert next(stream).progress.state == "open"
    with refused() as refusal:
        watch(spectator)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "BUSY")
    assert show(spectator).tournament.state == "open"
    for stream in streams:
        stream.cancel()
    assert _first(spectator).state == "open"


def _first(arena: Arena) -> Progress:
    """What a watcher sees first, once there is a place."""
    request = WatchTournamentRequest(tournament=CUP)
    deadline = time.monotonic() + 10
    while True:
        try:
            return next(arena.tournaments.WatchTournament(request)).progress
        except grpc.RpcError:
            if time.monotonic() > deadline:
                raise


def test_a_watch_ends_in_time_and_shows_signs_of_life(
    ada: Arena, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "SIGN_OF_LIFE_SECONDS", 0.1)
    monkeypatch.setattr(api, "LOOK_SECONDS", 0.02)
    watched = api.Tournaments(db, watch_seconds=2)
    looks = watched._looks(show(ada).tournament.event, threading.Event())
    states = [look.state for look in looks]
    assert set(states) == {"open"}
    assert len(states) > 2


def test_an_unknown_tournament_is_not_found(spectator: Arena, refused: Any) -> None:
    for call in (show, watch):
        with refused() as refusal:
            call(spectator)
        assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "tournament")
