"""What goes wrong on the command line: one line, the next step, and a documented exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from engine_service.core.errors import BrokenGameError

LINE_SHOWN = 1500
WORD_SHOWN = 80


class Exit(IntEnum):
    """Exit codes of every command."""

    OK = 0
    PROBLEM = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4


class Failure(Exception):
    """Ends a command with one line on stderr."""

    def __init__(self, message: str, code: Exit = Exit.PROBLEM) -> None:
        """The message says what happened and what to do next."""
        super().__init__(message)
        self.message, self.code = message, code


def server_missing() -> Failure:
    """The base installation plays and submits; it serves nothing."""
    return Failure("this needs the server packages: pip install 'interrex[dashboard]'", Exit.USAGE)


class Commands(TyperGroup):
    """A group whose commands end with one line instead of a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command; what is wrong with them is told as in `invoke`."""
        with _told(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a Failure or wrong usage becomes its line and its exit code."""
        with _told(ctx):
            return super().invoke(ctx)


@contextmanager
def _told(ctx: Any) -> Iterator[None]:
    """What goes wrong within is one line on stderr, and typer.Exit with its code."""
    try:
        yield
    except Failure as failure:
        _tell(failure.message)
        raise typer.Exit(failure.code) from failure
    except UnicodeEncodeError as error:
        _tell(f"expected text in UTF-8, got {str(error.object)[:WORD_SHOWN]!r}")
        raise typer.Exit(Exit.USAGE) from error
    except BrokenPipeError:
        raise  # who reads the output has seen enough; Typer ends the command
    except OSError as error:
        place = error.filename or "what is written or read here"
        _tell(f"{place}: {error.strerror or error}; name another file or folder")
        raise typer.Exit(Exit.PROBLEM) from error
    except BrokenGameError as error:
        _tell(f"{error}; mend it, or take its distribution out")
        raise typer.Exit(Exit.PROBLEM) from error
    except typer.TyperException as error:
        message = error.format_message()
        if not message or "\n" in message:  # the help of a group that got no command
            raise
        at = getattr(error, "ctx", None) or ctx
        joint = " See" if message.endswith("?") else "; see"
        _tell(f"{message.rstrip('.')}{joint}: {at.command_path} --help")
        raise typer.Exit(Exit.USAGE) from error


def _tell(message: str) -> None:
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print("[red]error:[/]", end=" ")
    console.print(harmless(" ".join(message.split())), markup=False)


def harmless(line: str) -> str:
    """Nothing that a terminal obeys, and not much: the beginning and the next step at the end."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in line)
    if len(shown) <= LINE_SHOWN:
        return shown
    return f"{shown[: LINE_SHOWN // 2]} ... {shown[-LINE_SHOWN // 2 :]}"
