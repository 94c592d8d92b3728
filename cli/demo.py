"""`interrex demo`: the whole idea within minutes, through the same doors that everybody uses."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bots.packing import pack
from cli.checks import ACTIVE, wait_until_checked
from cli.client import Arena, connect
from cli.failures import Failure
from cli.output import submitted
from cli.pages import pages
from cli.profile import ADDRESSES, DEFAULT_DATA, Data
from cli.standings import standings_table
from cli.up import stopped_by_signals
from cli.user import ensure_profile
from interrex.arena.v1 import ladder_service_pb2 as ladders
from workers.lifetime import die_with_parent

BASELINES = Path(__file__).parents[1] / "bots" / "baselines"
BOTS = ("random", "first-legal", "greedy", "highest")
LADDER = "claim-demo"
START_SECONDS = 90.0
PLAY_SECONDS = 600.0
PIPED_COLUMNS = 120


def demo(
    data: Data = DEFAULT_DATA,
    once: Annotated[bool, typer.Option("--once", help="End after the standings.")] = False,
    pairs: Annotated[int, typer.Option(min=1, max=100, help="Pairs of every two bots.")] = 5,
) -> None:
    """Start an arena, submit four bots, play one slot of a Claim ladder, show the standings."""
    console = Console(width=None if sys.stdout.isatty() else PIPED_COLUMNS)
    data = data.absolute()
    try:
        with stopped_by_signals(), _arena_process(data, console):
            _play(data, pairs, console)
            if not once:
                console.print("Serving until Ctrl-C.")
                while True:
                    time.sleep(1)
    except KeyboardInterrupt:
        console.print("Stopping.")


def _play(data: Path, pairs: int, console: Console) -> None:
    ensure_profile(data, "demo")
    with connect(data) as arena:
        _submit_all(arena, console)
        before = _enter_all(arena, pairs)
        arena.ladders.RunLadderNow(ladders.RunLadderNowRequest(ladder=LADDER))
        console.print(f"Ladder [bold]{LADDER}[/]: a slot is due, {pairs} pairs of every two bots.")
        shown = _wait_for_slot(arena, before, console)
    console.print(standings_table(shown.standings))
    dashboard = json.loads((data / ADDRESSES).read_text())["dashboard"]
    console.print(f"Dashboard: {dashboard}", highlight=False)


def _submit_all(arena: Arena, console: Console) -> None:
    """Submit the bots and wait until each has come through its check."""
    versions = []
    for name in BOTS:
        answer = arena.submit(pack(BASELINES / name.replace("-", "_")))
        versions.append(answer.version)
        console.print(f"  {submitted(answer)}")
    for checked in wait_until_checked(arena, versions):
        if checked.version.state != ACTIVE:
            raise Failure(
                f"{checked.version.bot} is {checked.version.state}: {checked.version.reason}"
            )


def _enter_all(arena: Arena, pairs: int) -> ladders.ShowLadderResponse:
    listed = pages(arena.ladders.ListLadders, ladders.ListLaddersRequest())
    if LADDER not in {each.name for answer in listed for each in answer.ladders}:
        arena.ladders.CreateLadder(
            ladders.CreateLadderRequest(
                name=LADDER, game="claim", timezone="UTC", pairs_per_slot=pairs
            )
        )
    for name in BOTS:
        arena.ladders.EnterLadder(ladders.EnterLadderRequest(ladder=LADDER, bot=name))
    return arena.show(LADDER)


def _wait_for_slot(
    arena: Arena, before: ladders.ShowLadderResponse, console: Console
) -> ladders.ShowLadderResponse:
    """Draw the progress of the slot that was just made due until every pair has its results."""
    columns = (TextColumn("pairs"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    deadline = time.monotonic() + PLAY_SECONDS
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("pairs", total=None)
        while time.monotonic() < deadline:
            shown = arena.show(LADDER)
            if shown.ladder.commitment != before.ladder.commitment and shown.pairs_planned:
                bar.update(task, total=shown.pairs_planned, completed=shown.pairs_done)
                if shown.pairs_done == shown.pairs_planned and _rated(shown):
                    return shown
            time.sleep(0.3)
    raise Failure(f"the slot was not finished after {PLAY_SECONDS:.0f} s; see the logs folder")


def _rated(shown: ladders.ShowLadderResponse) -> bool:
    return bool(shown.standings) and all(row.HasField("rating") for row in shown.standings)


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
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait()


def _wait_until_up(process: subprocess.Popen[bytes], data: Path, console: Console) -> None:
    deadline = time.monotonic() + START_SECONDS
    with console.status("Starting the arena"):
        while _published_pid(data) != process.pid:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"the arena did not start; its logs are in {data / 'logs'}")
            time.sleep(0.1)


def _published_pid(data: Path) -> int:
    """The process whose addresses stand in the data folder; 0 when there are none."""
    try:
        return int(json.loads((data / ADDRESSES).read_text())["pid"])
    except FileNotFoundError:
        return 0
