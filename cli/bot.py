"""`interrex bot`: a folder to start from, uploads, and what was uploaded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

import bots
from bots.manifest import FILE, NAME, ManifestError, load
from bots.packing import PackingError, pack
from cli.client import connect
from cli.failures import Commands, Exit, Failure
from cli.output import plain, print_json, print_table, say, submitted, table, tell
from cli.profile import DEFAULT_DATA, AsJson, Data
from interrex.arena.v1.bot_service_pb2 import ListBotsRequest

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Write and submit bots.")

TEMPLATE = Path(bots.__file__).parent / "template" / "python"


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Folder to make; its name names the bot.")],
) -> None:
    """Make a folder with a bot that already plays."""
    name = folder.name
    if not NAME.fullmatch(name):
        raise Failure(f"{name!r} is no bot name: use 1 to 40 of a-z, 0-9 and -", Exit.USAGE)
    try:
        if folder.exists():
            raise Failure(f"{folder} is already there; choose another name", Exit.REFUSED)
        _copy_template(folder, name)
    except OSError as error:
        raise Failure(f"{folder} cannot be made: {error.strerror or error}") from error
    say(f"{folder} is ready; try it with: interrex play {folder} random")


def _copy_template(folder: Path, name: str) -> None:
    """The template under the bot's name; raises OSError."""
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / FILE
    lines = manifest.read_text().splitlines(keepends=True)
    named = [f'name = "{name}"\n' if line.startswith("name ") else line for line in lines]
    manifest.write_text("".join(named))


@app.command()
def submit(
    folder: Annotated[Path, typer.Argument(help="The bot's folder.")],
    name: Annotated[str, typer.Option(help="Another name than the manifest's.")] = "",
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Upload the folder as the bot's next version; the same files keep their version."""
    try:
        load(folder)
        archive = pack(folder)
    except (ManifestError, PackingError) as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{error.filename} cannot be read: {error.strerror}") from error
    with connect(data) as arena:
        answer = arena.submit(archive, name)
    tell(answer, f"{submitted(answer)} ({answer.version.sha256[:12]})", as_json)


@app.command("list")
def list_(as_json: AsJson = False, data: Data = DEFAULT_DATA) -> None:
    """Your bots and their versions."""
    with connect(data) as arena:
        answer = arena.bots.ListBots(ListBotsRequest())
    if as_json:
        print_json([plain(version) for version in answer.versions])
        return
    rows = [
        (v.bot, str(v.version), ", ".join(v.games), v.sha256[:12], v.id) for v in answer.versions
    ]
    if not rows:
        say("No bots yet; make one with: interrex bot new my-bot")
        return
    print_table(table(("bot", "version", "games", "sha256", "id"), rows))
