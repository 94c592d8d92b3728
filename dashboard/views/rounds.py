"""The pairings of a tournament, one round at a time: who met, credit, points, byes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_service.figures import decimals
from arena_service.store.courses import EncounterRow, EntrantRow, RoundRow
from dashboard.i18n.text import _
from dashboard.views import entrants, markup, parameters

Bots = Mapping[str, str]


def show(rounds: Sequence[RoundRow], bots: Bots, tournament: str, asked: str) -> str:
    """The round that was asked for, without that the newest; `bots`: ids by version."""
    if not rounds:
        return f'<p class="ix-empty">{markup.safe(_("No round has been drawn yet."))}</p>'
    number = parameters.whole(asked or str(len(rounds)), low=1, high=len(rounds))
    if number is None:
        what = _("There is no round “{name}”.").format(name=asked)
        then = markup.safe(_("Choose one of these:"))
        return markup.missing(what, then) + _chips(rounds, None, tournament)
    shown = rounds[number - 1]
    heads = [_("Bot"), _("Score"), _("Bot"), _("Points"), _("Pairs"), ""]
    credit = decimals(value for each in shown.encounters for value in each.credits)
    point = decimals(value for each in shown.encounters for value in each.points or ())
    rows = [_encounter(each, bots, tournament, credit, point) for each in shown.encounters]
    rows += [_bye(each, bots, point) for each in shown.byes]
    table = markup.table(heads, rows, frozenset({4}))
    return _chips(rounds, number, tournament) + _top(shown) + table + _legend()


def _chips(rounds: Sequence[RoundRow], number: int | None, tournament: str) -> str:
    links = "".join(
        f"<b>{each.number}</b>"
        if each.number == number
        else markup.link(_address(tournament, each.number), each.number)
        for each in rounds
    )
    label = markup.safe(_("Rounds"))
    return f'<nav class="ix-chips" aria-label="{label}">{links}</nav>'


def _address(tournament: str, number: int) -> str:
    return markup.address("tournaments", tournament=tournament, show="rounds", round=number)


def _top(shown: RoundRow) -> str:
    done = sum(each.pairs_done for each in shown.encounters)
    planned = sum(each.pairs_planned for each in shown.encounters)
    badge = (
        markup.badge(_("complete"), "good")
        if shown.closed
        else markup.badge(_("not complete"), "busy")
    )
    pairs = _("{done} of {planned} pairs").format(done=done, planned=planned)
    title = markup.safe(_("Round {number}").format(number=shown.number))
    return f'<h2 class="ix-h">{title} {badge}</h2>{markup.soft(markup.safe(pairs))}'


def _encounter(
    each: EncounterRow, bots: Bots, tournament: str, credit: int, point: int
) -> list[str]:
    """Credits and points with so many decimals as their columns have."""
    first, other = each.players
    target = markup.address(
        "matches",
        tournament=tournament,
        bot=f"{first.owner}/{first.bot}",
        against=f"{other.owner}/{other.bot}",
    )
    ahead = _ahead(each)
    return [
        entrants.cell(first, bots, ahead == 0),
        f'<span class="ix-score">{score(each.credits, credit)}</span>' if each.pairs_done else "-",
        entrants.cell(other, bots, ahead == 1),
        "-"
        if each.points is None
        else f'<span class="ix-score">{score(each.points, point)}</span>',
        f"{each.pairs_done} / {each.pairs_planned}",
        markup.link(target, _("matches")),
    ]


def score(values: Sequence[float], count: int) -> str:
    """Credits or points as people write them, with so many decimals: 2.5 : 1.5."""
    decimal_mark = _(".")
    return " : ".join(f"{value:.{count}f}" for value in values).replace(".", decimal_mark)


def _ahead(each: EncounterRow) -> int | None:
    """Which of the two has more: of the points once they are given, else of the credit."""
    first, other = each.points or each.credits
    return None if first == other else int(other > first)


def _bye(entrant: EntrantRow, bots: Bots, point: int) -> list[str]:
    free = f"<span class=soft>{markup.safe(_('bye: nobody to meet'))}</span>"
    won = f'<span class="ix-score">{score([1.0], point)}</span>'
    return [entrants.cell(entrant, bots), "", free, won, "-", ""]


def _legend() -> str:
    note = _(
        "The score is the credit that the two took from the pairs that are complete. Points come"
        " when the round is closed: 1 for the higher score, a half each for equal ones, 1 for a"
        " bye. Who leaves an encounter that is not played to its end gives its point away."
    )
    return markup.soft(markup.safe(note))
