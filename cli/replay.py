"""`interrex replay`: fetch replay files and check them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cli.annotations import annotate
from cli.client import connect
from cli.failures import Commands, Exit, Failure, harmless
from cli.files import named_path
from cli.listing import BOUND
from cli.output import plain, print_json, print_table, say, table
from cli.profile import DEFAULT_DATA, AsJson, Data
from engine_service.client import LocalEngine, Verdict
from engine_service.core import replay as replay_file
from engine_service.core.replay import MAX_BYTES
from interrex.arena.v1.replay_service_pb2 import GetReplayRequest, ListMatchesRequest, Match, Player

NOTHING = "''"  # as an empty name is typed

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Replay files.")

Legal = Annotated[bool, typer.Option("--legal", help="Add the legal actions to every ply.")]
Views = Annotated[bool, typer.Option("--views", help="Add what each seat saw to every ply.")]


@app.command("list")
def list_(
    ladder: Annotated[str, typer.Option(help="Only of this ladder.")] = "",
    tournament: Annotated[str, typer.Option(help="Only of this tournament.")] = "",
    count: Annotated[int, typer.Option(min=1, max=200, help="How many.")] = 20,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Matches with their ids, the newest slot or tournament first."""
    with connect(data) as arena:
        request = ListMatchesRequest(ladder=ladder, tournament=tournament, page_size=count)
        matches = arena.replays.ListMatches(request).matches
    if as_json:
        print_json([plain(match) for match in matches])
        return
    if not matches:
        say("No matches yet; make a slot due with: interrex ladder run-now LADDER")
        return
    columns = ("id", "pair", "leg", "state", "players (rank)", "ending", "plies")
    rows = [_row(match) for match in matches]
    folded, spare = ("players (rank)",), ("state", "plies", "leg", "pair")
    print_table(table(columns, rows, folded, spare))


@app.command()
def export(
    match: Annotated[str, typer.Argument(metavar="ID", help="Id of the match.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE", parser=named_path, help="File to write."),
    ],
    legal: Legal = False,
    views: Views = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Write the replay of a match to a file."""
    content = _fetch(match, data)
    if legal or views:
        verdict = _verify(content)
        if not verdict.ok:
            raise Failure(f"match {match}: {_problem(verdict)}; export it without --legal --views")
        content = replay_file.write(annotate(json.loads(content), legal=legal, views=views))
    write(output, content)
    say(f"{output}: {len(content)} bytes")


@app.command()
def verify(
    replays: Annotated[list[str], typer.Argument(metavar="FILE|ID...", help="Files or match ids.")],
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Play replays again by the rules; ends with 1 when one of them does not hold."""
    verdicts, codes = [], []
    for name in replays:
        verdict, code = _judged(name, data)
        codes.append(code)
        verdicts.append({"replay": name, **vars(verdict)})
        if not as_json:
            unread = code not in (Exit.OK, Exit.PROBLEM)
            said = f"not checked: {verdict.problem}" if unread else _outcome(verdict)
            typer.echo(harmless(f"{name or NOTHING}: {said}"), err=unread)
    if as_json:
        print_json(verdicts)
    if any(codes):
        raise typer.Exit(codes[0] if len(codes) == 1 else Exit.PROBLEM)


def write(path: Path, content: bytes) -> None:
    """Write a file; raises Failure when that cannot be done."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def _row(match: Match) -> tuple[str, ...]:
    return (
        match.id,
        str(match.pair),
        str(match.leg),
        match.state,
        f"{BOUND}v. ".join(_player(player) for player in match.players),
        match.ending or "-",
        str(match.plies) if match.ending else "-",
    )


def _player(player: Player) -> str:
    rank = f"{BOUND}({player.rank})" if player.HasField("rank") else ""
    return f"{player.owner}/{player.bot}{BOUND}{player.version}{rank}"


def _judged(name: str, data: Path) -> tuple[Verdict, Exit]:
    """The verdict on a file or a match; what cannot be read does not hold, and says why."""
    try:
        verdict = _verify(_content(name, data))
    except Failure as failure:
        return Verdict(False, "", 0, "", failure.message, None), failure.code
    return verdict, Exit.OK if verdict.ok else Exit.PROBLEM


def _verify(content: bytes) -> Verdict:
    return LocalEngine().verify(content)


def _content(name: str, data: Path) -> bytes:
    """A file when there is one of that name or it looks like one, else the match with that id."""
    if not name:
        raise Failure("expected a file, or the id of a match: interrex replay list", Exit.USAGE)
    path = Path(name)
    if path.suffix == ".json" or path.exists() or "/" in name:
        try:
            with path.open("rb") as file:
                return file.read(MAX_BYTES + 1)  # what is longer is refused as too long
        except OSError as error:
            raise Failure(f"{name} cannot be read: {error.strerror}", Exit.USAGE) from error
    return _fetch(name, data)


def _fetch(match: str, data: Path) -> bytes:
    with connect(data) as arena:
        return arena.replays.GetReplay(GetReplayRequest(match_id=match)).replay


def _outcome(verdict: Verdict) -> str:
    if verdict.ok:
        return f"ok, {verdict.game}, {verdict.plies} plies, digest {verdict.digest[:16]}"
    return _problem(verdict)


def _problem(verdict: Verdict) -> str:
    where = "" if verdict.ply is None else f"ply {verdict.ply}: "
    return f"does not hold: {where}{verdict.problem}"
