"""Two workers on hosts of their own, one of them cut off while it plays."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store.tables import Attempt, Series
from cli.client import connect
from engine_service.metrics import ADDRESS
from interrex.arena.v1.tournament_service_pb2 import (
    CreateTournamentRequest,
    EnterTournamentRequest,
    StartTournamentRequest,
)
from tests.arena_service import postgres, rabbitmq
from tests.kills.arena import INTERREX, LIMITS, ROOT, submit, wait_for, write_bots
from tests.kills.books import Books
from tests.scale.deployed import Deployed, deployed
from tests.scale.hosts import Host, host
from workers.lifetime import die_with_parent

BOTS = 3
METRICS = 9464
PAIRS = 2
MATCHES = BOTS * (BOTS - 1) * PAIRS


@contextmanager
def worker(arena: Deployed, place: Host) -> Iterator[None]:
    """`interrex worker start` on a host, in an environment that names nothing of the arena.

    Its engine and its slot serve their metrics there.
    """
    token = arena.folder / f"{place.name}.token"
    arena.interrex("worker", "token", "create", place.name, "--file", str(token))
    words = ["--arena", f"{place.gateway}:{arena.port}", "--token-file", str(token)]
    outside = {k: v for k, v in os.environ.items() if not k.startswith("INTERREX_")}
    folder = arena.folder / place.name
    folder.mkdir()
    with (folder / "worker.log").open("wb") as log:
        started = subprocess.Popen(
            place.on(*INTERREX, "worker", "start", *words, "--slots", "1", "--data", str(folder)),
            cwd=ROOT,
            env={**outside, ADDRESS: f"0.0.0.0:{METRICS}"},
            stdout=log,
            stderr=log,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
    try:
        yield
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(60)


def hold_cup(arena: Deployed, bots: list[Path]) -> None:
    """A tournament of these bots, once they have come through their checks."""
    arena.interrex("user", "create", "organiser")
    with connect(arena.data) as api:
        submit(api, bots)
        api.tournaments.CreateTournament(
            CreateTournamentRequest(name="cup", game="claim", pairs=PAIRS, limits=LIMITS)
        )
        for bot in bots:
            api.tournaments.EnterTournament(EnterTournamentRequest(tournament="cup", bot=bot.name))
        api.tournaments.StartTournament(StartTournamentRequest(tournament="cup"))


def players(books: Books) -> set[str]:
    """The hosts of all that have tried a match of the tournament, by the names of their workers."""
    planned = col(Attempt.series).in_(select(col(Series.id)).where(col(Series.event).is_not(None)))
    with books.db.read() as session:
        return {
            name.partition("/")[0]
            for name in session.scalars(select(col(Attempt.worker)).where(planned))
        }


def holds(books: Books, name: str) -> bool:
    """Whether the worker of that name plays for the tournament now."""
    with books.db.read() as session:
        held = select(col(Series.worker)).where(col(Series.event).is_not(None))
        return any((each or "").startswith(f"{name}/{name}-") for each in session.scalars(held))


def metrics(arena: Deployed, place: Host) -> dict[str, str]:
    """What each process serves, and both of the worker of a host together."""
    found = {name: read("127.0.0.1", port) for name, port in arena.metrics.items()}
    return found | {"worker": "".join(read(place.address, METRICS + each) for each in range(2))}


def read(host: str, port: int) -> str:
    with urlopen(f"http://{host}:{port}/metrics", timeout=60) as answer:
        return str(answer.read().decode())


def value(text: str, name: str) -> float:
    """The sum over the labels of a metric."""
    return sum(
        float(each) for each in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)
    )


@pytest.mark.timeout(900)
def test_a_host_that_is_cut_off_costs_no_match(tmp_path: Path) -> None:
    with (
        postgres.running() as database,
        rabbitmq.server() as broker,
        deployed(tmp_path, postgres.url(database.where, "postgres"), broker.url) as arena,
        host("north", 0) as north,
        host("south", 1) as south,
        worker(arena, north),
        worker(arena, south),
    ):
        books = Books(postgres.url(database.where, "postgres"))
        hold_cup(arena, write_bots(tmp_path, BOTS, think_seconds=0.005))
        wait_for(lambda: holds(books, "north") and books.accepted() > 0, "north to play")
        north.cut_off()
        wait_for(
            lambda: any("expired" in each for each in books.attempts()), "its lease to run out"
        )
        north.connect()
        wait_for(books.is_over, "all to be played")
        assert players(books) == {"north", "south"}
        assert books.planned() == books.accepted() == MATCHES
        assert books.left() == books.open_attempts() == 0
        arena.interrex("doctor")
        told = metrics(arena, south)
    assert value(told["api"], "interrex_results_total") >= MATCHES
    assert value(told["api"], "interrex_calls_total") > MATCHES
    assert value(told["control"], "interrex_lease_expiries_total") >= 1
    assert value(told["control"], "interrex_database_up") == 1
    assert value(told["beat"], "interrex_tokens_total") > 0
    assert value(told["worker"], "interrex_process") == 2
    assert value(told["worker"], "interrex_leases_total") > 0
    assert value(told["worker"], "interrex_ply_seconds_count") > 52
