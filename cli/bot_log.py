"""What was kept of a version's matches, drawn for its author."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena_service.verdicts import printable
from cli.checks import measured, measures_table
from cli.output import print_table, say
from interrex.arena.v1.bot_service_pb2 import BotLog, BotVersion, GetBotResponse
from interrex.arena.v1.replay_service_pb2 import Evidence, Match

TIMES_SHOWN = 8
STDERR_LINES = 12
LINE_SHOWN = 400


def show_log(answer: GetBotResponse) -> None:
    """State, last check and last faults of a version."""
    say(state_line(answer.version))
    show_checks(answer.checks)
    if answer.faults:
        say(f"\nLost by a fault of its own, the newest first: {len(answer.faults)}")
    for log in answer.faults:
        say(f"\n{_title(log.match)}")
        for kept in log.evidence:
            if _is_at_fault(log.match, kept):
                _show_seat(kept)
        _show_replay(log.match)


def show_checks(checks: Iterable[BotLog]) -> None:
    """What was measured in the check matches, and what was kept of the seats that spoke up.

    Matches played at home have no id: the arena has no replay of them.
    """
    logs = list(checks)
    if logs:
        print_table(measures_table([measured(log) for log in logs]))
    for log in logs:
        for kept in log.evidence:
            if kept.limit or kept.stderr_tail:
                say(f"\n{log.match.game}, seat {kept.seat}")
                _show_seat(kept)
        if log.match.id and log.match.HasField("at_fault"):
            _show_replay(log.match)


def state_line(version: BotVersion) -> str:
    """Name, number, state, and why it does not play."""
    text = f"{version.bot} version {version.version} is {version.state}"
    return f"{text}: {version.reason}" if version.reason else text


def _title(match: Match) -> str:
    names = " v. ".join(f"{each.owner}/{each.bot} {each.version}" for each in match.players)
    when = match.finished_at.ToJsonString()
    return f"{when}  {match.game}  {names}: {match.ending} after {match.plies} plies"


def _show_replay(match: Match) -> None:
    say(f"  replay  interrex replay export {match.id} -o match.replay.json")


def _is_at_fault(match: Match, kept: Evidence) -> bool:
    return match.at_fault == kept.seat if match.HasField("at_fault") else bool(kept.limit)


def _show_seat(kept: Evidence) -> None:
    for name, text in _facts(kept):
        say(f"  {name:<7} {text}")


def _facts(kept: Evidence) -> Iterator[tuple[str, str]]:
    if kept.limit:
        yield "limit", printable(kept.limit)
    if kept.cpu_ms_per_ply:
        yield "CPU", _times(kept.cpu_ms_per_ply)
    if kept.wall_ms_per_ply:
        yield "wall", _times(kept.wall_ms_per_ply)
    if kept.last_line:
        yield "line", printable(kept.last_line[:LINE_SHOWN])
    for line in kept.stderr_tail.splitlines()[-STDERR_LINES:]:
        yield "stderr", printable(line[:LINE_SHOWN])


def _times(values: Iterable[float]) -> str:
    """The last times in ms, oldest first."""
    shown = list(values)
    dots = "... " if len(shown) > TIMES_SHOWN else ""
    last = " ".join(f"{value:.1f}" for value in shown[-TIMES_SHOWN:])
    return f"{dots}{last} ms ({len(shown)} plies)"
