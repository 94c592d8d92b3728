"""`interrex play`: pairs at home, with the arena's own runner, sandbox and clocks."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

import bots
from bots.manifest import FILE, ManifestError
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
    first: Annotated[str, typer.Argument(metavar="BOT", help="A folder, or a baseline's name.")],
    second: Annotated[str, typer.Argument(metavar="BOT", help="Its opponent.")],
    game: Annotated[str, typer.Option(help="Which game.")] = "claim",
    pairs: Annotated[int, typer.Option(min=1, help="Each is played with both seatings.")] = 10,
    seed: Annotated[str, typer.Option(help="64 hex digits; the same seed, the same deals.")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the replays.")] = None,
    legal: Legal = False,
    as_json: AsJson = False,
) -> None:
    """Play two bots against each other on this machine; no arena is needed."""
    key = _seed(seed)
    tally = Tally((first, second), out, legal, tell_faults=not as_json)
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"--out {out}: not a usable folder ({error.strerror})") from error
    folders = [find_bot(first), find_bot(second)]
    with home_runtime() as runtime:
        try:
            play_pairs(folders, game, {}, pairs, key, LocalEngine(), runtime, tally.add)
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

    names: tuple[str, str]
    out: Path | None
    legal: bool
    tell_faults: bool
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)

    def add(self, local: LocalOutcome) -> None:
        """Count a leg, say how it ended when that was a fault, and write its replay."""
        replay = local.outcome.replay
        result = replay["result"]
        if result["ranks"] is None:
            self.counts["no contest"] += 1
        else:
            self._count(result["ranks"][local.seating.index(0)], max(result["ranks"]))
        if result["at_fault"] is not None:
            self._keep_fault(local, result["ending"], result["at_fault"])
        if self.out is not None:
            name = f"pair-{local.pair:04d}-leg-{local.leg}.replay.json"
            document = annotate(replay, legal=self.legal, views=False)
            write(self.out / name, replay_file.write(document))

    def _count(self, rank: int, worst: int) -> None:
        self.counts["drawn" if worst == 1 else "won" if rank == 1 else "lost"] += 1

    def _keep_fault(self, local: LocalOutcome, ending: str, seat: int) -> None:
        limit = next((e.limit for e in local.outcome.evidence if e.seat == seat), "")
        bot = self.names[local.seating[seat]]
        fault = {"pair": local.pair, "leg": local.leg, "bot": bot, "ending": ending, "limit": limit}
        self.faults.append(fault)
        if self.tell_faults:
            say(f"pair {local.pair} leg {local.leg}: {bot}: {ending}: {limit}")

    def plain(self) -> dict[str, Any]:
        """The first bot's record against the second; `credit` is None when nothing counted."""
        won, drawn, lost = (self.counts[key] for key in ("won", "drawn", "lost"))
        played = won + drawn + lost
        return {
            "bots": list(self.names),
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "no_contest": self.counts["no contest"],
            "credit": (won + drawn / 2) / played if played else None,
            "faults": self.faults,
        }

    def summary(self) -> str:
        """The same in one line."""
        record = self.plain()
        first, second = self.names
        text = f"{first} v. {second}: {record['won']} won, {record['drawn']} drawn"
        share = "-" if record["credit"] is None else f"{record['credit']:.3f}"
        text += f", {record['lost']} lost, credit {share}"
        if record["no_contest"]:
            text += f", {record['no_contest']} no contest"
        return f"{text}, {len(self.faults)} faults"


def _seed(text: str) -> str:
    if not text:
        return secrets.token_hex(32)
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise Failure("--seed: expected 64 hex digits in lower case", Exit.USAGE)
    return text
