"""`interrex tournament`: create, enter, start, watch."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import exports, terms
from cli.checks import CHECKING
from cli.client import Arena, connect, new_key
from cli.failures import Commands
from cli.output import plain, print_json, print_table, say, table, tell, warn
from cli.pages import pages
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from cli.tournament_course import (
    TournamentName,
    course_of,
    disqualify,
    extend,
    pause,
    resume,
    withdraw,
)
from cli.tournament_text import before_start, print_tournament
from cli.watching import ENDED, follow
from interrex.arena.v1.tournament_service_pb2 import (
    CancelTournamentRequest,
    CreateTournamentRequest,
    CreateTournamentResponse,
    EnterTournamentRequest,
    LeaveTournamentRequest,
    ListTournamentsRequest,
    ShowTournamentRequest,
    ShowTournamentResponse,
    Sprt,
    StartTournamentRequest,
    Tournament,
)

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Tournaments: entered, played, closed.")

COLUMNS = tuple("tournament owner game seats format bots pairs state created".split())


Pairs = Annotated[
    int | None,
    typer.Option(min=1, max=MOST, help="Pairs of every group of bots; without it 5."),
]
Format = Annotated[
    str,
    typer.Option(help="round_robin, gauntlet, swiss, double_elimination or test: who meets whom."),
]
Rounds = Annotated[
    int, typer.Option(min=0, max=MOST, help="Of a swiss tournament; 0: enough for one winner.")
]
Challengers = Annotated[
    list[str] | None,
    typer.Option(help="Of a gauntlet: OWNER/BOT or a bot of yours; any number of times."),
]
Seeding = Annotated[
    str, typer.Option(help="Of a double elimination: the ladder whose ratings seed.")
]
Bounds = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="ELO0 ELO1",
        help="Of a test: stop when one of the two, in normalised Elo, is shown.",
    ),
]


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the tournament.")],
    game: terms.Game = "claim",
    option: terms.Options = None,
    seats: terms.Seats = 0,
    pairs: Pairs = None,
    format: Format = "round_robin",
    rounds: Rounds = 0,
    challenger: Challengers = None,
    seeding: Seeding = "",
    sprt: Bounds = None,
    webhook: terms.Webhook = "",
    start_cpu_ms: terms.StartCpu = 0,
    move_cpu_ms: terms.MoveCpu = 0,
    bank_cpu_ms: terms.BankCpu = 0,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Make a tournament; its entries are open until you start it."""
    request = CreateTournamentRequest(
        name=name,
        game=game,
        options_json=terms.options_json(option),
        seats=seats,
        pairs=pairs or 0,
        format=format.replace("-", "_"),
        limits=terms.limits(start_cpu_ms, move_cpu_ms, bank_cpu_ms),
        rounds=rounds,
        challengers=challenger or (),
        seeding=seeding,
        sprt=None if sprt is None else Sprt(elo0=sprt[0], elo1=sprt[1]),
        webhook_url=webhook,
        request_key=new_key(),
    )
    with connect(data) as arena:
        answer = arena.tournaments.CreateTournament(request)
    if as_json:
        print_json({**plain(answer.tournament), "webhook_secret": answer.webhook_secret})
    else:
        say(_created(answer))


@app.command()
def enter(
    tournament: TournamentName,
    bot: terms.BotName,
    version: Annotated[
        int, typer.Option(min=0, max=MOST, help="0: the newest that is active at the start.")
    ] = 0,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Enter a bot; with numbers several versions of it."""
    request = EnterTournamentRequest(tournament=tournament, bot=bot, version=version)
    with connect(data) as arena:
        answer = arena.tournaments.EnterTournament(request)
    plays = "plays if its check is passed at the start" if answer.state == CHECKING else "plays"
    tell(answer, f"{bot} version {answer.version} {plays} in {tournament}", as_json)


@app.command()
def leave(tournament: TournamentName, bot: terms.BotName, data: Data = DEFAULT_DATA) -> None:
    """Take a bot out while entries are open."""
    with connect(data) as arena:
        request = LeaveTournamentRequest(tournament=tournament, bot=bot)
        arena.tournaments.LeaveTournament(request)
    say(f"{bot} has left {tournament}")


@app.command()
def start(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Close the entries and play (for the owner of the tournament)."""
    with connect(data) as arena:
        request = StartTournamentRequest(tournament=tournament)
        started = arena.tournaments.StartTournament(request).tournament
    text = f"{started.name} runs with {started.entrants} bots; watch it with: "
    text += f"interrex tournament watch {started.name}"
    if started.state in ENDED:
        text = f"{started.name} is complete: {started.entrants} bots make no match"
    tell(started, text, as_json)


@app.command()
def cancel(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """End it now; what was played stays (for the owner of the tournament)."""
    with connect(data) as arena:
        request = CancelTournamentRequest(tournament=tournament)
        cancelled = arena.tournaments.CancelTournament(request).tournament
    tell(cancelled, f"{cancelled.name} is cancelled; what was played stays", as_json)


@app.command()
def show(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """How far it is, what it was committed to, rounds, bracket and standings."""
    with connect(data) as arena:
        answer, course = _show(arena, tournament), course_of(arena, tournament)
    print_tournament(answer, course, as_json)


@app.command()
def watch(tournament: TournamentName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Its progress until it ends, then the standings."""
    with connect(data) as arena:
        shown = _show(arena, tournament).tournament  # an unknown one is told before a bar is drawn
        if shown.state == "open":
            warn(before_start(shown))
        follow(arena, tournament, "interrex tournament watch")
        answer, course = _show(arena, tournament), course_of(arena, tournament)
    print_tournament(answer, course, as_json)


@app.command("list")
def list_(as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """All tournaments, the newest first."""
    with connect(data) as arena:
        answers = list(pages(arena.tournaments.ListTournaments, ListTournamentsRequest()))
    tournaments = [tournament for answer in answers for tournament in answer.tournaments]
    if as_json:
        print_json([plain(tournament) for tournament in tournaments])
        return
    if not tournaments:
        say("No tournaments yet; make one with: interrex tournament create NAME")
        return
    rows = [_row(tournament) for tournament in tournaments]
    spare = ("created", "pairs", "seats", "owner")
    print_table(table(COLUMNS, rows, folded=("game", "format"), spare=spare))


for command in (pause, resume, extend, withdraw, disqualify):
    app.command()(command)
app.command("export")(exports.export_tournament)
app.command()(exports.audit)
app.command()(exports.publish)


def _created(answer: CreateTournamentResponse) -> str:
    made = answer.tournament
    lines = [
        f"{made.name} is open; enter a bot with: interrex tournament enter {made.name} BOT",
        f"commitment {made.commitment}",
    ]
    return "\n".join(lines + terms.webhook_line(answer.webhook_secret))


def _show(arena: Arena, tournament: str) -> ShowTournamentResponse:
    return arena.tournaments.ShowTournament(ShowTournamentRequest(tournament=tournament))


def _row(shown: Tournament) -> tuple[str, ...]:
    return (
        shown.name,
        shown.owner,
        terms.game(shown),
        str(shown.seats),
        shown.format.replace("_", " "),
        str(shown.entrants),
        str(shown.pairs),
        shown.state,
        shown.created_at.ToJsonString(),
    )
