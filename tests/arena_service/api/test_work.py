"""WorkService: what a worker's token opens, and that lost calls and answers do no harm."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from sqlalchemy import func, select
from sqlmodel import col

from arena_service.remote import client
from arena_service.remote.calls import TOKEN_METADATA, LeaseDenied, Manner
from arena_service.remote.client import GrpcWork
from arena_service.store import worker_tokens
from arena_service.store.accounts import create_user
from arena_service.store.database import Database
from arena_service.store.tables import Attempt, Ledger, Process, Refusal, Result
from arena_service.work import POLLING, Assignment, Late, WorkRefused, WorkUnavailable
from cli.client import Arena
from interrex.arena.v1 import work_service_pb2 as pb
from interrex.arena.v1.account_service_pb2 import WhoAmIRequest
from interrex.arena.v1.work_service_pb2_grpc import WorkServiceStub
from tests.arena_service.api.wire import Wire
from tests.arena_service.store.arena import SmallArena, outcome
from workers.lifetime import die_with_parent

PATIENCE_SECONDS = 60.0
Enter = Callable[..., GrpcWork]


@pytest.fixture
def enter(db: Database, address: str) -> Iterator[Enter]:
    """Lets a worker in by name, at the API or at another address."""
    opened = []

    def worker(name: str, at: str = address, pid: int = 7) -> GrpcWork:
        opened.append(GrpcWork(at, worker_tokens.create(db, name), "host", pid))
        return opened[-1]

    yield worker
    for each in opened:
        each.close()


@pytest.fixture
def arena(db: Database) -> SmallArena:
    """Three bots, three series of four matches."""
    small = SmallArena(db)
    small.close()
    return small


def leased(work: GrpcWork) -> Assignment:
    found = work.lease("whoever")
    assert found is not None
    return found


def count(db: Database, table: type) -> int:
    with db.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def outcomes(db: Database) -> list[tuple[str, str]]:
    """Each outcome of an attempt once, with the worker's name."""
    with db.read() as session:
        rows = session.execute(select(col(Attempt.worker), col(Attempt.outcome)).distinct())
        return sorted((worker, ended) for worker, ended in rows)


def wait_for(probe: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not probe():
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.02)


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


@pytest.fixture
def wire(address: str) -> Iterator[Wire]:
    made = Wire(address)
    yield made
    made.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines that a lost answer passes soon, with the patience of always."""
    for name in ("LEASE", "POST", "GIVE_BACK", "FETCH"):
        monkeypatch.setattr(client, name, Manner(deadline=2.0, patience=PATIENCE_SECONDS))


@contextlib.contextmanager
def answers_lost(wire: Wire, until: Callable[[], object]) -> Iterator[None]:
    """Nothing is heard from the arena until it has done its part; then the wire is cut."""
    wire.keep_answers()

    def cut() -> None:
        wait_for(until, "the arena to do it unheard")
        wire.cut()

    thread = threading.Thread(target=cut)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@pytest.mark.usefixtures("hurried")
def test_a_lease_that_nobody_heard_of_goes_back_at_once(
    arena: SmallArena, wire: Wire, enter: Enter
) -> None:
    work = enter("far", wire.address)
    work.greet()
    with answers_lost(wire, lambda: count(arena.db, Attempt)):
        found = leased(work)
    assert outcomes(arena.db) == [("far/host-7", "failed"), ("far/host-7", "open")]
    series = {found.series: found}

    def all_leased() -> bool:
        again = work.lease("w")
        if again is not None:
            series[again.series] = again
        return len(series) == 3

    wait_for(all_leased, "what was not heard of to come back")
    for each in series.values():
        for match in each.matches:
            assert work.accept(each.series, each.fence, outcome(match))
    assert count(arena.db, Result) == 12


@pytest.mark.usefixtures("hurried")
def test_a_result_whose_answer_was_lost_stands_once(
    arena: SmallArena, wire: Wire, enter: Enter
) -> None:
    work = enter("far", wire.address)
    found = leased(work)
    with answers_lost(wire, lambda: count(arena.db, Result)):
        assert work.accept(found.series, found.fence, outcome(found.matches[0]))
    assert count(arena.db, Result) == count(arena.db, Ledger) == 1
    assert count(arena.db, Refusal) == 0


@pytest.mark.usefixtures("hurried")
def test_what_is_given_back_unheard_is_given_back_once(
    arena: SmallArena, wire: Wire, enter: Enter
) -> None:
    work = enter("far", wire.address)
    found = leased(work)
    with answers_lost(wire, lambda: ("far/host-7", "failed") in outcomes(arena.db)):
        work.fail(found.series, found.fence, "worker", "Trouble")
    assert outcomes(arena.db) == [("far/host-7", "failed")]


def test_an_arena_that_is_away_is_told_as_such(
    arena: SmallArena, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LEASE", Manner(deadline=0.5, patience=0.5))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        work = enter("far", f"127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(WorkUnavailable):
            work.lease("w")


@contextlib.contextmanager
def api_process(db: Database, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The API as a process of its own, which answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena_service.api.server", "--address", f"127.0.0.1:{port}"],
        env={**os.environ, "INTERREX_DATABASE_URL": f"sqlite:///{db.file}"},
        preexec_fn=partial(die_with_parent, os.getpid()),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: _serves(port), "the API to serve")
        yield process
    finally:
        process.kill()
        process.wait()


def _serves(port: int) -> bool:
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            stub.Check(health_pb2.HealthCheckRequest(), timeout=2)
        except grpc.RpcError:
            return False
    return True


@pytest.mark.usefixtures("hurried")
def test_the_api_is_killed_between_accepting_and_answering(
    db: Database, arena: SmallArena, enter: Enter
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    wire = Wire(f"127.0.0.1:{port}")
    heard: list[bool] = []
    try:
        work = enter("far", wire.address)
        with api_process(db, port) as first:
            found = leased(work)
            post = outcome(found.matches[0])
            wire.keep_answers()
            poster = threading.Thread(
                target=lambda: heard.append(work.accept(found.series, found.fence, post))
            )
            poster.start()
            wait_for(lambda: count(db, Result), "the result to be accepted unheard")
            os.kill(first.pid, signal.SIGKILL)
        assert heard == []
        wire.cut()
        with api_process(db, port):
            poster.join(PATIENCE_SECONDS)
            assert heard == [True]
            assert work.accept(found.series, found.fence, outcome(found.matches[1]))
    finally:
        wire.close()
    assert count(db, Result) == count(db, Ledger) == 2
    assert count(db, Refusal) == 0


def test_a_worker_needs_no_package_for_databases_or_brokers() -> None:
    script = (
        "import sys, workers.polling, arena_service.remote.heartbeat\n"
        "print(sorted({'sqlalchemy', 'sqlmodel', 'celery', 'redis', 'alembic'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
