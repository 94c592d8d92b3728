"""`interrex demo`: the whole idea within minutes, through the same doors that everybody uses."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from cli import showcase
from cli.addresses import VARIABLE
from cli.client import connect
from cli.failures import Exit, Failure
from cli.profile import ADDRESSES, DEFAULT_DATA, Data
from cli.running import stopped_by_signals, undisturbed
from cli.showcase import SHOWCASES, Showcase
from cli.standings import standings_table
from cli.user import ensure_profile
from workers.lifetime import die_with_parent

START_SECONDS = 90.0
PIPED_COLUMNS = 120


def demo(
    data: Data = DEFAULT_DATA,
    once: Annotated[bool, typer.Option("--once", help="End after the standings.")] = False,
    pairs: Annotated[
        int, typer.Option(min=0, max=100, help="Pairs of every two bots; 0: as each game needs.")
    ] = 0,
    games: Annotated[
        list[str] | None,
        typer.Option("--game", help="Play this one only; any number of times. [default: all]"),
    ] = None,
) -> None:
    """Start an arena, submit bots, play a slot of a ladder of each game, show the standings."""
    shown = [replace(each, pairs=pairs or each.pairs) for each in _chosen(games)]
    console = Console(width=None if sys.stdout.isatty() else PIPED_COLUMNS)
    data = data.absolute()
    os.environ.pop(VARIABLE, None)  # the demo talks to the arena that it starts, to no other
    try:
        with stopped_by_signals(), _arena_process(data, console):
            _play(data, shown, console)
            if not once:
                console.print("Serving until Ctrl-C.")
                while True:
                    time.sleep(1)
    except KeyboardInterrupt:
        console.print("Stopping.")


def _chosen(games: Sequence[str] | None) -> list[Showcase]:
    """The ladders of these games, by default all; raises Failure."""
    known = [each.game for each in SHOWCASES]
    for game in games or ():
        if game not in known:
            expected = ", ".join(known)
            raise Failure(f"--game: expected one of {expected}, got {game!r}", Exit.USAGE)
    return [each for each in SHOWCASES if each.game in (games or known)]


def _play(data: Path, shown: Sequence[Showcase], console: Console) -> None:
    ensure_profile(data, "demo")
    with connect(data) as arena:
        showcase.submit_bots(arena, shown, console)
        console.print("A slot of every ladder is due.")
        played = showcase.play(arena, shown, console)
        dashboard = json.loads((data / ADDRESSES).read_text())["dashboard"]
        for each, answer in played.items():
            match = showcase.newest_match(arena, each.ladder)
            console.print(f"\n[bold]{each.ladder}[/]: {dashboard}/ladders?ladder={each.ladder}")
            console.print(standings_table(answer.standings, answer.ladder.seats))
            console.print(f"A replay: {dashboard}/match?replay={match}", highlight=False)
    console.print(f"\nDashboard: {dashboard}", highlight=False)


@contextlib.contextmanager
def _arena_process(data: Path, console: Console) -> Iterator[None]:
    """Run `interrex up` as a child of its own session; ends it, and only it, on the way out."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "up", "--data", str(data)],
        start_new_session=True,
        preexec_fn=partial(die_with_parent, os.getpid()),
    )
    try:
        _wait_until_up(process, data, console)
        yield
    finally:
        with undisturbed():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait()


def _wait_until_up(process: subprocess.Popen[bytes], data: Path, console: Console) -> None:
    deadline = time.monotonic() + START_SECONDS
    with console.status("Starting the arena"):
        while _published_pid(data) != process.pid:
            ended = process.poll()
            if ended is not None and ended > 0:
                raise typer.Exit(ended)  # it has said why on the same stderr
            if ended is not None or time.monotonic() > deadline:
                raise Failure(f"the arena did not start; its logs are in {data / 'logs'}")
            time.sleep(0.1)


def _published_pid(data: Path) -> int:
    """The process whose addresses stand in the data folder; 0 when there are none."""
    try:
        return int(json.loads((data / ADDRESSES).read_text())["pid"])
    except (FileNotFoundError, NotADirectoryError):
        return 0
