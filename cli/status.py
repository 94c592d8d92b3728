"""`interrex status`: what runs, what waits, what goes wrong, and what to do about it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena_service.status.problems import duration, failures, go_on, problems
from arena_service.status.report import BOT, CauseCount, ProcessRow, Queue, RunningMatch, Status
from cli.client import connect
from cli.failures import Exit, Failure
from cli.listing import Listing
from cli.output import WIDE, plain, print_json
from cli.profile import DEFAULT_DATA, AsJson, Data
from interrex.arena.v1.status_service_pb2 import GetStatusRequest, GetStatusResponse

REFRESH_SECONDS = 2.0
LOST_SHOWN_SECONDS = 600.0
RUNNING_SHOWN = 20


def status(
    as_json: AsJson = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Stay and show it anew until Ctrl-C.")
    ] = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """How the arena is doing; ends with 1 when something is wrong."""
    if as_json and watch:
        raise Failure("--json prints one document; leave --watch out", Exit.USAGE)
    answer = _ask(data)
    report = from_message(answer)
    if as_json:
        wrong = [asdict(problem) for problem in problems(report)]
        print_json({**plain(answer), "problems": wrong})
    else:
        console = Console() if sys.stdout.isatty() else Console(width=WIDE)
        report = _watch(data, report, console) if watch else _show(report, console)
    if problems(report):
        raise typer.Exit(Exit.PROBLEM)


def _ask(data: Path) -> GetStatusResponse:
    with connect(data) as arena:
        return arena.status.GetStatus(GetStatusRequest())


def _show(report: Status, console: Console) -> Status:
    console.print(screen(report))
    return report


def _watch(data: Path, report: Status, console: Console) -> Status:
    """Draw it anew until Ctrl-C; an arena that does not answer is waited for."""
    silence = ""
    try:
        with Live(screen(report), console=console, auto_refresh=False) as live:
            while True:
                time.sleep(REFRESH_SECONDS)
                try:
                    report, silence = from_message(_ask(data)), ""
                except Failure as failure:
                    silence = failure.message
                live.update(screen(report, silence), refresh=True)
    except KeyboardInterrupt:
        if silence:
            raise Failure(silence, Exit.UNREACHABLE) from None
        return report


def from_message(answer: GetStatusResponse) -> Status:
    """The report that the service sent."""
    queue = answer.queue
    return Status(
        queue=Queue(
            series_waiting=queue.series_waiting,
            series_leased=queue.series_leased,
            matches_waiting=queue.matches_waiting,
            oldest_seconds=queue.oldest_seconds if queue.HasField("oldest_seconds") else None,
            tick_seconds=queue.tick_seconds if queue.HasField("tick_seconds") else None,
            matches_last_minute=queue.matches_last_minute,
        ),
        running=tuple(
            RunningMatch(each.match, each.competition, each.ply, each.seconds)
            for each in answer.running
        ),
        causes=tuple(
            CauseCount(each.cause, each.what, each.count, each.goes_on) for each in answer.causes
        ),
        processes=tuple(
            ProcessRow(
                kind=each.kind,
                host=each.host,
                pid=each.pid,
                seen_seconds=each.seen_seconds,
                started_at=each.started_at.ToDatetime(UTC) if each.HasField("started_at") else None,
                detail=each.detail,
                restarts=each.restarts,
            )
            for each in answer.processes
        ),
    )


def screen(report: Status, silence: str = "") -> Group:
    """The whole screen; `silence` says why the report is not the newest."""
    return Group(
        *_verdict(report, silence),
        *_section("Processes", _processes(report.processes)),
        *_section("Queue", _queue(report.queue)),
        *_section("In play", _running(report.running)),
        *_section("Faults of the last 24 h", _causes(report.causes)),
    )


def _verdict(report: Status, silence: str) -> Iterator[RenderableType]:
    wrong = problems(report)
    if silence:
        yield Text.assemble(("✗ ", "bold red"), (silence, "red"))
    if not wrong and not silence:
        yield _all_runs(failures(report), go_on(report))
    for problem in wrong:
        yield Text.assemble(("✗ ", "bold red"), (problem.what, "bold red"))
        yield Text(f"  {problem.advice}")


def _all_runs(failed: int, goes_on: bool) -> Text:
    if goes_on:
        text = f"● all runs; {failed} attempts failed within the last 24 h and are played again"
        return Text(text, style="bold yellow")
    verdict = Text("● all is well", style="bold green")
    if failed:
        verdict.append(f"; {failed} attempts failed within the last 24 h and were played again")
        verdict.stylize("not bold default", len("● all is well"))
    return verdict


def _section(title: str, content: RenderableType) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold")
    yield Padding(content, (0, 0, 0, 2), expand=False)


def _queue(queue: Queue) -> RenderableType:
    oldest, tick = queue.oldest_seconds, queue.tick_seconds
    waiting = "nothing"
    if queue.series_waiting:
        waiting = f"{_matches(queue.matches_waiting)} in {queue.series_waiting} series"
        waiting += "" if oldest is None else f", the oldest for {duration(oldest)}"
    drawn = Table.grid(padding=(0, 2))
    drawn.add_row("waiting", waiting)
    drawn.add_row("in play", f"{queue.series_leased or 'no'} series")
    drawn.add_row("ended", f"{_matches(queue.matches_last_minute)} within the last minute")
    drawn.add_row("clock", "has not ticked" if tick is None else f"ticked {duration(tick)} ago")
    return drawn


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"


def _running(matches: tuple[RunningMatch, ...]) -> RenderableType:
    if not matches:
        return Text("nothing is played", style="dim")
    rows = [
        (
            each.match_id or "-",
            each.competition or "check match",
            str(each.ply),
            duration(each.seconds),
        )
        for each in matches[:RUNNING_SHOWN]
    ]
    drawn = Listing(("match", "competition", "ply", "for"), rows, header_style="dim")
    return _with_rest(drawn, len(matches) - RUNNING_SHOWN, "more matches")


def _causes(causes: tuple[CauseCount, ...]) -> RenderableType:
    if not causes:
        return Text("none", style="dim")
    rows = [(each.cause, str(each.count), _still(each), each.what) for each in causes]
    heads = ("cause", "times", "", "what")
    return Listing(heads, rows, folded=("what",), header_style="dim")


def _still(cause: CauseCount) -> Text:
    """What of the arena's own failures is still the case."""
    if cause.cause == BOT:
        return Text("")
    return Text("goes on", style="red") if cause.goes_on else Text("over", style="dim")


