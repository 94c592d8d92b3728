"""Hidden Leaders' board: two rows with their blockers, hands, Councils, leaders, and who leads.

Drawn from one viewer's view alone: what that viewer may not see is not in the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from dashboard.boards import leaders_counts, leaders_rows, leaders_seats, leaders_story
from dashboard.boards.leaders_fresh import fresh
from dashboard.boards.leaders_signs import STYLE
from dashboard.boards.placing import placing
from dashboard.boards.svg import short_names, stage
from dashboard.i18n.text import _

View = Mapping[str, Any]
WIDTH, HEIGHT = 1180, 752
FAR, NEAR = 14, 606  # where the panels of the seats begin


def render(view: View, last_action: Mapping[str, Any] | None, names: Sequence[str] = ()) -> str:
    """One position as SVG; what `last_action` (seat, action) did is in gold, `names` by seat."""
    labels = tuple(names) or tuple(_("Seat {seat}").format(seat=seat) for seat in (0, 1))
    below = 1 if view["viewer"] == 1 else 0
    new, short = fresh(view, last_action), short_names(labels)
    ranks = placing(leaders_story.GAME, view)

    def seat(number: int, y: float) -> str:
        wins = bool(ranks) and ranks[number] < ranks[1 - number]
        return leaders_seats.draw(view, number, labels[number], new, y, wins)

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'preserveAspectRatio="xMidYMin meet" class="board leaders" role="img" '
        f'aria-label="{escape(_summary(view, labels))}">{STYLE}'
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="16" '
        'style="fill:var(--paper)"/>'
        f'<g class="far">{seat(1 - below, FAR)}</g>'
        f'<g class="rows">{leaders_rows.draw(view, new, short, below)}</g>'
        f'<g class="pile">{leaders_rows.pile(view)}</g>'
        f'<g class="counts">{leaders_counts.draw(view)}</g>'
        f'<g class="story">{leaders_story.draw(view, short, ranks)}</g>'
        f'<g class="near">{seat(below, NEAR)}</g></svg>'
    )


def _summary(view: View, names: Sequence[str]) -> str:
    return _("Hidden Leaders: Duel, turn {turn} of {turns}. {stage}").format(
        turn=view["turn"] + 1, turns=leaders_rows.TURNS, stage=stage(view["actor"], names)
    )
