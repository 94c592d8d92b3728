"""The King Is Dead: what greedy thinks of a table, for every seat at once."""

from __future__ import annotations

from bots.baselines.greedy.king_is_dead.outlook import outlook
from bots.baselines.greedy.king_is_dead.worth import expected, holdings_of
from bots.judges import Credits
from engine_service.games.king_is_dead.cards import PLOT
from engine_service.games.king_is_dead.ending import teams_of
from engine_service.games.king_is_dead.state import State


def promise(state: State) -> Credits:
    """The credit that each seat may expect; partners the same."""
    table, teams = state.table, teams_of(state.table.seats)
    plots = tuple(int(PLOT in secret) for secret in state.cunning) or (0,) * table.seats
    holdings, board = holdings_of(table, plots), outlook(table)
    credits = [expected(holdings, board, seat) for seat in range(len(set(teams)))]
    return tuple(credits[team] for team in teams)
