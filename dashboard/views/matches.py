"""The matches of the arena, the newest first, narrowed by the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena_service.formats.credit import Fared, fared
from arena_service.store import bot_pages, ladders, tournaments
from arena_service.store.errors import NotFoundError
from arena_service.store.match_rows import MatchRow, PlayerRow
from arena_service.store.match_search import MatchSearch, Standing, search
from dashboard import arena
from dashboard.i18n import reader
from dashboard.i18n.text import _
from dashboard.views import markup, parameters, wording

PAGE = 50


@dataclass(frozen=True)
class _Wanted:
    """What the address asks for, as it was typed."""

    ladder: str
    tournament: str
    bot: str
    against: str
    state: str

    @classmethod
    def of_address(cls) -> _Wanted:
        return cls(
            ladder=parameters.typed("ladder"),
            tournament=parameters.typed("tournament"),
            bot=parameters.typed("bot"),
            against=parameters.typed("against"),
            state=parameters.one_of("state", ("", *Standing)),
        )

    def found(self) -> MatchSearch:
        """The same by ids; raises NotFoundError."""
        db = arena.database()
        return MatchSearch(
            ladder=ladders.show(db, self.ladder).id if self.ladder else None,
            tournament=tournaments.show(db, self.tournament).id if self.tournament else None,
            bot=bot_pages.bot_id(db, self.bot) if self.bot else None,
            against=bot_pages.bot_id(db, self.against) if self.against else None,
            standing=Standing(self.state) if self.state else None,
        )


def page() -> None:
    """One page of the list, below what it is narrowed by."""
    wanted = _Wanted.of_address()
    markup.show(markup.heading(_("Matches"), 1) + _filters(wanted))
    number = parameters.number("page", default=1, low=1, high=1_000_000)
    try:
        rows = search(arena.database(), wanted.found(), PAGE + 1, (number - 1) * PAGE)
    except NotFoundError as error:
        kinds = {
            "ladder": _("There is no ladder “{name}”."),
            "tournament": _("There is no tournament or challenge “{name}”."),
            "bot": _("There is no bot “{name}”."),
        }
        everything = markup.link(markup.address("matches"), _("All matches"))
        then = f"{markup.safe(_('Correct the name above, or see all:'))} {everything}"
        markup.show(markup.missing(kinds[error.kind].format(name=error.name), then))
        return
    if rows:
        markup.show(table(rows[:PAGE]))
    else:
        markup.show(f'<p class="ix-empty">{markup.safe(_("There are no matches here."))}</p>')
    markup.show(_turn_pages(wanted, number, more=len(rows) > PAGE))


def table(rows: Sequence[MatchRow]) -> str:
    """The matches as a table with links to their pages."""
    heads = ["", _("Players by seat"), _("Result"), _("Plies"), _("Pair"), _("Finished")]
    return markup.table(heads, [_row(match) for match in rows], frozenset({3, 4}))


def _row(match: MatchRow) -> list[str]:
    leg = _("leg {leg}").format(leg=match.leg)
    when = wording.moment(match.finished_at) if match.finished_at else ""
    fault = ' class="ix-fault"' if match.at_fault is not None else ""
    said = (
        f'<span class="ix-result"><span{fault}>{markup.safe(wording.outcome(match))}</span></span>'
        if match.ending
        else markup.badge(*wording.state(match.state))
    )
    return [
        markup.link(markup.address("match", replay=match.id), _("open")),
        _players(match),
        said,
        str(match.plies) if match.ending else "",
        f"{match.pair} <span class=soft>{markup.safe(leg)}</span>",
        f'<span class="soft ix-when">{when}</span>',
    ]


def _players(match: MatchRow) -> str:
    names = [
        f'<span class="{"ix-win" if _won(player) else ""}">'
        f"<span class=soft>{markup.safe(player.owner)}/</span>{markup.safe(player.bot)}"
        f" <span class=soft>v{player.version}</span></span>"
        for player in match.players
    ]
    return " <span class=soft>·</span> ".join(names)


def _won(player: PlayerRow) -> bool:
    return player.credit is not None and fared(player.rank == 1, player.credit) is Fared.WON


def _filters(wanted: _Wanted) -> str:
    states = [
        ("", _("all")),
        (Standing.FINISHED, _("finished")),
        (Standing.FAULT, _("lost by a fault")),
        (Standing.RUNNING, _("being played")),
        (Standing.WAITING, _("waiting")),
    ]
    options = "".join(
        f'<option value="{value}"{" selected" if value == wanted.state else ""}>'
        f"{markup.safe(label)}</option>"
        for value, label in states
    )
    fields = [
        ("ladder", _("Ladder"), wanted.ladder, _("name")),
        ("tournament", _("Tournament"), wanted.tournament, _("name")),
        ("bot", _("Bot"), wanted.bot, _("owner/name")),
        ("against", _("Against"), wanted.against, _("owner/name")),
    ]
    inputs = "".join(
        f"<label>{markup.safe(label)}"
        f'<input name="{name}" value="{markup.safe(value)}" maxlength="{parameters.MAX_TYPED}"'
        f' placeholder="{markup.safe(example)}"></label>'
        for name, label, value, example in fields
    )
    chosen = reader.chosen()
    language = f'<input type="hidden" name="lang" value="{chosen}">' if chosen else ""
    return (
        f'<form class="ix-filters" method="get" action="matches">{inputs}'
        f'<label>{markup.safe(_("State"))}<select name="state">{options}</select></label>'
        f"{language}<button>{markup.safe(_('Filter'))}</button></form>"
    )


def _address(wanted: _Wanted, page: int) -> str:
    given = {name: value for name, value in vars(wanted).items() if value}
    return markup.address("matches", **given, page=page)


def _turn_pages(wanted: _Wanted, number: int, more: bool) -> str:
    parts = []
    for label, target, there in (
        (_("newer"), number - 1, number > 1),
        (_("older"), number + 1, more),
    ):
        if there:
            parts.append(markup.link(_address(wanted, target), label))
    return f'<p class="ix-turn">{" · ".join(parts)}</p>'
