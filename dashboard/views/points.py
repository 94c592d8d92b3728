"""The table that a format makes by its own rules: points, and what tells equals apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena_service.formats.double_elimination import STAGE
from arena_service.formats.final import BEST, STEP, WORST
from arena_service.formats.scoring import BUCHHOLZ, CREDIT, SONNEBORN_BERGER
from arena_service.store.courses import TableRow
from dashboard.i18n.text import _
from dashboard.views import entrants, markup
from dashboard.views.wording import alike, percent


def table(rows: Sequence[TableRow], bots: Mapping[str, str], ended: bool) -> str:
    """Best first; nothing for a format that has none. `bots`: ids by version."""
    if not rows:
        return ""
    breaks = [name for name, _value in rows[0].tie_breaks]
    staged = STAGE in breaks
    last = 2 * (len(rows) - 1).bit_length() - 1  # the stage of the final
    said: dict[str, tuple[str, Callable[[Sequence[float]], list[str]]]] = {
        BUCHHOLZ: (_("Buchholz"), alike),
        SONNEBORN_BERGER: (_("Sonneborn-Berger"), alike),
        CREDIT: (_("Credit"), _percents),
        STAGE: (_("Came to"), lambda stages: [_stage(each, last, ended) for each in stages]),
        STEP: (_("Steps"), alike),
        BEST: (_("Best rank"), alike),
        WORST: (_("Worst rank"), alike),
    }
    final = STEP in breaks
    points = _("Encounters won") if staged else _("Credit") if final else _("Points")
    heads = ["", _("Bot"), points, *(said[name][0] for name in breaks)]
    taken = (_percents if final else alike)([row.points for row in rows])
    columns = [said[name][1]([dict(row.tie_breaks)[name] for row in rows]) for name in breaks]
    cells = [
        [
            f'<b class="ix-rank">{row.rank}</b>',
            entrants.cell(row.entrant, bots),
            f"<b>{points_taken}</b>",
            *(
                "-" if _left_the_final(row, name, last) else text
                for name, text in zip(breaks, texts, strict=True)
            ),
        ]
        for row, points_taken, *texts in zip(rows, taken, *columns, strict=True)
    ]
    numeric = {0, 2} if staged else {0, *range(2, 3 + len(breaks))}
    note = _stages_note() if staged else _steps_note() if final else _breaks_note()
    return (
        markup.heading(_("Table"))
        + markup.table(heads, cells, frozenset(numeric))
        + markup.soft(markup.safe(note))
    )


def _percents(shares: Sequence[float]) -> list[str]:
    return list(map(percent, shares))


def _left_the_final(row: TableRow, name: str, last: int) -> bool:
    """Whether this tells the stage of somebody who left without losing twice."""
    return bool(row.entrant.left) and name == STAGE and dict(row.tie_breaks)[name] > last


def _stage(stage: float, last: int, ended: bool) -> str:
    if stage > last:
        return _("winner") if ended else _("still in it")
    if stage == last:
        return _("the final")
    return _("losers' round {number}").format(number=f"{stage:g}")


def _breaks_note() -> str:
    return _(
        "From the rounds that are closed. Equal points are told apart by Buchholz (the sum of the"
        " rivals' points), then Sonneborn-Berger (the rivals' points, each times what was taken"
        " from it), then credit. A bye counts as one point."
    )


def _steps_note() -> str:
    return _(
        "From the steps that are closed. Who played more steps is before who was cut, then who took"
        " more credit from the field it was left with. The rank is surely between the best and the"
        " worst one; a step cuts who is surely not in the better half."
    )


def _stages_note() -> str:
    return _(
        "From the rounds that are closed. Ranks tell how far somebody came; who has lost twice is"
        " out. Places that were lost in the same round are shared."
    )
