"""A worker that does not hear the arena, or loses it, changes nothing about what is played."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from arena_service.remote import client
from arena_service.remote.calls import Manner
from arena_service.status.probes import serves
from arena_service.store.database import Database
from arena_service.store.tables import Attempt, Ledger, Refusal, Result
from arena_service.work import WorkUnavailable
from tests.arena_service.api.remote import (
    PATIENCE_SECONDS,
    Enter,
    count,
    leased,
    outcomes,
    wait_for,
)
from tests.arena_service.api.wire import Wire
from tests.arena_service.store.arena import SmallArena, outcome
from workers.lifetime import die_with_parent


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
        wait_for(lambda: serves(f"127.0.0.1:{port}", seconds=2), "the API to serve")
        yield process
    finally:
        process.kill()
        process.wait()


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
