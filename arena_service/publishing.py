"""An exported competition as files for the web: a page, tables as CSV, and the export itself."""

from __future__ import annotations

import csv
import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TextIO

from arena_service.audit import documents as d
from arena_service.audit.files import ExportError, read
from arena_service.figures import record_heading, signed
from arena_service.verdicts import printable

PAGE, STANDINGS, MATCHES = "index.html", "standings.csv", "matches.csv"
STANDING_HEADS = (
    "rank",
    "bot",
    "version",
    "pairs",
    "won",
    "drawn",
    "lost",
    "credit",
    "credit_low",
    "credit_high",
    "rating",
    "error",
    "faults",
)
MATCH_HEADS = (
    "match",
    "slot",
    "pair",
    "leg",
    "seat",
    "bot",
    "version",
    "rank",
    "credit",
    "ending",
    "at_fault",
    "annulled",
)
EVENT_HEADS = ("state", "commitment", "revealed key")
STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid #8886}"
    "div,pre{overflow-x:auto}.figures{white-space:nowrap}"
    "code,.keys td:nth-last-child(-n+2){overflow-wrap:anywhere}"
    ":root{color-scheme:light dark}"
)


@dataclass
class _Read:
    """What the page needs of the file."""

    name: str = ""
    kind: str = ""
    names: dict[str, tuple[str, int]] = field(default_factory=dict)
    events: dict[str, d.Event] = field(default_factory=dict)
    departures: list[d.Departure] = field(default_factory=list)
    standings: list[d.Standing] = field(default_factory=list)
    matches: int = 0

    @property
    def last(self) -> d.Event:
        """The newest event, by whose terms the standings are."""
        return list(self.events.values())[-1]

    @property
    def disqualified(self) -> set[str]:
        """The versions that have no rank."""
        return {each.bot_version for each in self.departures if each.departed == "disqualified"}


def publish(export: Path, folder: Path) -> list[Path]:
    """Write the files of an export into a folder that may be there; returns them.

    What it says is not proven here: that is for the audit. Raises ExportError, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / MATCHES).open("w", newline="", encoding="utf-8") as stream:
        try:
            found = _walk(export, stream)
        except (KeyError, IndexError) as error:
            raise ExportError(None, "its lines do not fit together: audit it first") from error
    with (folder / STANDINGS).open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(STANDING_HEADS)
        table.writerows(_standing(found, row) for row in found.standings)
    copy = folder / export.name
    if not copy.exists() or not copy.samefile(export):
        shutil.copyfile(export, copy)
    with export.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    (folder / PAGE).write_text("\n".join(_page(found, export.name, sha256)), encoding="utf-8")
    return [folder / name for name in (PAGE, STANDINGS, MATCHES, export.name)]


def _walk(export: Path, stream: TextIO) -> _Read:
    """Read the file once; its matches go into the table as they come."""
    found, table = _Read(), csv.writer(stream)
    table.writerow(MATCH_HEADS)
    for _, line in read(export):
        match line:
            case d.Export():
                found.name, found.kind = line.name, line.competition
            case d.Event():
                found.events[line.id] = line
            case d.Entrant():
                found.names[line.bot_version] = (f"{line.owner}/{line.bot}", line.version)
            case d.Departure():
                found.departures.append(line)
            case d.Match():
                found.matches += line.result is not None
                table.writerows(_seats(found, line))
            case d.Standing():
                found.standings.append(line)
    return found


def _seats(found: _Read, match: d.Match) -> Iterator[Sequence[object]]:
    if match.result is None:
        return
    result, slot = match.result, found.events[match.event].slot
    for seat, player in enumerate(match.players):
        bot, version = found.names[player.bot_version]
        yield (
            match.id,
            "" if slot is None else slot,
            match.pair,
            match.leg,
            seat,
            bot,
            version,
            result.ranks[seat] if result.ranks else "",
            result.credits[seat] if result.credits else "",
            result.ending,
            int(seat in result.faults),
            int(match.annulled_at is not None),
        )


def _standing(found: _Read, row: d.Standing) -> Sequence[object]:
    bot, version = found.names[row.bot_version]
    strength = ("", "") if row.rating is None else (row.rating, row.error)
    counts = (row.pairs, row.wins, row.draws, row.losses)
    credit = (row.credit, row.credit_low, row.credit_high)
    rank = "" if row.bot_version in found.disqualified else row.rank
    return (rank, bot, version, *counts, *credit, *strength, row.faults)


def _page(found: _Read, export: str, sha256: str) -> Iterator[str]:
    title = escape(found.name)
    yield "<!doctype html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<style>{STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    yield f"<p>{_about(found)}</p>"
    record = record_heading(found.last.seats)
    heads = ("#", "bot", "version", "pairs", record, "credit", "rating", "faults")
    yield from _table(heads, (_shown(found, row) for row in found.standings))
    if found.departures:
        yield "<h2>Who left</h2><ul>"
        yield from (_departure(found, each) for each in found.departures)
        yield "</ul>"
    yield "<h2>Prove it</h2>"
    yield (
        f'<p><a href="{escape(export)}">{escape(export)}</a> holds every deal, seating, move and '
        f"result. Its SHA-256 is <code>{sha256}</code>. On any machine with Interrex:</p>"
    )
    yield f"<pre>interrex {found.kind} audit {escape(export)}</pre>"
    yield f'<p>Tables: <a href="{STANDINGS}">{STANDINGS}</a>, <a href="{MATCHES}">{MATCHES}</a></p>'
    slot = ("slot",) if found.kind == "ladder" else ()
    yield from _table((*slot, *EVENT_HEADS), map(_event, found.events.values()), "keys")
    yield "</body></html>"


def _about(found: _Read) -> str:
    last = found.last
    options = [f"{name}={value}" for name, value in last.options.items()]
    ended = "" if last.completed_at is None else f", ended {last.completed_at:%Y-%m-%d %H:%M} UTC"
    terms = ", ".join([last.format.replace("_", " "), last.game, f"{last.seats} seats", *options])
    return escape(f"{terms}: {found.matches} matches{ended}")


def _shown(found: _Read, row: d.Standing) -> Sequence[str]:
    bot, version = found.names[row.bot_version]
    credit = f"{row.credit:.3f} [{row.credit_low:.3f}, {row.credit_high:.3f}]"
    return (
        "-" if row.bot_version in found.disqualified else str(row.rank),
        bot,
        str(version),
        str(row.pairs),
        f"{row.wins}-{row.draws}-{row.losses}",
        credit if row.pairs else "-",
        "" if row.rating is None else f"{signed(row.rating)} ± {row.error:.0f}",
        str(row.faults),
    )


def _departure(found: _Read, each: d.Departure) -> str:
    bot, version = found.names[each.bot_version]
    return f"<li>{escape(f'{bot} {version} was {each.departed}: {printable(each.reason)}')}</li>"


def _event(event: d.Event) -> Sequence[str]:
    slot = () if event.slot is None else (str(event.slot),)
    return (*slot, event.state, event.commitment, event.key)


def _table(
    heads: Iterable[str], rows: Iterable[Sequence[str]], kind: str = "figures"
) -> Iterator[str]:
    cells = "".join(f"<th>{escape(head)}</th>" for head in heads)
    yield f'<div><table class="{kind}"><tr>{cells}</tr>'
    for row in rows:
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield "</table></div>"
