"""WorkService: what a worker's token opens, and what cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import grpc
import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.remote.calls import TOKEN_METADATA, LeaseDenied
from arena_service.store import worker_tokens
from arena_service.store.accounts import create_user
from arena_service.store.database import Database
from arena_service.store.tables import Attempt, Process, Refusal, Result
from arena_service.work import POLLING, Late, WorkRefused
from cli.client import Arena
from interrex.arena.v1 import work_service_pb2 as pb
from interrex.arena.v1.account_service_pb2 import WhoAmIRequest
from interrex.arena.v1.work_service_pb2_grpc import WorkServiceStub
from tests.arena_service.api.remote import Enter, count, leased, outcomes, wait_for
from tests.arena_service.store.arena import SmallArena, outcome


def test_leases_carry_the_name_of_the_token(arena: SmallArena, enter: Enter) -> None:
    leased(enter("far"))
    assert outcomes(arena.db) == [("far/host-7", "open")]


def test_a_token_of_a_worker_opens_nothing_else(
    db: Database, with_token: Callable[[str], Arena], refused: Any
) -> None:
    token = worker_tokens.create(db, "far")
    with refused() as refusal:
        with_token(token).accounts.WhoAmI(WhoAmIRequest())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


@pytest.mark.parametrize("shown", ["", "iw_guessed", "of an account"])
def test_nobody_else_gets_work(
    db: Database, channel: grpc.Channel, arena: SmallArena, refused: Any, shown: str
) -> None:
    token = create_user(db, "eve") if shown == "of an account" else shown
    metadata = ((TOKEN_METADATA, token), ("authorization", f"Bearer {create_user(db, 'bob')}"))
    with refused() as refusal:
        WorkServiceStub(channel).LeaseSeries(
            pb.LeaseSeriesRequest(slot=pb.MatchSlot(host="h", pid=1)), metadata=metadata
        )
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "WORKER_UNKNOWN")
    assert count(db, Attempt) == 0


def test_a_revoked_token_ends_at_once(arena: SmallArena, enter: Enter) -> None:
    work = enter("far")
    found = leased(work)
    work.greet()
    worker_tokens.revoke(arena.db, "far")
    for call in (
        work.greet,
        lambda: work.lease("w"),
        lambda: work.accept(found.series, found.fence, outcome(found.matches[0])),
        lambda: work.artifact(found.artifacts[found.matches[0].players[0]][0]),
    ):
        with pytest.raises(WorkRefused):
            call()
    assert count(arena.db, Result) == 0


def test_a_lease_is_worth_nothing_to_another_worker(arena: SmallArena, enter: Enter) -> None:
    near, far = enter("near"), enter("far")
    mine, its = leased(near), leased(far)
    stolen = far._held[its.series, its.fence]
    near._held[its.series, its.fence] = stolen
    post = outcome(its.matches[0])
    assert not near.accept(its.series, its.fence, post)
    assert not near.progress(its.series, its.fence, {its.matches[0].match_id: 3})
    near.fail(its.series, its.fence, "operator", "sabotage")
    own = near._held[mine.series, mine.fence].message
    forged = pb.Lease(series=its.series, fence=its.fence, token=own.token)
    near._held[its.series, its.fence] = replace(stolen, message=forged)
    assert not near.accept(its.series, its.fence, post)
    assert count(arena.db, Result) == count(arena.db, Refusal) == 0
    assert far.accept(its.series, its.fence, post)


def test_a_worker_reads_the_bots_of_its_series_alone(arena: SmallArena, enter: Enter) -> None:
    work = enter("far")
    found = leased(work)
    mine = {sha256 for sha256, _ in found.artifacts.values()}
    for sha256 in mine:
        assert work.artifact(sha256).startswith(b"bot-")
    another = next(leased(work) for _ in range(2))
    foreign = {sha256 for sha256, _ in another.artifacts.values()} - mine
    held = work._held[found.series, found.fence]
    work._held.clear()
    work._held[found.series, found.fence] = replace(held, artifacts=frozenset(foreign))
    for sha256 in foreign:
        with pytest.raises(LeaseDenied):
            work.artifact(sha256)


def test_large_archives_and_outcomes_come_whole(db: Database, enter: Enter) -> None:
    content = os.urandom(5 * 2**20)
    arena = SmallArena(db, entries=1)
    arena.enter("large", content)
    arena.close()
    work = enter("far")
    found = leased(work)
    assert content in [work.artifact(sha256) for sha256, _ in found.artifacts.values()]
    post = outcome(found.matches[0])
    post.replay["plies"] *= 9_000
    post.evidence[0]["notes"] = [[ply, "n" * 1000] for ply in range(9_000)]
    assert work.accept(found.series, found.fence, post)


def test_what_cannot_be_used_is_named(
    db: Database, channel: grpc.Channel, arena: SmallArena, enter: Enter, refused: Any
) -> None:
    work, stub = enter("far"), WorkServiceStub(channel)
    found = leased(work)
    lease, how = work._held[found.series, found.fence].message, work._caller._metadata
    slot = pb.MatchSlot(host="host", pid=7)
    chunk, first = pb.PostOutcomeRequest, pb.PostOutcomeRequest(lease=lease)
    calls: list[tuple[str, Callable[[], object]]] = [
        ("slot.host", lambda: stub.LeaseSeries(pb.LeaseSeriesRequest(), metadata=how)),
        (
            "held",
            lambda: stub.LeaseSeries(
                pb.LeaseSeriesRequest(slot=slot, held=[lease] * 1001), metadata=how
            ),
        ),
        (
            "plies",
            lambda: stub.ReportProgress(
                pb.ReportProgressRequest(lease=lease, plies={"x\0": 1}), metadata=how
            ),
        ),
        (
            "late.match_id",
            lambda: stub.GiveBack(
                pb.GiveBackRequest(lease=lease, cause="worker", late=pb.LateSeat()), metadata=how
            ),
        ),
        (
            "cause",
            lambda: stub.GiveBack(pb.GiveBackRequest(lease=lease, cause="bot"), metadata=how),
        ),
        (
            "sha256",
            lambda: list(
                stub.FetchArtifact(pb.FetchArtifactRequest(lease=lease, sha256="x"), metadata=how)
            ),
        ),
        ("run_id", lambda: stub.SayAlive(pb.SayAliveRequest(slot=slot), metadata=how)),
        (
            "kind",
            lambda: stub.SayAlive(
                pb.SayAliveRequest(slot=slot, run_id="0" * 32, kind="api"), metadata=how
            ),
        ),
        ("lease", lambda: stub.PostOutcome(iter([chunk(chunk=b"x")]), metadata=how)),
        ("chunk", lambda: stub.PostOutcome(iter([first, first]), metadata=how)),
        ("chunk", lambda: stub.PostOutcome(iter([first, chunk(chunk=b"\xff")]), metadata=how)),
        (
            "chunk",
            lambda: stub.PostOutcome(
                iter([first, *(chunk(chunk=b"x" * 2**20) for _ in range(65))]), metadata=how
            ),
        ),
        *(
            ("chunk", partial(_post, stub, first, pb.Outcome(match_id="0" * 32, replay=bad), how))
            for bad in (b"", b"[]", b"[" * 100_000, b"x" * (2**23 + 1))
        ),
        ("match_id", lambda: _post(stub, first, pb.Outcome(match_id="\0", replay=b"{}"), how)),
    ]
    for field, call in calls:
        with refused() as refusal:
            call()
        assert (refusal.code, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)
    assert count(db, Result) == 0
    assert work.accept(found.series, found.fence, outcome(found.matches[0]))


def _post(stub: WorkServiceStub, first: Any, message: pb.Outcome, how: Any) -> object:
    body = message.SerializeToString()
    pieces = [body[start : start + 2**20] for start in range(0, len(body), 2**20)]
    rest = (pb.PostOutcomeRequest(chunk=piece) for piece in pieces)
    return stub.PostOutcome(iter([first, *rest]), metadata=how)


def test_signs_of_life_are_kept_under_the_name_of_the_worker(
    arena: SmallArena, enter: Enter
) -> None:
    near, far = enter("near"), enter("far")
    for work in (near, far):
        work.say_alive("0" * 32, POLLING, "sandbox: whole")
        work.say_alive("0" * 32, POLLING, "sandbox: whole")
    with arena.db.read() as session:
        rows = session.execute(select(col(Process.host), col(Process.pid), col(Process.kind)))
        assert sorted(rows) == [("far/host", 7, POLLING), ("near/host", 7, POLLING)]
    near.say_alive("0" * 32, POLLING, "", last=True)
    assert count(arena.db, Process) == 1


def test_a_late_seat_is_noted(arena: SmallArena, enter: Enter) -> None:
    work = enter("far")
    found = leased(work)
    match = found.matches[1].match_id
    work.fail(found.series, found.fence, "infrastructure", "HostStall", Late(match, 0))
    wait_for(lambda: (again := work.lease("w")) is None or again.series != found.series, "others")
    with arena.db.read() as session:
        late = select(col(Attempt.match)).where(col(Attempt.late_seat) == 0)
        assert session.scalars(late).all() == [match]


def test_a_worker_needs_no_package_for_databases_or_brokers() -> None:
    script = (
        "import sys, workers.polling, arena_service.remote.heartbeat\n"
        "print(sorted({'sqlalchemy', 'sqlmodel', 'celery', 'redis', 'alembic'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
