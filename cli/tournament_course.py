"""The course of a tournament in the terminal: commands that change it, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

import typer

from arena_service.figures import alike, decimals
from arena_service.verdicts import printable
from cli.client import Arena, connect, new_key
from cli.output import print_table, say, table, tell
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from interrex.arena.v1.tournament_service_pb2 import (
    BracketSlot,
    CourseEntrant,
    DisqualifyBotRequest,
    ExtendTournamentRequest,
    PauseTournamentRequest,
    ResumeTournamentRequest,
    Round,
    ShowCourseRequest,
    ShowCourseResponse,
    TableLine,
    TestProgress,
    WithdrawBotRequest,
)

TournamentName = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Name or id of the tournament.")
]
AnyBot = Annotated[
    str, typer.Argument(metavar="BOT", help="OWNER/BOT, or the name of one of your bots.")
]
More = Annotated[int, typer.Option(min=0, max=MOST)]
Names = Mapping[str, str]


def pause(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Begin nothing more; what is being played is played to its end (for its owner)."""
    with connect(data) as arena:
        request = PauseTournamentRequest(tournament=tournament)
        paused = arena.tournaments.PauseTournament(request).tournament
    text = f"{paused.name} is paused; go on with: interrex tournament resume {paused.name}"
    tell(paused, text, as_json)


def resume(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Go on where it was paused (for the owner of the tournament)."""
    with connect(data) as arena:
        request = ResumeTournamentRequest(tournament=tournament)
        running = arena.tournaments.ResumeTournament(request).tournament
    tell(running, f"{running.name} is running again", as_json)


def extend(
    tournament: TournamentName,
    pairs: More = 0,
    rounds: More = 0,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Add pairs of every group, or rounds to a swiss tournament (for its owner)."""
    request = ExtendTournamentRequest(
        tournament=tournament, pairs=pairs, rounds=rounds, request_key=new_key()
    )
    with connect(data) as arena:
        extended = arena.tournaments.ExtendTournament(request).tournament
    tell(extended, f"{extended.name} is extended by {_added(pairs, rounds)}", as_json)


def withdraw(
    tournament: TournamentName,
    bot: AnyBot,
    reason: Annotated[str, typer.Option(help="Everybody can read it.")] = "",
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let a bot play no more; its results stay (for its owner or the tournament's)."""
    request = WithdrawBotRequest(tournament=tournament, bot=bot, reason=reason)
    with connect(data) as arena:
        left = arena.tournaments.WithdrawBot(request).tournament
    tell(left, f"{bot} is withdrawn from {left.name}; its results stay", as_json)


def disqualify(
    tournament: TournamentName,
    bot: AnyBot,
    reason: Annotated[str, typer.Option(help="Everybody can read it.")],
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let a bot play no more, and what it played count for nobody (for the tournament's owner)."""
    request = DisqualifyBotRequest(tournament=tournament, bot=bot, reason=reason)
    with connect(data) as arena:
        left = arena.tournaments.DisqualifyBot(request).tournament
    text = f"{bot} is disqualified from {left.name}; what it played counts for nobody"
    tell(left, text, as_json)


def course_of(arena: Arena, tournament: str) -> ShowCourseResponse:
    """What the arena knows of the course."""
    return arena.tournaments.ShowCourse(ShowCourseRequest(tournament=tournament))


def print_course(course: ShowCourseResponse, rounds_count: bool) -> None:
    """Who left, table, bracket and test; pairings by round where `rounds_count`."""
    names = {each.version_id: _name(each) for each in course.entrants}
    for line in _left(course.entrants):
        say(line)
    if course.table:
        say("Table, from the rounds that are closed")
        breaks = [each.name for each in course.table[0].tie_breaks]
        columns = ("#", "bot", "points", *breaks)
        print_table(table(columns, _lines(course.table, names), folded=("bot",)))
    if course.bracket:
        say("Bracket")
        columns = ("bracket", "played in", "first", "second", "winner")
        rows = [_slot(slot, names) for slot in course.bracket]
        print_table(table(columns, rows, folded=("first", "second", "winner", "played in")))
    if course.HasField("test"):
        say(_test(course.test, names, course.entrants))
    if rounds_count and course.rounds:
        say("Rounds")
        columns = ("round", "first", "second", "credit", "points", "pairs")
        rows = _pairings(course.rounds, names)
        print_table(table(columns, rows, folded=("first", "second"), spare=("points", "credit")))


def _added(pairs: int, rounds: int) -> str:
    if rounds:
        return "1 round" if rounds == 1 else f"{rounds} rounds"
    return f"{'1 pair' if pairs == 1 else f'{pairs} pairs'} of every group"


def _name(entrant: CourseEntrant) -> str:
    return f"{entrant.owner}/{entrant.bot} {entrant.version}"


def _left(entrants: Iterable[CourseEntrant]) -> Iterator[str]:
    for each in entrants:
        if each.left:
            why = f": {printable(each.reason)}" if each.reason else ""
            yield f"{_name(each)} is {each.left}{why}"


def _lines(lines: Sequence[TableLine], names: Names) -> list[tuple[str, ...]]:
    ranks = [str(line.rank) for line in lines]
    bots = [names[line.version_id] for line in lines]
    points = alike(line.points for line in lines)
    values = ([each.value for each in line.tie_breaks] for line in lines)
    breaks = [alike(column) for column in zip(*values, strict=True)]
    return list(zip(ranks, bots, points, *breaks, strict=True))


def _slot(slot: BracketSlot, names: Names) -> tuple[str, ...]:
    first, second = [names.get(each, "nobody") for each in slot.players] or ["-", "-"]
    winner = names.get(slot.winner, "nobody") if slot.decided else "-"
    rounds = ", ".join(map(str, slot.rounds)) or "-"
    return (f"{slot.side} {slot.round}", rounds, first, second, winner)


def _pairings(rounds: Iterable[Round], names: Names) -> list[tuple[str, ...]]:
    met = [each for round in rounds for each in round.encounters]
    credit = decimals(value for each in met for value in each.credits)
    point = decimals(value for each in met for value in each.points)
    rows: list[tuple[str, ...]] = []
    for round in rounds:
        for each in round.encounters:
            first, *others = [names[player] for player in each.players]
            credits, points = _score(each.credits, credit), _score(each.points, point)
            done = f"{each.pairs_done}/{each.pairs_planned}"
            rows.append((str(round.number), first, ", ".join(others), credits, points, done))
        for bye in round.byes:
            free = ("bye", "-", f"{1:.{point}f} : -", "-")
            rows.append((str(round.number), names[bye], *free))
    return rows


def _score(values: Iterable[float], count: int) -> str:
    """What each got, with so many decimals; a dash while there is nothing."""
    return " : ".join(f"{value:.{count}f}" for value in values) or "-"


def _test(seen: TestProgress, names: Names, entrants: Iterable[CourseEntrant]) -> str:
    first, other = [names[each.version_id] for each in entrants] or ["-", "-"]
    verdict = {
        "stronger": f"{first} is stronger than {other}",
        "not stronger": f"{first} is not stronger than {other}",
        "open": f"whether {first} is stronger than {other} is open",
    }[seen.verdict]
    return (
        f"{verdict}: log-likelihood ratio {seen.llr:.2f} of {seen.lower:.2f} to {seen.upper:.2f} "
        f"after {seen.looked} pairs (normalised Elo {seen.rule.elo0:g} or {seen.rule.elo1:g}, "
        f"at most {seen.pairs_at_most} pairs)"
    )
