"""What `interrex play` counts: records, credits and faults, leg by leg."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from arena_service.formats.credit import credits_of
from arena_service.verdicts import NOBODY_STARTED, last_line, printable
from cli.annotations import annotate
from cli.replay import write
from engine_service.core import replay as replay_file
from workers.match.evidence import SeatEvidence
from workers.match.local import LocalOutcome


@dataclass
class Tally:
    """Counts the legs as they end and keeps their replays.

    `names` differ. `teams` of the bots come from the replays; none where each plays alone.
    """

    names: tuple[str, ...]
    out: Path | None
    legal: bool
    teams: tuple[int, ...] = ()
    no_contests: int = 0
    credits: list[tuple[float, ...]] = field(default_factory=list)  # of each leg, by bot
    faults: list[dict[str, Any]] = field(default_factory=list)

    def add(self, local: LocalOutcome) -> list[str]:
        """Count a leg and write its replay; returns a line for each fault that ended it."""
        replay = local.outcome.replay
        result = replay["result"]
        if local.leg == 0:  # each bot sits on the seat of its number
            self.teams = tuple(replay.get("teams", ()))
        if result["ranks"] is None:
            self.no_contests += 1
        else:
            by_seat = credits_of(result["ranks"], replay.get("teams"))
            seats = map(local.seating.index, range(len(self.names)))
            self.credits.append(tuple(by_seat[seat] for seat in seats))
        if self.out is not None:
            name = f"pair-{local.pair:04d}-leg-{local.leg}.replay.json"
            document = annotate(replay, legal=self.legal, views=False)
            write(self.out / name, replay_file.write(document))
        return [self._fault(local, result["ending"], kept) for kept in _at_fault(local)]

    def _fault(self, local: LocalOutcome, ending: str, kept: SeatEvidence) -> str:
        bot, limit, said = self.names[local.seating[kept.seat]], kept.limit, kept.stderr_tail
        fault = {"pair": local.pair, "leg": local.leg, "bot": bot, "ending": ending, "limit": limit}
        self.faults.append({**fault, "stderr": last_line(said)})
        text = f"pair {local.pair} leg {local.leg}: {bot}: {ending}: {printable(limit)}"
        return f'{text}; last line on stderr: "{last_line(said)}"' if last_line(said) else text

    def unplayed(self) -> str:
        """How many matches could not be played and why; empty: all could."""
        if not self.no_contests:
            return ""
        last = next(each for each in reversed(self.faults) if each["ending"] == NOBODY_STARTED)
        said = f': "{last["stderr"]}"' if last["stderr"] else ""
        return (
            f"{self.no_contests} of {self.no_contests + len(self.credits)} matches could not be "
            f"played: {last['bot']} did not start ({printable(last['limit'])}{said})"
        )

    def plain(self) -> dict[str, Any]:
        """The credit of every bot, None when nothing counted; of two also the first's record."""
        means = [fmean(credits) for credits in zip(*self.credits, strict=True)]
        credits: list[float | None] = [*means] or [None] * len(self.names)
        return {
            "bots": list(self.names),
            **({"teams": list(self.teams)} if self.teams else {}),
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
        """The same in one line, of more than two bots a line for each, partners together."""
        record = self.plain()
        shares = ["-" if credit is None else f"{credit:.3f}" for credit in record["credits"]]
        ending = f", {record['no_contest']} no contest" if record["no_contest"] else ""
        ending += f", {len(self.faults)} faults"
        if len(self.names) == 2:
            first, second = self.names
            text = f"{first} v. {second}: {record['won']} won, {record['drawn']} drawn"
            return f"{text}, {record['lost']} lost, credit {shares[0]}{ending}"
        lines = [
            f"{' and '.join(self.names[bot] for bot in side)}: credit {shares[side[0]]}"
            for side in self._sides()
        ]
        return "\n".join([*lines, f"{len(self.credits)} matches{ending}"])

    def _sides(self) -> list[list[int]]:
        """The bots that win and lose together, by their numbers."""
        teams = self.teams or tuple(range(len(self.names)))
        return [
            [bot for bot, team in enumerate(teams) if team == side] for side in sorted(set(teams))
        ]


def told_apart(players: Sequence[str]) -> tuple[str, ...]:
    """Their names; from the second time on with a number: random, random (2)."""
    times = (players[:place].count(name) for place, name in enumerate(players, 1))
    return tuple(
        f"{name} ({time})" if time > 1 else name for name, time in zip(players, times, strict=True)
    )


def _at_fault(local: LocalOutcome) -> Iterator[SeatEvidence]:
    """The seat that lost by a fault; of a match that did not begin every one that did not start."""
    result = local.outcome.replay["result"]
    for kept in local.outcome.evidence:
        failed_start = result["ranks"] is None and bool(kept.limit)
        if kept.seat == result["at_fault"] or failed_start:
            yield kept
