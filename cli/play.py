"""`interrex play`: pairs at home, with the arena's own runner, sandbox and clocks."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

import bots
from arena_service.formats.credit import credits_of
from bots.manifest import FILE, ManifestError
from cli import terms
from cli.annotations import annotate
from cli.failures import Exit, Failure
from cli.home import home_runtime
from cli.output import print_json, say
from cli.profile import AsJson
from cli.replay import Legal, write
from engine_service.client import LocalEngine
from engine_service.core import replay as replay_file
from engine_service.core.errors import RulesError
from workers.match.local import LocalOutcome, play_pairs

BASELINES = Path(bots.__file__).parent / "baselines"


def play(
    players: Annotated[
        list[str],
        typer.Argument(metavar="BOT BOT...", help="Folders or names of baselines, one per seat."),
    ],
    game: Annotated[str, typer.Option(help="Which game.")] = "claim",
    option: terms.Options = None,
    pairs: Annotated[int, typer.Option(min=1, help="Each is played with every seating.")] = 10,
    seed: Annotated[str, typer.Option(help="64 hex digits; the same seed, the same deals.")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the replays.")] = None,
    legal: Legal = False,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other on this machine; no arena is needed."""
    if len(players) < 2:
        raise Failure("expected one bot for each seat, two at least", Exit.USAGE)
    key, options = _seed(seed), terms.options(option)
    tally = Tally(tuple(players), out, legal, tell_faults=not as_json)
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"--out {out}: not a usable folder ({error.strerror})") from error
    folders = list(map(find_bot, players))
    with home_runtime() as runtime:
        try:
            play_pairs(folders, game, options, pairs, key, LocalEngine(), runtime, tally.add)
        except (ManifestError, RulesError) as error:
            raise Failure(str(error), Exit.USAGE) from error
    if as_json:
        print_json({"game": game, "pairs": pairs, "seed": key, **tally.plain()})
        return
    say(tally.summary())
    say(f"seed {key}")


def find_bot(name: str) -> Path:
    """A folder, else a baseline of that name."""
    folder = Path(name)
    if (folder / FILE).is_file():
        return folder
    baseline = BASELINES / name.replace("-", "_")
    if "/" not in name and (baseline / FILE).is_file():
        return baseline
    known = ", ".join(sorted(p.parent.name.replace("_", "-") for p in BASELINES.glob(f"*/{FILE}")))
    raise Failure(
        f"{name!r} is no folder with a {FILE} and no baseline; baselines: {known}", Exit.USAGE
    )


@dataclass
class Tally:
    """Counts the legs as they end and keeps their replays."""

    names: tuple[str, ...]
    out: Path | None
    legal: bool
    tell_faults: bool
    no_contests: int = 0
    credits: list[tuple[float, ...]] = field(default_factory=list)  # of each leg, by bot
    faults: list[dict[str, Any]] = field(default_factory=list)

    def add(self, local: LocalOutcome) -> None:
        """Count a leg, say how it ended when that was a fault, and write its replay."""
        replay = local.outcome.replay
        result = replay["result"]
        if result["ranks"] is None:
            self.no_contests += 1
        else:
            by_seat = credits_of(result["ranks"], replay.get("teams"))
            seats = map(local.seating.index, range(len(self.names)))
            self.credits.append(tuple(by_seat[seat] for seat in seats))
        if result["at_fault"] is not None:
            self._keep_fault(local, result["ending"], result["at_fault"])
        if self.out is not None:
            name = f"pair-{local.pair:04d}-leg-{local.leg}.replay.json"
            document = annotate(replay, legal=self.legal, views=False)
            write(self.out / name, replay_file.write(document))

    def _keep_fault(self, local: LocalOutcome, ending: str, seat: int) -> None:
        limit = next((e.limit for e in local.outcome.evidence if e.seat == seat), "")
        bot = self.names[local.seating[seat]]
        fault = {"pair": local.pair, "leg": local.leg, "bot": bot, "ending": ending, "limit": limit}
        self.faults.append(fault)
        if self.tell_faults:
            say(f"pair {local.pair} leg {local.leg}: {bot}: {ending}: {limit}")

    def plain(self) -> dict[str, Any]:
        """The credit of every bot, None when nothing counted; of two also the first's record."""
        means = [fmean(credits) for credits in zip(*self.credits, strict=True)]
        credits: list[float | None] = [*means] or [None] * len(self.names)
        return {
            "bots": list(self.names),
            **self._first_of_two(credits[0]),
            "no_contest": self.no_contests,
            "credits": credits,
            "faults": self.faults,
        }

    def _first_of_two(self, credit: float | None) -> dict[str, Any]:
        if len(self.names) != 2:
            return {}
        won, drawn, lost = ([c[0] for c in self.credits].count(of) for of in (1.0, 0.5, 0.0))
        return {"won": won, "drawn": drawn, "lost": lost, "credit": credit}

    def summary(self) -> str:
        """The same in one line, of more than two bots a line for each."""
        record = self.plain()
        shares = ["-" if credit is None else f"{credit:.3f}" for credit in record["credits"]]
        ending = f", {record['no_contest']} no contest" if record["no_contest"] else ""
        ending += f", {len(self.faults)} faults"
        if len(self.names) == 2:
            first, second = self.names
            text = f"{first} v. {second}: {record['won']} won, {record['drawn']} drawn"
            return f"{text}, {record['lost']} lost, credit {shares[0]}{ending}"
        lines = [f"{name}: credit {share}" for name, share in zip(self.names, shares, strict=True)]
        return "\n".join([*lines, f"{len(self.credits)} matches{ending}"])


def _seed(text: str) -> str:
    if not text:
        return secrets.token_hex(32)
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise Failure("--seed: expected 64 hex digits in lower case", Exit.USAGE)
    return text
