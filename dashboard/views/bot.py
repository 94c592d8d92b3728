"""One bot: its versions, its ratings over time, its matches; for its owner also its checks."""

from __future__ import annotations

from collections import defaultdict

import streamlit as st

from arena_service.access import Action, BotSubject, may
from arena_service.store import bot_pages, histories
from arena_service.store.bot_pages import BotPage, Place, VersionPage
from arena_service.store.errors import NotFoundError
from arena_service.store.histories import RatingPoint
from arena_service.store.match_search import MatchSearch, search
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, matches, parameters, ratings, rules, wording

RECENT = 12


def page() -> None:
    """The bot that the address names by its id or as owner/name."""
    found = _asked_for()
    if found is None:
        markup.show(markup.soft(markup.link(markup.address("bots"), _("All bots"))))
        return
    owned = may(arena.viewer(), Action.SEE_BOT, BotSubject(found.owner_id))
    markup.titled(f"{found.owner}/{found.name}", _("Bots"))
    markup.show(_top(found, owned) + _versions(found, owned))
    if owned:
        _checks(found.versions[0])
    _ratings(found)
    recent = search(arena.database(), MatchSearch(bot=found.id), RECENT)
    of_bot = markup.address("matches", bot=f"{found.owner}/{found.name}")
    everything = markup.link(of_bot, _("All matches"))
    markup.show(
        markup.heading(_("Newest matches")) + matches.table(recent) + markup.soft(everything)
        if recent
        else f'<p class="ix-empty">{markup.safe(_("It has not played yet."))}</p>'
    )


def _asked_for() -> BotPage | None:
    asked = parameters.typed("id")
    if not asked:
        st.info(_("Choose a bot from the list of bots."))
        return None
    try:
        return bot_pages.bot_page(arena.database(), asked)
    except NotFoundError:
        what = _("There is no bot “{name}”.").format(name=asked)
        markup.show(
            markup.missing(what, markup.safe(_("A bot is named by its owner: owner/name.")))
        )
        return None


def _top(bot: BotPage, owned: bool) -> str:
    newest = bot.versions[0]
    total = [version.record for version in bot.versions]
    faults = sum(record.faults for record in total)
    called = f"{bot.owner}/{bot.name}"
    reached = markup.link(markup.address("matches", bot=called, state="fault"), faults)
    facts = [
        (_("Newest version"), f"v{newest.number}"),
        (_("Won"), str(sum(record.wins for record in total))),
        (_("Drawn"), str(sum(record.draws for record in total))),
        (_("Lost"), str(sum(record.losses for record in total))),
        (_("Lost by a fault"), reached if faults else "0"),
    ]
    yours = " " + markup.badge(_("yours"), "plain") if owned else ""
    about = f"{markup.safe(_('by {owner}').format(owner=bot.owner))}{yours}"
    places = bot_pages.places(arena.database(), bot.id)
    return (
        markup.heading(bot.name, 1)
        + markup.soft(about)
        + (f'<nav class="ix-chips">{"".join(map(_place, places))}</nav>' if places else "")
        + markup.tiles(facts)
    )


def _place(place: Place) -> str:
    page = "ladders" if place.kind == "ladder" else "tournaments"
    return markup.link(markup.address(page, **{place.kind: place.name}), place.name)


def _versions(bot: BotPage, owned: bool) -> str:
    heads = [
        _("Version"),
        _("Uploaded"),
        _("State"),
        _("Games"),
        _("Won - drawn - lost"),
        _("Faults"),
        _("SHA-256 of its archive"),
    ]
    rows = [_version(version, owned) for version in bot.versions]
    return (
        markup.heading(_("Versions"))
        + markup.table(heads, rows, frozenset({5}))
        + markup.soft(markup.safe(_won_and_lost()))
    )


def _won_and_lost() -> str:
    return _(
        "Among more than two seats, who comes first (alone or with its partner) has won, who shares"
        " the first place with a rival has drawn, and everybody else has lost."
    )


def _version(version: VersionPage, owned: bool) -> list[str]:
    record = version.record
    state = markup.badge(*wording.version_state(version.state, owned))
    if owned and version.reason:
        state += f'<p class="ix-reason">{markup.safe(version.reason)}</p>'
    return [
        f"<b>v{version.number}</b>",
        f'<span class="ix-when">{wording.moment(version.created_at)}</span>',
        state,
        markup.safe(", ".join(map(rules.title, version.games))),
        f"{record.wins} - {record.draws} - {record.losses}",
        str(record.faults) if record.faults else "<span class=soft>0</span>",
        f'<code title="{markup.safe(version.sha256)}">{markup.safe(version.sha256[:12])}</code>',
    ]


def _checks(version: VersionPage) -> None:
    """For the owner: the matches that the newest version was checked by, with their evidence."""
    played = bot_pages.checks(arena.database(), version.id)
    if not played:
        return
    title = _("Checks of version {number}").format(number=version.number)
    note = _("Open a check to see what the bot used and what it wrote to stderr.")
    markup.show(markup.heading(title) + matches.table(played) + markup.soft(markup.safe(note)))


def _ratings(bot: BotPage) -> None:
    ladders: dict[str, list[RatingPoint]] = defaultdict(list)
    for point in histories.of_bot(arena.database(), bot.id):
        ladders[point.ladder].append(point)
    for name, points in sorted(ladders.items()):
        markup.show(markup.heading(_("Rating on {ladder}").format(ladder=name)))
        ratings.show(points)
