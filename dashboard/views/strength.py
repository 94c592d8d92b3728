"""How strong, and how surely: Elo with intervals, who is ahead of whom, what seats are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_service.ratings.elo import Elo, elo_of
from arena_service.ratings.pairs import Interval
from arena_service.ratings.table import StandingRow
from arena_service.store.strengths import Comparison
from dashboard.i18n.text import _
from dashboard.views import markup, standings, wording


def show(rows: Sequence[StandingRow], found: Comparison, bots: Mapping[str, str]) -> str:
    """`rows` are the order of `found.ahead`; `bots`: ids by version."""
    if not found.seats:
        return seats(found.seats)
    heads = ["", _("Bot"), _("Rating"), _("Elo against those it met"), _("Ahead of the next")]
    ahead = (*found.ahead, None)
    cells = [_row(row, chance, bots) for row, chance in zip(rows, ahead, strict=True)]
    return (
        markup.table(heads, cells, frozenset({0, 2}))
        + markup.soft(markup.safe(_note()))
        + seats(found.seats)
    )


def seats(worth: Sequence[Interval]) -> str:
    """The mean credit of each seat, by seat; of any number of seats, partners each on their own."""
    if not worth:
        return f'<p class="ix-empty">{markup.safe(_("No pair has been played yet."))}</p>'
    heads = [_("Seat"), _("Credit"), _("95 % interval")]
    rows = [
        [str(seat), wording.percent(each.mean), wording.interval(each.low, each.high)]
        for seat, each in enumerate(worth)
    ]
    note = _(
        "The credit of whoever sits there. Everybody sits everywhere on the same deals, so that"
        " strength cancels out: without an advantage every seat has 50 %."
    )
    return (
        markup.heading(_("What the seats are worth"))
        + markup.table(heads, rows, frozenset({0, 1}))
        + markup.soft(markup.safe(note))
    )


def elo(row: StandingRow) -> Elo:
    """Of the credit of a row and of the ends of its interval."""
    if not row.pairs:
        return Elo(None, None, None)
    return Elo(elo_of(row.credit), elo_of(row.credit_low), elo_of(row.credit_high))


def _row(row: StandingRow, chance: float | None, bots: Mapping[str, str]) -> list[str]:
    target = markup.address("bot", id=bots[row.version_id])
    return [
        f'<b class="ix-rank">{row.rank if row.pairs else "-"}</b>',
        f'<b class="ix-name">{markup.link(target, row.bot)}</b>'
        f" <span class=soft>v{row.version} · {markup.safe(row.owner)}</span>",
        standings.rating(row),
        f'<span class="ix-when">{markup.safe(wording.elo(elo(row)))}</span>',
        "-" if chance is None else _chance(chance),
    ]


def _chance(chance: float) -> str:
    return f'<span class="ix-when">{markup.safe(wording.chance(chance))}</span>' + markup.progress(
        chance
    )


def _note() -> str:
    return _(
        "Rating: one fit over all results, the mean is 0, with its standard error. Elo: what the"
        " credit says, with its 95 % interval; where all was won or lost, what it is at least or at"
        " most. Ahead of the next: how likely the bot is stronger than the one below it."
    )
