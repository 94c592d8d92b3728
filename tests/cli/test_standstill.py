"""A process that stands still in the middle of writing is ended, and no other."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from arena_service.store.database import Database, open_database
from cli.standstill import Writers
from workers.lifetime import die_with_parent

PATIENCE_SECONDS = 60.0
WRITE = """
import os, signal, sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("BEGIN IMMEDIATE")
file.execute("CREATE TABLE mine (x)")
print("writes", flush=True)
"""
FREEZE = WRITE + "os.kill(os.getpid(), signal.SIGSTOP)"
WORK = WRITE + "while True: pass"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    opened.migrate()
    with opened.read():
        yield opened
    opened.close()


@contextmanager
def writer(database: Database, program: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, database.file],
        stdout=subprocess.PIPE,
        preexec_fn=partial(die_with_parent, os.getpid()),
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writes\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def look_until(writers: Writers, done: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        assert time.monotonic() < deadline
        writers.look()
        time.sleep(0.02)


def test_who_is_frozen_is_killed_and_the_others_write(database: Database) -> None:
    said: list[str] = []
    with writer(database, FREEZE) as process:
        writers = Writers(database.file, lambda pid: pid == process.pid, said.append, patience=1.0)
        look_until(writers, lambda: process.poll() is not None)
        assert process.returncode == -signal.SIGKILL
    with sqlite3.connect(database.file, timeout=PATIENCE_SECONDS) as file:
        file.execute("CREATE TABLE mine (x)")
    assert len(said) == 1
    assert str(process.pid) in said[0]


def test_who_works_is_left_alone(database: Database) -> None:
    said: list[str] = []
    with writer(database, WORK) as process:
        writers = Writers(database.file, lambda _pid: True, said.append, patience=2.0)
        until = time.monotonic() + 3.0
        look_until(writers, lambda: time.monotonic() > until)
        assert process.poll() is None
    assert said == []


def test_who_is_no_process_of_the_arena_is_told_of_once(database: Database) -> None:
    said: list[str] = []
    with writer(database, FREEZE) as process:
        writers = Writers(database.file, lambda _pid: False, said.append, patience=0.5)
        look_until(writers, lambda: said)
        until = time.monotonic() + 1.5
        look_until(writers, lambda: time.monotonic() > until)
        assert process.poll() is None
    assert len(said) == 1


def test_a_database_on_a_server_is_not_looked_at() -> None:
    Writers("", lambda _pid: True, lambda _text: None).look()
