"""Kills one after the other while matches are played, and what must be true in the end."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from arena_service.store.tables import Refusal
from tests.kills import processes
from tests.kills.arena import Arena, wait_for
from tests.kills.books import Books
from tests.kills.posts import post_twice_late_and_contradicting

STOP, POST, CUP, CANCEL = "stopped", "posted", "cup", "cancelled cup"
EXAMINE = "examined"
NONE: Mapping[str, Callable[[], object]] = {}


def storm(
    arena: Arena,
    books: Books,
    acts: Iterable[str],
    chance: random.Random,
    pause: float,
    faults: Mapping[str, Callable[[], object]] = NONE,
) -> None:
    """Perform the acts, each at most `pause` seconds into some play.

    An act is a kind to kill, STOP (a slot past its lease), POST (results twice, late, otherwise),
    CUP (a tournament starts), CANCEL (one starts and is cancelled in play), EXAMINE (the doctor
    looks at what is in play), or one of the `faults`, which is called.
    """
    began = time.monotonic()
    does: dict[str, Callable[[], object]] = {
        STOP: lambda: wait_for(lambda: _stopped(arena, books), "a slot stopped past its lease"),
        POST: lambda: post_twice_late_and_contradicting(books, lambda: follow(arena, books)),
        CUP: lambda: arena.hold_cup(f"cup-{arena.others.total()}"),
        CANCEL: lambda: _cancel_a_cup(arena, chance.uniform(0.0, pause)),
        EXAMINE: lambda: check_report(examined(arena)),
        **faults,
    }
    for act in acts:
        _keep_playing(arena, books)
        time.sleep(chance.uniform(0.0, pause))
        print(f"{time.monotonic() - began:.1f} s {act}", flush=True)
        if act in processes.KINDS:
            arena.kill(act, chance)
        else:
            arena.others[act] += 1
            does[act]()


def check_sound(arena: Arena, books: Books) -> None:
    """Let all be played: every match has its result, and the doctor finds nothing wrong."""
    wait_for(books.is_over, "all to be played and rated", 600)
    while_up = examined(arena)
    arena.stop()
    for report in (while_up, examined(arena)):
        check_report(report)
        assert {each["kind"] for each in report["oddities"]} <= {"refused posts"}
    assert books.planned() == books.accepted()
    assert books.left() == books.open_attempts() == 0


def examined(arena: Arena) -> dict[str, Any]:
    """What the doctor says of the arena, whether it runs or not."""
    return dict(json.loads(arena.interrex("doctor", "--json")))


def check_report(report: dict[str, Any]) -> None:
    """The doctor found nothing wrong."""
    assert report["problems"] == []


def figures(arena: Arena, books: Books) -> str:
    """What was planned, accepted, tried and killed."""
    return (
        f"planned {books.planned()}, accepted {books.accepted()}, cancelled {books.cancelled()}, "
        f"attempts {dict(books.attempts())}, refused posts {books.count(Refusal)}, "
        f"kills {arena.kills.total()} {dict(arena.kills)}, besides {dict(arena.others)}"
    )


def _keep_playing(arena: Arena, books: Books) -> None:
    """Wait until something is in play."""

    def in_play() -> object:
        follow(arena, books)
        return books.in_play()

    wait_for(in_play, "a match in play")


def follow(arena: Arena, books: Books) -> None:
    """Let a slot that has been played be followed by another."""
    if books.is_over():
        arena.run_slot()


def _cancel_a_cup(arena: Arena, seconds: float) -> None:
    name = f"cup-{arena.others.total()}"
    arena.hold_cup(name)
    time.sleep(seconds)
    arena.cancel_cup(name)


def _stopped(arena: Arena, books: Books) -> bool:
    """Stop a slot in play until its lease is lost, then let it go on; False: none was in play."""
    for pid in books.in_play().keys() & set(arena.find("slot")):
        os.kill(pid, signal.SIGSTOP)
        try:
            if (held := books.in_play().get(pid)) is not None:
                wait_for(lambda: not books.is_held(*held), "a stopped slot to lose its lease")
                return True
        finally:
            os.kill(pid, signal.SIGCONT)
    return False
