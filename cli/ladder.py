"""`interrex ladder`: make, enter, leave, watch."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import exports, terms
from cli.checks import CHECKING
from cli.client import connect, new_key
from cli.failures import Commands
from cli.output import plain, print_json, print_table, say, table, tell
from cli.pages import pages
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from cli.standings import standings_table
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    EnterLadderRequest,
    Ladder,
    LeaveLadderRequest,
    ListLaddersRequest,
    ListSlotsRequest,
    RunLadderNowRequest,
    ShowLadderResponse,
    Slot,
)
from interrex.arena.v1.tournament_service_pb2 import RunFinalRequest

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Ladders: standings that continue.")

LadderName = Annotated[str, typer.Argument(metavar="LADDER", help="Name or id of the ladder.")]


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the ladder.")],
    game: terms.Game = "claim",
    option: terms.Options = None,
    seats: terms.Seats = 0,
    cron: Annotated[str, typer.Option(help="When a slot is played; empty: every hour.")] = "",
    timezone: Annotated[str, typer.Option(help="IANA time zone of the schedule.")] = "UTC",
    pairs: Annotated[
        int | None,
        typer.Option(min=1, max=MOST, help="Pairs of every group of bots in a slot; without it 5."),
    ] = None,
    start_cpu_ms: terms.StartCpu = 0,
    move_cpu_ms: terms.MoveCpu = 0,
    bank_cpu_ms: terms.BankCpu = 0,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Make a ladder."""
    request = CreateLadderRequest(
        name=name,
        game=game,
        options_json=terms.options_json(option),
        seats=seats,
        cron=cron,
        timezone=timezone,
        pairs_per_slot=pairs or 0,
        limits=terms.limits(start_cpu_ms, move_cpu_ms, bank_cpu_ms),
        request_key=new_key(),
    )
    with connect(data) as arena:
        ladder = arena.ladders.CreateLadder(request).ladder
    text = f"{ladder.name} is ready; enter a bot with: interrex ladder enter {ladder.name} BOT"
    tell(ladder, text, as_json)


@app.command()
def enter(
    ladder: LadderName, bot: terms.BotName, as_json: AsJson = False, data: Data = DEFAULT_DATA
) -> None:
    """Enter a bot; its newest active version plays from the next slot on."""
    request = EnterLadderRequest(ladder=ladder, bot=bot)
    with connect(data) as arena:
        answer = arena.ladders.EnterLadder(request)
    begins = "once its check is passed" if answer.state == CHECKING else "from the next slot on"
    tell(answer, f"{bot} version {answer.version} plays on {ladder} {begins}", as_json)


@app.command()
def leave(ladder: LadderName, bot: terms.BotName, data: Data = DEFAULT_DATA) -> None:
    """Take a bot out; a slot that runs is played to its end."""
    with connect(data) as arena:
        request = LeaveLadderRequest(ladder=ladder, bot=bot)
        arena.ladders.LeaveLadder(request)
    say(f"{bot} has left {ladder}")


@app.command("run-now")
def run_now(ladder: LadderName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Make the next slot due now (for the owner of the ladder)."""
    with connect(data) as arena:
        request = RunLadderNowRequest(ladder=ladder)
        due = arena.ladders.RunLadderNow(request).ladder
    text = f"{ladder} is due; watch it with: interrex ladder show {ladder}"
    tell(due, text, as_json)


@app.command()
def final(
    ladder: LadderName,
    budget: Annotated[
        int, typer.Option(min=0, max=MOST, help="Pairs in all at most; 0: the arena's default.")
    ] = 0,
    steps: Annotated[
        int, typer.Option(min=0, max=MOST, help="Steps at most; 0: the arena's default.")
    ] = 0,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Begin the final run: the field is cut in steps, the ladder rests (for its owner)."""
    request = RunFinalRequest(ladder=ladder, budget=budget, steps=steps, request_key=new_key())
    with connect(data) as arena:
        begun = arena.tournaments.RunFinal(request).tournament
    text = f"{begun.name} runs with {begun.entrants} bots, entries of {begun.ladder} are closed; "
    tell(begun, text + f"watch it with: interrex tournament watch {begun.name}", as_json)


@app.command()
def show(ladder: LadderName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """The standings."""
    with connect(data) as arena:
        answer = arena.show(ladder)
    if as_json:
        print_json(plain(answer))
        return
    say(_about(answer))
    if answer.standings:
        print_table(standings_table(answer.standings, answer.ladder.seats))
    else:
        say(f"Nobody has played yet; enter a bot with: interrex ladder enter {ladder} BOT")


@app.command("list")
def list_(as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """All ladders."""
    with connect(data) as arena:
        answers = list(pages(arena.ladders.ListLadders, ListLaddersRequest()))
    ladders = [ladder for answer in answers for ladder in answer.ladders]
    if as_json:
        print_json([plain(ladder) for ladder in ladders])
        return
    if not ladders:
        say("No ladders yet; make one with: interrex ladder create NAME")
        return
    columns = ("ladder", "game", "seats", "cron", "timezone", "next slot")
    rows = [_ladder_row(ladder) for ladder in ladders]
    print_table(table(columns, rows, folded=("game",), spare=("seats", "timezone", "cron")))


@app.command()
def slots(ladder: LadderName, as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """The slots: what was committed to, and the keys of complete ones, so that all can check."""
    with connect(data) as arena:
        answer = arena.ladders.ListSlots(ListSlotsRequest(ladder=ladder))
    if as_json:
        print_json([plain(slot) for slot in answer.slots])
        return
    for slot in answer.slots:
        say(_slot_text(slot))


app.command("export")(exports.export_ladder)
app.command()(exports.audit)
app.command()(exports.publish)


def _about(answer: ShowLadderResponse) -> str:
    ladder = answer.ladder
    played = f"{answer.pairs_done} of {answer.pairs_planned} pairs played"
    about = f"{ladder.name}: {terms.game(ladder)}, {ladder.seats} seats; {played}"
    if not ladder.final:
        return about
    return f"{about}\nin its final run: interrex tournament watch {ladder.final}"


def _slot_text(slot: Slot) -> str:
    lines = [
        f"slot {slot.number} ({slot.state}), event {slot.event}",
        f"  commitment {slot.commitment}",
        f"  entrants   {slot.entrants_digest or 'open'}",
        f"  key        {slot.key or 'secret until every match has a result'}",
    ]
    return "\n".join(lines)


def _ladder_row(ladder: Ladder) -> tuple[str, ...]:
    due = ladder.next_due.ToJsonString() if ladder.HasField("next_due") else "-"
    return (ladder.name, terms.game(ladder), str(ladder.seats), ladder.cron, ladder.timezone, due)
