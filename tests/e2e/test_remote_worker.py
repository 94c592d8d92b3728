"""A worker that knows an address and a token alone plays a whole arena's matches."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store.tables import Attempt
from tests.kills import processes
from tests.kills.arena import INTERREX, Arena, running, wait_for, write_bots
from tests.kills.books import Books
from tests.kills.storm import check_sound, figures
from workers.lifetime import die_with_parent

BOTS = 3
KILLS = 2
SLOTS = 2


@contextmanager
def worker(
    arena: Arena, folder: Path, slots: int, at: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """`interrex worker start`, in an environment that names nothing of the arena.

    It reaches the API `at` another address than the arena's own, where one is given.
    """
    token = folder / "far.token"
    arena.interrex("worker", "token", "create", "far", "--file", str(token))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("INTERREX_")}
    words = ["--arena", at or arena.api, "--token-file", str(token), "--slots", str(slots)]
    started = subprocess.Popen(
        [*INTERREX, "worker", "start", *words, "--data", str(folder / "worker")],
        cwd=folder,
        env=environment,
        preexec_fn=partial(die_with_parent, os.getpid()),
    )
    try:
        yield started
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(60)


def reachable() -> str:
    """Where other machines would reach an API: all of this machine's addresses, at a free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return f"0.0.0.0:{probe.getsockname()[1]}"


def slots_of(remote: int) -> list[int]:
    """The slots of a remote worker."""
    below = processes.descendants(remote)
    return [each.pid for each in below if each.parent == remote and _plays(each.pid)]


def _plays(pid: int) -> bool:
    try:
        return b"workers.polling" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def environments(root: int) -> list[bytes]:
    """Of every process below `root` that may be looked at."""
    found = []
    for each in processes.descendants(root):
        try:
            found.append(Path(f"/proc/{each.pid}/environ").read_bytes())
        except OSError:  # it has ended, or is a bot of another user
            continue
    return found


@pytest.mark.timeout(900)
def test_a_remote_worker_plays_a_tournament_whatever_is_killed(tmp_path: Path) -> None:
    chance = random.Random(5)
    with (
        running(tmp_path / "arena", options=["--slots", "0", "--api", reachable()]) as arena,
        worker(arena, tmp_path, SLOTS) as remote,
    ):
        books = Books(arena.url)
        arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), pairs=1)
        assert "far/" in arena.interrex("status")
        arena.hold_cup("far-away")
        for number in range(KILLS):
            wait_for(lambda played=number: books.accepted() > played, "another result")
            arena.kill("api", chance)
        os.kill(chance.choice(slots_of(remote.pid)), signal.SIGKILL)
        wait_for(lambda: len(slots_of(remote.pid)) == SLOTS, "another slot in its place")
        assert remote.poll() is None
        told = environments(remote.pid)
        assert len(told) >= 3
        assert not any(b"DATABASE_URL" in each or b"BROKER" in each for each in told)
        check_sound(arena, books)
    print(figures(arena, books))
    assert books.accepted() == BOTS * (BOTS - 1)
    with books.db.read() as session:
        players = set(session.scalars(select(col(Attempt.worker))))
    assert players
    assert all(name.startswith("far/") for name in players)
