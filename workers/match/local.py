"""Pairs at home: folders instead of uploads, the same series, sandbox and seeds as in the arena."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bots.manifest import Manifest, ManifestError, load
from engine_service.client import Engine, MatchStart
from engine_service.core.seeds import bot_seed, deal_seed
from workers.match.clock import VOID_ATTEMPTS, HostStall
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

EVENT = "play"
ENTRANTS = "0" * 64
SERIES_PAIRS = 8


@dataclass(frozen=True)
class LocalOutcome:
    """One leg: `seating[seat]` is an index into the bots that were given to `play_pairs`."""

    pair: int
    leg: int
    seating: tuple[int, ...]
    outcome: Outcome


@dataclass(frozen=True)
class _Leg:
    pair: int
    plan: LegPlan


def play_pairs(
    bots: Sequence[Path],
    game: str,
    options: Mapping[str, Any],
    pairs: int,
    seed_hex: str,
    engine: Engine,
    runtime: Runtime,
    on_outcome: Callable[[LocalOutcome], None],
    limits: Limits | None = None,
) -> None:
    """Play `pairs` pairs, every seating of each; one bot per seat, a folder may be named twice.

    With one pair `seed_hex` is the seed of its deal, with more it is the key of the event `play`.
    Raises ManifestError for a folder that is no bot for this game.
    """
    manifests = [_manifest(folder, game) for folder in bots]
    staged = [
        BotSource(runtime.stage_folder(folder), manifest.run)
        for folder, manifest in zip(bots, manifests, strict=True)
    ]
    legs = [
        leg
        for pair in range(pairs)
        for leg in _legs(pair, pairs, game, options, seed_hex, len(bots))
    ]
    names = [manifest.name for manifest in manifests]
    bounds = limits or Limits()
    for first in range(0, len(legs), SERIES_PAIRS * len(bots)):
        series = legs[first : first + SERIES_PAIRS * len(bots)]
        _play(series, staged, names, bounds, engine, runtime, on_outcome)


def play_itself(
    bot: BotSource,
    name: str,
    starts: Sequence[MatchStart],
    engine: Engine,
    runtime: Runtime,
    on_outcome: Callable[[LocalOutcome], None],
    limits: Limits | None = None,
) -> None:
    """Play each start once with the bot on every seat, all in one set, as an arena's check does.

    `pair` of an outcome is the number of its start. The seeds of the bots follow from the start's.
    """
    legs = [_alone(number, start) for number, start in enumerate(starts)]
    seats = max(start.seats for start in starts)
    _play(legs, [bot] * seats, [name] * seats, limits or Limits(), engine, runtime, on_outcome)


def _alone(number: int, start: MatchStart) -> _Leg:
    seats, key = range(start.seats), bytes.fromhex(start.seed)
    seeds = tuple(bot_seed(key, EVENT, ENTRANTS, number, 0, seat) for seat in seats)
    return _Leg(number, LegPlan(f"{number}.0", start, tuple(seats), seeds, leg=0))


def _manifest(folder: Path, game: str) -> Manifest:
    manifest = load(folder)
    if game not in manifest.games:
        raise ManifestError("games", f"{game!r} among the games of {folder}")
    return manifest


def _legs(
    pair: int, pairs: int, game: str, options: Mapping[str, Any], seed_hex: str, seats: int
) -> Iterator[_Leg]:
    """All rotations of the seats over one deal."""
    key = bytes.fromhex(seed_hex)
    seed = seed_hex if pairs == 1 else deal_seed(key, EVENT, ENTRANTS, pair).hex()
    start = MatchStart(game=game, options=dict(options), seats=seats, seed=seed)
    for leg in range(seats):
        seating = tuple((seat + leg) % seats for seat in range(seats))
        seeds = tuple(bot_seed(key, EVENT, ENTRANTS, pair, leg, seat) for seat in range(seats))
        yield _Leg(pair, LegPlan(f"{pair}.{leg}", start, seating, seeds, leg))


def _play(
    series: Sequence[_Leg],
    bots: Sequence[BotSource],
    names: Sequence[str],
    limits: Limits,
    engine: Engine,
    runtime: Runtime,
    on_outcome: Callable[[LocalOutcome], None],
) -> None:
    """Play a series; a stalled host makes the unfinished matches start again in new processes."""
    waiting = {leg.plan.match_id: leg for leg in series}
    late: Counter[tuple[str, int]] = Counter()

    def finish(outcome: Outcome) -> None:
        leg = waiting.pop(outcome.match_id)
        seating = leg.plan.seating
        players = [{"bot": names[player], "version": 0} for player in seating]
        outcome = replace(outcome, replay={**outcome.replay, "players": players})
        on_outcome(LocalOutcome(leg.pair, leg.plan.leg, seating, outcome))

    while waiting:
        plans = [_with_patience(leg.plan, late) for leg in waiting.values()]
        try:
            play_series(engine, bots, plans, limits, runtime, _ignore, finish)
        except HostStall as stall:
            late[stall.match_id, stall.seat] += 1


def _with_patience(plan: LegPlan, late: Counter[tuple[str, int]]) -> LegPlan:
    spent = (seat for seat in range(plan.start.seats) if late[plan.match_id, seat] >= VOID_ATTEMPTS)
    return replace(plan, no_excuse=frozenset(spent))


def _ignore(match_id: str, ply: int) -> None:
    """Nobody waits for progress at home."""
