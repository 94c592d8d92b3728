"""A tournament in the terminal: how far it is, what it was committed to, who stands where."""

from __future__ import annotations

from datetime import UTC

from cli import terms
from cli.output import plain, print_json, print_table, say
from cli.standings import seats_table, standings_table
from cli.tournament_course import print_course
from cli.watching import ENDED, left
from interrex.arena.v1.tournament_service_pb2 import (
    ShowCourseResponse,
    ShowTournamentResponse,
    Tournament,
    Webhook,
)

PAIRED = frozenset(
    {"swiss", "double_elimination", "final"}
)  # the pairings of a round follow from results
PROOF = "The SHA-256 of the key's bytes is the commitment: no deal was chosen after the entries."


def print_tournament(
    answer: ShowTournamentResponse, course: ShowCourseResponse, as_json: bool
) -> None:
    """How far it is, its course and its standings; for programs one document."""
    if as_json:
        print_json({**plain(answer), "course": plain(course)})
        return
    say(_about(answer))
    paired = answer.tournament.format in PAIRED
    print_course(course, rounds_count=paired)
    if paired and answer.standings:
        say("Strength")
    if answer.standings:
        print_table(standings_table(answer.standings, answer.tournament.seats))
        _print_seats(answer)
    elif answer.tournament.state == "open":
        name = answer.tournament.name
        say(f"Nobody is entered; enter a bot with: interrex tournament enter {name} BOT")


def _print_seats(answer: ShowTournamentResponse) -> None:
    if answer.seats:
        say("What the seats are worth")
        print_table(seats_table(answer.seats))


def before_start(shown: Tournament) -> str:
    """What must happen before there is something to watch."""
    steps = f"start it with: interrex tournament start {shown.name}"
    if shown.entrants < shown.seats:
        steps = f"enter bots with: interrex tournament enter {shown.name} BOT; then {steps}"
    return f"{shown.name} has not started; {shown.entrants} bots are entered: {steps}"


def _about(answer: ShowTournamentResponse) -> str:
    shown, progress = answer.tournament, answer.progress
    state = f"{shown.name} is {shown.state}"
    if shown.state == "open":
        state += f" with {shown.entrants} bots"
    elif shown.state in ENDED and not progress.pairs_planned + progress.pairs_cancelled:
        state += f": {shown.entrants} bots, no pair was planned"
    else:
        state += f": {progress.pairs_done} of {progress.pairs_planned} pairs played"
        state += f", {progress.pairs_cancelled} cancelled" if progress.pairs_cancelled else ""
    rest = left(progress)
    played = f"{terms.game(shown)}, {shown.seats} seats"
    lines = [f"{state}, {rest}" if rest else state, played, f"commitment {shown.commitment}"]
    if shown.entrants_digest:
        lines.append(f"entrants   {shown.entrants_digest}")
    if answer.HasField("webhook"):
        lines.append(_webhook(answer.webhook))
    if shown.key:
        lines.append(f"key        {shown.key}")
        lines.append(PROOF)
    return "\n".join(lines)


def _webhook(told: Webhook) -> str:
    """How far its owner's webhook has been told, and when it is tried next."""
    count = "1 attempt" if told.attempts == 1 else f"{told.attempts} attempts"
    text = f"webhook    {told.state} after {count}"
    if told.HasField("due_at"):
        due = told.due_at.ToDatetime(UTC)
        text += f", the next one at {due:%Y-%m-%d %H:%M:%S} UTC"
    elif told.error:
        text += ", no more will follow"
    return f"{text}; the last one: {told.error}" if told.error else text
