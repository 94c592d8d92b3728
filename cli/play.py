"""`interrex play`: pairs at home, with the arena's own runner, sandbox and clocks."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

import bots
from bots.manifest import FILE, ManifestError
from cli import terms
from cli.failures import Exit, Failure
from cli.files import named_path
from cli.home import home_runtime
from cli.output import print_json, say
from cli.profile import AsJson
from cli.replay import Legal
from cli.tally import Tally, told_apart
from engine_service.catalogue import game as find_game
from engine_service.client import LocalEngine
from engine_service.core.errors import RulesError, UnknownGameError
from workers.match.local import LocalOutcome, play_pairs

MAX_PAIRS = 100_000
BASELINES = Path(bots.__file__).parent / "baselines"


def play(
    players: Annotated[
        list[str],
        typer.Argument(metavar="BOT BOT...", help="Folders or names of baselines, one per seat."),
    ],
    game: Annotated[str, typer.Option(help="Which game.")] = "claim",
    option: terms.Options = None,
    pairs: Annotated[
        int, typer.Option(min=1, max=MAX_PAIRS, help="Each is played with every seating.")
    ] = 10,
    seed: terms.Seed = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", parser=named_path, help="Folder for the replays."),
    ] = None,
    legal: Legal = False,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other on this machine; no arena is needed."""
    if len(players) < 2:
        raise Failure("expected one bot for each seat, two at least", Exit.USAGE)
    key, options = terms.seed(seed), terms.options(option)
    _check_game(game)
    tally = Tally(told_apart(players), _folder(out), legal)
    folders = list(map(find_bot, players))
    with home_runtime() as runtime, _told(), _bar(pairs * len(folders)) as (bar, task):

        def count(local: LocalOutcome) -> None:
            faults = tally.add(local)
            if faults and not as_json:
                bar.stop()  # a line is written where the bar stands
                say("\n".join(faults))
                bar.start()
            bar.update(task, advance=1, refresh=True)

        play_pairs(folders, game, options, pairs, key, LocalEngine(), runtime, count)
    if as_json:
        print_json({"game": game, "pairs": pairs, "seed": key, **tally.plain()})
    else:
        say(tally.summary())
        say(f"seed {key}")
    if problem := tally.unplayed():
        raise Failure(problem)


def _folder(out: Path | None) -> Path | None:
    """The folder for the replays, made; raises Failure."""
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"--out {out}: not a usable folder ({error.strerror})") from error
    return out


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """What is wrong with the bots or the options becomes a Failure."""
    try:
        yield
    except (ManifestError, RulesError) as error:
        raise Failure(str(error), Exit.USAGE) from error
    except shutil.Error as error:
        path, _, why = error.args[0][0]
        raise Failure(f"{path} cannot be copied: {why}") from error


def find_bot(name: str) -> Path:
    """A folder, else a baseline of that name."""
    baseline = BASELINES / name.replace("-", "_")
    with contextlib.suppress(OSError):  # what cannot be looked at, or is no name, is no bot
        if (Path(name) / FILE).is_file():
            return Path(name)
        if "/" not in name and (baseline / FILE).is_file():
            return baseline
    known = ", ".join(sorted(p.parent.name.replace("_", "-") for p in BASELINES.glob(f"*/{FILE}")))
    raise Failure(
        f"{name[:80]!r} is no folder with a {FILE} and no baseline; baselines: {known}", Exit.USAGE
    )


@contextlib.contextmanager
def _bar(total: int) -> Iterator[tuple[Progress, TaskID]]:
    """A bar of matches on stderr, where that is a terminal."""
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        auto_refresh=False,  # it would need a thread, and bots are started by forks
    ) as bar:
        yield bar, bar.add_task("matches", total=total)


def _check_game(name: str) -> None:
    """Raises Failure for a game that there is not, before a bot is blamed for it."""
    try:
        find_game(name)
    except UnknownGameError as error:
        raise Failure(f"--{error}", Exit.USAGE) from error
