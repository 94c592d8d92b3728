"""`interrex tournament|ladder export`, `audit`, `publish`: competitions as files, their proof."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from cli.client import connect
from cli.failures import Exit, Failure, server_missing
from cli.files import READABLE, named_path, whole_file
from cli.output import print_json, say
from cli.profile import DEFAULT_DATA, MOST, AsJson, Data
from interrex.arena.v1.export_service_pb2 import (
    ExportLadderRequest,
    ExportLadderResponse,
    ExportTournamentRequest,
    ExportTournamentResponse,
)

if TYPE_CHECKING:
    from arena_service.doctor.report import Report

SECONDS = 600.0
NEEDED = ("numpy", "scipy")  # to fit ratings again

Name = Annotated[str, typer.Argument(metavar="ID", help="Name or id.")]
Output = Annotated[
    Path, typer.Option("-o", "--output", parser=named_path, help="File to write: ID.jsonl.gz")
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", parser=named_path, help="What `export` has written.")
]
Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", parser=named_path, help="Folder to write.")
]
Slot = Annotated[int, typer.Option(min=0, max=MOST, help="Only this slot; 0: all complete ones.")]


def export_tournament(name: Name, output: Output, data: Data = DEFAULT_DATA) -> None:
    """Write a tournament that has ended to a file that anybody can audit."""
    with connect(data) as arena:
        request = ExportTournamentRequest(tournament=name)
        _save(output, "tournament", arena.exports.ExportTournament(request, timeout=SECONDS))


def export_ladder(name: Name, output: Output, slot: Slot = 0, data: Data = DEFAULT_DATA) -> None:
    """Write the complete slots of a ladder to a file that anybody can audit."""
    with connect(data) as arena:
        request = ExportLadderRequest(ladder=name, slot=slot)
        _save(output, "ladder", arena.exports.ExportLadder(request, timeout=SECONDS))


def audit(file: File, as_json: AsJson = False) -> None:
    """Prove an exported file: seeds, pairings, replays, ratings; ends with 1 if one fails.

    It needs no arena: everything follows from the file, its revealed keys and the rules.
    """
    if not all(map(find_spec, NEEDED)):
        raise server_missing()
    report = _audited(file)
    if as_json:
        print_json(report.to_plain())
    else:
        from cli.proofs import show

        show(report)
    if not report.is_clean:
        raise typer.Exit(Exit.PROBLEM)


def publish(file: File, folder: Folder) -> None:
    """Make an exported file that holds a folder for the web: page, tables, and itself."""
    from arena_service.audit.files import ExportError
    from arena_service.publishing import publish as write

    if not _audited(file).is_clean:
        raise Failure(f"{file} does not hold, nothing is written; see what audit says of it")
    try:
        written = write(file, folder)
    except ExportError as error:
        raise Failure(f"{file} is no export: {error}") from error
    except OSError as error:
        place = error.filename or folder
        raise Failure(f"{place} cannot be used: {error.strerror}", Exit.USAGE) from error
    say(f"{folder}: {', '.join(path.name for path in written)}")


def _save(
    path: Path,
    kind: str,
    answers: Iterable[ExportTournamentResponse | ExportLadderResponse],
) -> None:
    with whole_file(path, READABLE) as file:
        for answer in answers:
            file.write(answer.chunk)
    size = path.stat().st_size
    say(f"{path}: {size} bytes; prove it with: interrex {kind} audit {path}")


def _audited(file: Path) -> Report:
    """With a count on stderr, where that is a terminal."""
    from arena_service.audit.examine import audit
    from arena_service.audit.files import ExportError

    console = Console(stderr=True)
    try:
        with console.status("matches") as status:
            return audit(file, lambda done: status.update(f"matches {done}"))
    except ExportError as error:
        raise Failure(f"{file} is no export: {error}") from error
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}", Exit.USAGE) from error