def _processes(rows: tuple[ProcessRow, ...]) -> RenderableType:
    if not rows:
        return Text("for members: make an account with interrex user create NAME", style="dim")
    shown = [row for row in rows if row.lives or row.seen_seconds < LOST_SHOWN_SECONDS]
    drawn = Listing(
        ("", "process", "host", "pid", "seen", "runs for", "restarts", "detail"),
        [_process(row) for row in shown],
        folded=("host", "detail"),
        spare=("runs for", "pid", "restarts"),
        header_style="dim",
    )
    return _with_rest(drawn, len(rows) - len(shown), "more were lost within the last day")


def _process(row: ProcessRow) -> tuple[str | Text, ...]:
    return (
        Text("● lives", style="green") if row.lives else Text("✗ lost", style="red"),
        row.kind,
        row.host,
        str(row.pid or "-"),
        "now" if row.seen_seconds < 1 else f"{duration(row.seen_seconds)} ago",
        _age(row.started_at),
        str(row.restarts or ""),
        row.detail,
    )


def _with_rest(drawn: Listing, count: int, words: str) -> RenderableType:
    return Group(drawn, Text(f"and {count} {words}", style="dim")) if count > 0 else drawn


def _age(started_at: datetime | None) -> str:
    if started_at is None:
        return "-"
    return duration(max(0.0, (datetime.now(UTC) - started_at).total_seconds()))
