"""`interrex bot`: a folder to start from, uploads, their checks, and what became of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

import bots
from bots.manifest import FILE, NAME
from cli import terms
from cli.bot_log import show_checks, show_log, state_line
from cli.checks import ACTIVE, wait_until_checked
from cli.client import Arena, connect
from cli.failures import Commands, Exit, Failure
from cli.files import named_path
from cli.home_check import check_folder, packed
from cli.output import plain, print_json, print_table, say, submitted, table, tell
from cli.pages import pages
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from interrex.arena.v1.bot_service_pb2 import (
    BotVersion,
    CheckBotRequest,
    ConfigureBotRequest,
    DisableBotRequest,
    GetBotRequest,
    ListBotsRequest,
)

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Write and submit bots.")

TEMPLATES = Path(bots.__file__).parent / "template"  # a folder for each game

BotFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", parser=named_path, help="The bot's folder.")
]
Version = Annotated[int, typer.Option(min=0, max=MOST, help="0: the newest.")]


@app.command()
def new(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", parser=named_path, help="Folder to make; its name names the bot."
        ),
    ],
    game: terms.Game = "claim",
) -> None:
    """Make a folder with a bot that already plays the game."""
    name, template = folder.name, TEMPLATES / game
    if not NAME.fullmatch(name):
        raise Failure(f"{name!r} is no bot name: use 1 to 40 of a-z, 0-9 and -", Exit.USAGE)
    if game not in (known := sorted(path.name for path in TEMPLATES.iterdir())):
        raise Failure(f"no bot to start from plays {game!r}: use {', '.join(known)}", Exit.USAGE)
    try:
        if folder.exists():
            raise Failure(f"{folder} is already there; choose another name", Exit.REFUSED)
        _copy_template(template, folder, name)
    except OSError as error:
        raise Failure(f"{folder} cannot be made: {error.strerror or error}") from error
    say(f"{folder} is ready; try it with: interrex play {folder} random --game {game}")


def _copy_template(template: Path, folder: Path, name: str) -> None:
    """The template under the bot's name; raises OSError."""
    shutil.copytree(template, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / FILE
    lines = manifest.read_text().splitlines(keepends=True)
    named = [f'name = "{name}"\n' if line.startswith("name ") else line for line in lines]
    manifest.write_text("".join(named))


@app.command()
def submit(
    folder: BotFolder,
    name: Annotated[str, typer.Option(help="Another name than the manifest's.")] = "",
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Leave the check to itself.")] = False,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Upload the folder as the bot's next version and follow its check.

    The same files keep their version. A check that is not passed ends the command with 1.
    """
    archive = packed(folder)
    with connect(data) as arena:
        answer = arena.submit(archive, name)
        text = f"{submitted(answer)} ({answer.version.sha256[:12]})"
        for ladder in answer.finals:
            text += f"\n{ladder} is in its final run: it goes on with the version it began with"
        if no_wait:
            tell(answer, text, as_json)
            return
        if not as_json:
            say(text)
        _follow(arena, answer.version, as_json, {"created": answer.created})


@app.command()
def check(folder: BotFolder, seed: terms.Seed = "", as_json: AsJson = False) -> None:
    """Check the folder on this machine as the arena checks an upload; no arena is needed."""
    found = check_folder(folder, terms.seed(seed))
    if as_json:
        checks = [plain(log) for log in found.checks]
        passed = not found.reason
        told = {"bot": found.bot, "seed": found.seed, "passed": passed, "reason": found.reason}
        print_json({**told, "checks": checks})
    else:
        show_checks(found.checks)
        say(f"seed {found.seed}")
    if found.reason:
        raise Failure(f"{found.bot} would not become active: {found.reason}")
    if not as_json:
        say(f"{found.bot} would become active")


@app.command("list")
def list_(
    everybody: Annotated[bool, typer.Option("--all", help="The bots of everybody.")] = False,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Your bots and their versions, or everybody's; only an owner is told why one does not play."""
    with connect(data) as arena:
        versions = _versions(arena, everybody)
    if as_json:
        print_json([plain(version) for version in versions])
        return
    if not versions:
        say("No bots yet; make one with: interrex bot new my-bot")
        return
    rows = [
        (
            f"{v.owner}/{v.bot}" if everybody else v.bot,
            str(v.version),
            v.state,
            ", ".join(v.games),
            v.sha256[:12],
        )
        for v in versions
    ]
    columns = ("bot", "version", "state", "games", "sha256")
    print_table(table(columns, rows, folded=("bot", "games"), spare=("sha256",)))


@app.command()
def log(
    bot: terms.BotName, version: Version = 0, as_json: AsJson = False, data: Data = DEFAULT_DATA
) -> None:
    """How a version's check went, and the matches it lost by a fault of its own."""
    with connect(data) as arena:
        answer = arena.bots.GetBot(GetBotRequest(bot=bot, version=version))
    if as_json:
        print_json(plain(answer))
    else:
        show_log(answer)


@app.command()
def recheck(
    bot: terms.BotName,
    version: Version = 0,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Leave the check to itself.")] = False,
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let a version that failed or was taken out play its check again."""
    with connect(data) as arena:
        answer = arena.bots.CheckBot(CheckBotRequest(bot=bot, version=version))
        if no_wait:
            tell(answer, state_line(answer.version), as_json)
            return
        _follow(arena, answer.version, as_json, {})


@app.command()
def challenges(
    bot: terms.BotName,
    allow: Annotated[bool, typer.Option("--allow/--refuse", help="New bots allow them.")],
    as_json: AsJson = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Let others challenge a bot of yours, or not; you always can."""
    request = ConfigureBotRequest(bot=bot, challenges=allow)
    with connect(data) as arena:
        answer = arena.bots.ConfigureBot(request)
    who = "everybody" if answer.version.challenges else "nobody but you"
    tell(answer, f"{bot} can be challenged by {who}", as_json)


@app.command()
def disable(
    bot: terms.BotName, version: Version = 0, as_json: AsJson = False, data: Data = DEFAULT_DATA
) -> None:
    """Take a version out; the newest other one that is active plays instead, if there is one."""
    with connect(data) as arena:
        answer = arena.bots.DisableBot(DisableBotRequest(bot=bot, version=version))
        known = _versions(arena)
    name = answer.version.bot
    others = [each.version for each in known if each.bot == name and each.state == ACTIVE]
    plays = f"version {max(others)} plays now" if others else "no version plays now"
    tell(answer, f"{state_line(answer.version)}\n{plays}", as_json)


def _versions(arena: Arena, everybody: bool = False) -> list[BotVersion]:
    """Every version of the caller's bots, or of everybody's."""
    answers = pages(arena.bots.ListBots, ListBotsRequest(all=everybody))
    return [version for answer in answers for version in answer.versions]


def _follow(arena: Arena, version: BotVersion, as_json: bool, said: dict[str, Any]) -> None:
    """Wait for the check and show how it went; raises Failure when the version does not play."""
    (checked,) = wait_until_checked(arena, [version])
    if as_json:
        print_json({**said, **plain(checked)})
    else:
        show_checks(checked.checks)
    if checked.version.state != ACTIVE:
        raise Failure(state_line(checked.version))
    if not as_json:
        say(state_line(checked.version))
