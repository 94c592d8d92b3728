"""`interrex challenge`: unrated series of one of your bots against others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from arena_service.figures import POINTS, alike, record_heading
from cli import terms
from cli.addresses import dashboard_address
from cli.client import Arena, connect, new_key
from cli.failures import Commands
from cli.output import plain, print_json, print_table, say, table
from cli.pages import pages
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from cli.standings import credit_of
from cli.watching import follow, left
from interrex.arena.v1.challenge_service_pb2 import (
    ChallengeSide,
    CreateChallengeRequest,
    ListChallengesRequest,
    ShowChallengeRequest,
    ShowChallengeResponse,
)
from interrex.arena.v1.replay_service_pb2 import Match
from interrex.arena.v1.tournament_service_pb2 import Tournament

app = typer.Typer(
    cls=Commands, no_args_is_help=True, help="Challenges: unrated series against chosen bots."
)

ChallengeName = Annotated[
    str, typer.Argument(metavar="CHALLENGE", help="Name or id of the challenge.")
]


@app.command()
def start(
    bot: terms.BotName,
    opponents: Annotated[
        list[str],
        typer.Argument(
            metavar="OPPONENT...", help="OWNER/BOT or a bot of yours; one for each other seat."
        ),
    ],
    game: Annotated[str, typer.Option(help="Empty: the first that all of them play.")] = "",
    option: terms.Options = None,
    pairs: Annotated[int, typer.Option(min=0, max=MOST, help="0: the arena's default.")] = 0,
    start_cpu_ms: terms.StartCpu = 0,
    move_cpu_ms: terms.MoveCpu = 0,
    bank_cpu_ms: terms.BankCpu = 0,
    webhook: terms.Webhook = "",
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Leave it to itself.")] = False,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let a bot of yours play others that are active and open to challenges; then its summary."""
    request = CreateChallengeRequest(
        bot=bot,
        opponents=opponents,
        game=game,
        options_json=terms.options_json(option),
        pairs=pairs,
        limits=terms.limits(start_cpu_ms, move_cpu_ms, bank_cpu_ms),
        webhook_url=webhook,
        request_key=new_key(),
    )
    with connect(data) as arena:
        answer = arena.challenges.CreateChallenge(request)
        made, secret = answer.challenge, answer.webhook_secret
        if no_wait and as_json:
            print_json({**plain(made), "webhook_secret": secret})
            return
        if not as_json:
            lines = [f"{made.name}: {_terms(made)}; commitment {made.commitment}"]
            say("\n".join(lines + terms.webhook_line(secret)))
        if no_wait:
            say(f"See what it comes to with: interrex challenge show {made.name}")
            return
        follow(arena, made.name, "interrex challenge show")
        _print(_show(arena, made.name), as_json, data)


@app.command()
def show(challenge: ChallengeName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """What it came to so far: points, interval, faults and replays."""
    with connect(data) as arena:
        _print(_show(arena, challenge), as_json, data)


@app.command("list")
def list_(as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """All challenges, the newest first."""
    with connect(data) as arena:
        answers = list(pages(arena.challenges.ListChallenges, ListChallengesRequest()))
    challenges = [challenge for answer in answers for challenge in answer.challenges]
    if as_json:
        print_json([plain(challenge) for challenge in challenges])
        return
    if not challenges:
        say("No challenges yet; make one with: interrex challenge start BOT OWNER/BOT")
        return
    rows = [
        (each.name, each.owner, terms.game(each), str(each.pairs), each.state)
        for each in challenges
    ]
    print_table(table(("challenge", "by", "game", "pairs", "state"), rows, folded=("game",)))


def _show(arena: Arena, challenge: str) -> ShowChallengeResponse:
    return arena.challenges.ShowChallenge(ShowChallengeRequest(challenge=challenge))


def _print(answer: ShowChallengeResponse, as_json: bool, data: Path) -> None:
    if as_json:
        print_json(plain(answer))
        return
    for line in _about(answer):
        say(line)
    points = alike(side.points for side in answer.sides)
    sides = list(map(_side, answer.sides, points))
    record = record_heading(answer.challenge.seats)
    heads = ("bot", "version", "pairs", record, "points", "credit", "faults")
    print_table(table(heads, sides, folded=("bot",), spare=("version", "faults", "pairs")))
    if answer.pentanomial:
        counted = ", ".join(map("{} of {}".format, answer.pentanomial, POINTS))
        say(f"Pairs of {_name(answer.sides[0])} by their points: {counted}")
    if answer.matches:
        page = dashboard_address(data)
        columns = ("pair", "leg", "result", "replay")
        print_table(table(columns, list(_matches(answer, page)), folded=("result",)))
        if page:
            say(f"Open a replay at: {page}/match?replay=ID")


def _about(answer: ShowChallengeResponse) -> Iterator[str]:
    shown, progress = answer.challenge, answer.progress
    text = f"{shown.name} is {shown.state}: {progress.pairs_done} of {progress.pairs_planned} pairs"
    yield f"{text} played, {left(progress)}" if left(progress) else f"{text} played"
    yield _terms(shown)
    yield f"commitment {shown.commitment}"
    if shown.key:
        yield f"key        {shown.key}"


def _terms(shown: Tournament) -> str:
    return f"{terms.game(shown)}, {shown.seats} seats, unrated"


def _name(side: ChallengeSide) -> str:
    return f"{side.standing.owner}/{side.standing.bot}"


def _side(side: ChallengeSide, points: str) -> tuple[str, ...]:
    row = side.standing
    return (
        _name(side),
        str(row.version),
        str(row.pairs),
        f"{row.wins}-{row.draws}-{row.losses}",
        points,
        credit_of(row),
        str(row.faults),
    )


def _matches(answer: ShowChallengeResponse, page: str) -> Iterator[tuple[str | Text, ...]]:
    """A terminal that can opens the page of a replay, where a dashboard is known."""
    for match in answer.matches:
        replay = Text(match.id, style=f"link {page}/match?replay={match.id}" if page else "")
        yield (str(match.pair), str(match.leg), _result(match), replay)


def _result(match: Match) -> str:
    ranked = ", ".join(_ranked(match))
    how = "" if match.ending == "completed" else f", {match.ending.replace('_', ' ')}"
    return f"{ranked}{how}"


def _ranked(match: Match) -> Sequence[str]:
    return [
        f"{player.owner}/{player.bot} {player.credit:g}"
        if player.HasField("credit")
        else player.bot
        for player in match.players
    ]
