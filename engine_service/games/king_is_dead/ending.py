"""Who wins: the invasion or the coronation, by seat or, with four seats, by team."""

from __future__ import annotations

from typing import Any

from engine_service.core.game import GameResult, Plain
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.state import OVER, State, Table
from engine_service.games.king_is_dead.turns import INSTABILITY

TEAM_SEATS = 4  # seats 0 and 2 against 1 and 3

Side = list[int]  # its seats


def teams_of(seats: int) -> tuple[int, ...]:
    """The team of every seat."""
    return tuple(seat % 2 if seats == TEAM_SEATS else seat for seat in range(seats))


def result(state: State) -> GameResult | None:
    """None while the game goes on."""
    table = state.table
    if table.stage != OVER:
        return None
    teams = teams_of(table.seats)
    sides = [
        [seat for seat, team in enumerate(teams) if team == side] for side in sorted(set(teams))
    ]
    score: Plain = {
        "ending": "coronation",
        "regions": {faction: table.discs.count(faction) for faction in b.FACTIONS},
        "ranking": ranking(table),
        "courts": [list(b.counts(court)) for court in table.courts],
    }
    if table.discs.count(b.UNSTABLE) < INSTABILITY:
        keys = [_claim(state, side) for side in sides]
    else:
        sets = [_sets(state, side) for side in sides]
        keys = [(sets[team], _last(table, side)) for team, side in enumerate(sides)]
        score |= {"ending": "invasion", "sets": [sets[team] for team in teams]}
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    return GameResult(tuple(ranks[team] for team in teams), score)


def ranking(table: Table) -> list[str]:
    """The factions by regions controlled; of equals the one that won a struggle more recently."""
    wins = [table.discs[region] for region in table.row[: table.resolved]]
    latest = {faction: space for space, faction in enumerate(wins)}
    return sorted(b.FACTIONS, key=lambda faction: (-wins.count(faction), -latest.get(faction, -1)))


def holder(state: State) -> int | None:
    """The seat with Plot in its hand."""
    return next((seat for seat, secret in enumerate(state.cunning) if c.PLOT in secret), None)


def _sets(state: State, side: Side) -> int:
    """Complete sets of the side's courts together; Plot counts for the smallest colour."""
    pooled = list(b.counts(sum(state.table.courts[seat] for seat in side)))
    if holder(state) in side:
        pooled[pooled.index(min(pooled))] += 1
    return min(pooled)


def _claim(state: State, side: Side) -> tuple[Any, ...]:
    """What a side brings to the coronation, to be compared from left to right; more is better."""
    table = state.table
    claims = {seat: _court(state, seat) for seat in side}
    best = max(claims.values())
    plot = state.options.plot_breaks_ties and any(
        claims[seat] == best and holder(state) == seat for seat in side
    )
    exhausted = all(_is_exhausted(state, seat) for seat in side)
    return best, plot, exhausted, -_last(table, side)


def _court(state: State, seat: int) -> tuple[int, int]:
    """Followers of faction 1, Plot among them, and of faction 2 if that controls a region."""
    table = state.table
    first, second = ranking(table)[:2]
    court = table.courts[seat]
    followers = b.count(court, first) + (holder(state) == seat)
    return followers, b.count(court, second) if second in table.discs else 0


def _is_exhausted(state: State, seat: int) -> bool:
    """Whether all cards are played that can be played."""
    return len(state.table.discards[seat]) + (holder(state) == seat) == c.HAND


def _last(table: Table, side: Side) -> int:
    return max(table.last_cards[seat] for seat in side)
