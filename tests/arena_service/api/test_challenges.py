"""Challenges, final runs, quotas and webhooks over a real channel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from arena_service.api.server import start
from arena_service.quotas import Quotas
from arena_service.scheduling.slots import tick
from arena_service.store.accounts import create_user
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from interrex.arena.v1.bot_service_pb2 import (
    ConfigureBotRequest,
    SubmitBotMetadata,
    SubmitBotRequest,
)
from interrex.arena.v1.challenge_service_pb2 import (
    CreateChallengeRequest,
    ListChallengesRequest,
    ShowChallengeRequest,
)
from interrex.arena.v1.tournament_service_pb2 import (
    CreateTournamentRequest,
    RunFinalRequest,
    ShowTournamentRequest,
)
from tests.arena_service.api.played import enter, pass_checks

QUOTAS = Quotas(challenges_a_day=2, active_bots=2)


@pytest.fixture
def address(db: Database) -> Iterator[str]:
    """With small quotas."""
    server = start(db, "127.0.0.1:0", quotas=QUOTAS)
    yield server.address
    server.stop()


@pytest.fixture
def people(db: Database, with_token: Any) -> dict[str, Arena]:
    """ada and bob, each with an active bot of that name on the ladder daily, and eve."""
    found = {name: with_token(create_user(db, name)) for name in ("ada", "bob", "eve")}
    enter(db, {name: found[name] for name in ("ada", "bob")})
    return found


def challenge(arena: Arena, bot: str, *opponents: str, **more: Any) -> Any:
    request = CreateChallengeRequest(bot=bot, opponents=opponents, pairs=1, **more)
    return arena.challenges.CreateChallenge(request)


def archive(name: str, text: bytes = b"") -> bytes:
    manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    return pack_files({"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(text)})


def test_everybody_sees_what_it_came_to(
    people: dict[str, Arena], spectator: Arena, db: Database
) -> None:
    made = challenge(people["ada"], "ada", "bob/bob").challenge
    assert (made.state, made.format, made.key) == ("running", "challenge", "")
    tick(db, now_utc())  # the slot of the ladder
    pass_checks(db)
    tick(db, now_utc())
    seen = spectator.challenges.ShowChallenge(ShowChallengeRequest(challenge=made.name))
    assert seen.challenge.state == "complete"
    assert len(seen.challenge.key) == 64
    assert [side.standing.owner for side in seen.sides] == ["ada", "bob"]
    assert [match.kind for match in seen.matches] == ["challenge"] * 2
    listed = spectator.challenges.ListChallenges(ListChallengesRequest()).challenges
    assert [each.id for each in listed] == [made.id]


def test_who_may_challenge_whom(people: dict[str, Arena], spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        challenge(spectator, "ada", "bob/bob")
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    with refused() as refusal:
        challenge(people["eve"], "ada", "bob/bob")
    assert refusal.code is grpc.StatusCode.NOT_FOUND
    with refused() as refusal:
        people["eve"].bots.ConfigureBot(ConfigureBotRequest(bot="bob", challenges=False))
    assert refusal.code is grpc.StatusCode.NOT_FOUND
    people["bob"].bots.ConfigureBot(ConfigureBotRequest(bot="bob", challenges=False))
    with refused() as refusal:
        challenge(people["ada"], "ada", "bob/bob")
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_OPEN")
    assert challenge(people["bob"], "bob", "ada/ada").challenge.state == "running"


def test_a_quota_is_told_by_its_name(people: dict[str, Arena], refused: Any) -> None:
    ada = people["ada"]
    made = {challenge(ada, "ada", "bob/bob", request_key="k").challenge.id for _ in range(3)}
    assert len(made) == 1
    challenge(ada, "ada", "bob/bob", request_key="l")
    with refused() as refusal:
        challenge(ada, "ada", "bob/bob")
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA")
    assert "your quota is 2 challenges within 24 hours; it frees at " in refusal.message
    with refused() as refusal:
        challenge(ada, "ada", "bob/bob", request_key="k", game="claim")
    assert (refusal.reason, refusal.field) == ("BAD_VALUE", "request_key")
    ada.submit(archive("second"))
    with refused() as refusal:
        ada.submit(archive("third"))
    assert "2 active bots" in refusal.message


def test_an_upload_asked_for_again_was_created(people: dict[str, Arena]) -> None:
    def upload() -> Iterator[SubmitBotRequest]:
        yield SubmitBotRequest(metadata=SubmitBotMetadata(request_key="k"))
        yield SubmitBotRequest(chunk=archive("ada", b"newer"))

    answers = [people["ada"].bots.SubmitBot(upload()) for _ in range(2)]
    assert [answer.created for answer in answers] == [True, True]
    assert answers[0].version.id == answers[1].version.id


def test_a_final_run_is_for_the_owner_of_the_ladder(people: dict[str, Arena], refused: Any) -> None:
    request = RunFinalRequest(ladder="daily", budget=4, steps=1)
    with refused() as refusal:
        people["bob"].tournaments.RunFinal(request)
    assert refusal.reason == "NOT_YOUR_LADDER"
    begun = people["ada"].tournaments.RunFinal(request).tournament
    assert (begun.ladder, begun.format, begun.entrants) == ("daily", "final", 2)
    assert people["bob"].show("daily").ladder.final == begun.name


def test_a_webhook_is_for_its_owner(
    people: dict[str, Arena], with_token: Any, refused: Any, db: Database
) -> None:
    url = "https://example.org/told"
    request = CreateTournamentRequest(name="cup", game="claim", webhook_url=url, request_key="k")
    secrets = {people["ada"].tournaments.CreateTournament(request).webhook_secret for _ in range(2)}
    assert len(secrets) == 1
    assert len(secrets.pop()) > 30
    shown = people["bob"].tournaments.ShowTournament(ShowTournamentRequest(tournament="cup"))
    assert url not in str(shown)
    assert not shown.HasField("webhook")
    for format in ("challenge", "final"):
        with refused() as refusal:
            people["ada"].tournaments.CreateTournament(
                CreateTournamentRequest(name="x", game="claim", format=format)
            )
        assert refusal.field == "format"
    with refused() as refusal:
        challenge(people["ada"], "ada", "bob/bob", webhook_url="ftp://example.org")
    assert refusal.field == "webhook_url"
