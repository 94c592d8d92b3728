"""The command `interrex`. Exit codes: 0 ok, 1 problem found, 2 usage, 3 not reachable, 4 refused."""

from __future__ import annotations

from importlib.metadata import version as installed_version

import typer

from cli import bot, ladder, replay, user
from cli.demo import demo
from cli.failures import Commands
from cli.output import say
from cli.play import play
from cli.up import up

EXIT_CODES = (
    "Exit codes: 0 ok, 1 a problem was found, 2 wrong usage, 3 a service is not reachable, "
    "4 refused."
)

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="An arena for board-game bots.",
    epilog=EXIT_CODES,
)
app.add_typer(user.app, name="user")
app.add_typer(bot.app, name="bot")
app.add_typer(ladder.app, name="ladder")
app.add_typer(replay.app, name="replay")
app.command()(play)
app.command()(up)
app.command()(demo)


@app.command()
def version() -> None:
    """The installed version."""
    say(f"interrex {installed_version('interrex')}")


def run() -> None:
    """Entry point of the script."""
    app()


if __name__ == "__main__":
    run()
