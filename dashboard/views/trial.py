"""A test of one version against another: its verdict, and how the evidence came about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena_service.ratings.elo import Elo
from arena_service.ratings.sprt import Verdict
from arena_service.ratings.table import StandingRow
from arena_service.store.courses import ComparisonRow, Course, EntrantRow
from dashboard.charts import llr
from dashboard.i18n.text import _, plural
from dashboard.views import entrants, markup, strength, wording


def show(course: Course, rows: Sequence[StandingRow]) -> None:
    """The verdict in words, the numbers, and the picture of a test with a stopping rule."""
    if len(course.entrants) < 2:
        text = _("A test begins when two versions have started.")
        markup.show(f'<p class="ix-empty">{markup.safe(text)}</p>')
        return
    first, other = course.entrants[:2]
    facts = [(_("Elo of the first"), markup.safe(wording.elo(_elo(rows, first))))]
    test = course.test
    if test is None:
        markup.show(markup.tiles(facts) + markup.soft(markup.safe(_without_rule(first, other))))
        return
    looked = _("{done} of at most {most}").format(done=test.looked, most=test.pairs_at_most)
    facts = [
        (_("Pairs looked at"), markup.safe(looked)),
        (_("Log-likelihood ratio"), markup.safe(wording.signed(test.llr, 2))),
        *facts,
    ]
    sentence = markup.safe(verdict(test, course.entrants))
    markup.show(f'<p class="ix-verdict">{sentence}</p>{markup.tiles(facts)}')
    words = llr.Words(
        title=_("Log-likelihood ratio after each pair"),
        axis=_("pairs"),
        above=_("the first is stronger"),
        below=_("the first is not stronger"),
        number=partial(wording.signed, digits=2),
    )
    markup.draw(
        "".join(
            llr.draw(test.path, test.lower, test.upper, words, width)
            for width in (llr.WIDTH, llr.NARROW)
        )
    )
    markup.show(markup.soft(markup.safe(_rule(test))))


def verdict(test: ComparisonRow, both: Sequence[EntrantRow]) -> str:
    """What the test says, as a sentence."""
    first, other = map(entrants.full_name, both[:2])
    said = {
        Verdict.STRONGER: _("{first} is stronger than {other}."),
        Verdict.NOT_STRONGER: _("{first} is not stronger than {other}."),
        Verdict.OPEN: _("It is open whether {first} is stronger than {other}."),
    }
    return said[Verdict(test.verdict)].format(first=first, other=other)


def fact(test: ComparisonRow, both: Sequence[EntrantRow]) -> tuple[str, str]:
    """The same as a label with HTML."""
    said = {
        Verdict.STRONGER: _("stronger"),
        Verdict.NOT_STRONGER: _("not stronger"),
        Verdict.OPEN: _("undecided"),
    }
    names = entrants.short_names(both).values()
    return _(" against ").join(names), markup.safe(said[Verdict(test.verdict)])


def _elo(rows: Sequence[StandingRow], first: EntrantRow) -> Elo:
    return strength.elo(next(row for row in rows if row.version_id == first.version_id))


def _without_rule(first: EntrantRow, other: EntrantRow) -> str:
    return _(
        "{first} against {other}, a fixed number of pairs: the interval counts when all of them are"
        " played."
    ).format(first=entrants.full_name(first), other=entrants.full_name(other))


def _rule(test: ComparisonRow) -> str:
    rule, rest = test.rule, test.pairs - test.looked
    note = _(
        "A sequential test on pairs: is the first ahead by {elo1} rather than by {elo0} points of"
        " normalised Elo? Pairs are looked at in the order of their numbers. At a bound the"
        " question is answered: about {alpha} of the bots that are not stronger are called"
        " stronger, {beta} of the stronger ones not stronger."
    ).format(
        elo0=f"{rule.elo0:g}",
        elo1=f"{rule.elo1:g}",
        alpha=wording.percent(rule.alpha),
        beta=wording.percent(rule.beta),
    )
    if rest and test.verdict != Verdict.OPEN:
        note += " " + plural(
            "{count} more pair was still played; it changes no verdict.",
            "{count} more pairs were still played; they change no verdict.",
            rest,
        )
    return note
