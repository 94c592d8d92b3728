"""Tournaments: the list, and one of them with its progress and standings."""

from __future__ import annotations

import streamlit as st

from arena_service.store import crosstables, progress, tournaments
from arena_service.store.errors import NotFoundError
from arena_service.store.ledger import Scope
from arena_service.store.standings import tournament_standings
from arena_service.store.tournaments import TournamentRow
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.live import section
from dashboard.views import markup, parameters, rules, slots, standings, versus, wording


def page() -> None:
    """The tournament that the address names, or all of them."""
    asked = parameters.identifier("tournament")
    if asked is None:
        _list()
        return
    try:
        found = tournaments.show(arena.database(), asked)
    except NotFoundError:
        st.warning(_("There is no such tournament; here are all of them."))
        _list()
        return
    _one(found)


def _list() -> None:
    rows = tournaments.all_tournaments(arena.database())
    heads = [_("Tournament"), _("State"), _("Game"), _("Entrants"), _("Created"), _("Ended")]
    body = (
        markup.table(heads, [_row(row) for row in rows], frozenset({3}))
        if rows
        else f'<p class="ix-empty">{markup.safe(_no_tournament())}</p>'
    )
    markup.show(markup.heading(_("Tournaments"), 1) + body)


def _no_tournament() -> str:
    return _("There is no tournament yet. Create one with `interrex tournament create`.")


def _row(row: TournamentRow) -> list[str]:
    name = markup.link(markup.address("tournaments", tournament=row.name), row.name)
    return [
        f'<b class="ix-name">{name}</b> <span class=soft>{markup.safe(row.owner)}</span>',
        markup.badge(*wording.state(row.state)),
        markup.safe(rules.game(row.game, row.options)),
        str(row.entrants),
        f'<span class="ix-when">{wording.moment(row.created_at)}</span>',
        f'<span class="ix-when">{wording.moment(row.ended_at)}</span>',
    ]


def _one(row: TournamentRow) -> None:
    parts = {
        "standings": _("Standings"),
        "versus": _("Head to head"),
        "fairness": _("Commitment and key"),
    }
    part = parameters.one_of("show", tuple(parts))
    markup.titled(row.name, _("Tournaments"))
    entries = [
        (markup.address("tournaments", tournament=row.name, show=name), label)
        for name, label in parts.items()
    ]
    entries.append((markup.address("matches", tournament=row.name), _("All matches")))
    markup.show(
        markup.soft(markup.link(markup.address("tournaments"), _("All tournaments")))
        + markup.heading(row.name, 1)
        + markup.soft(markup.safe(_about(row)))
        + markup.tabs(_("Parts of the tournament"), entries, parts[part])
    )
    if part == "standings":
        _standings(row.name)
    elif part == "versus":
        met = crosstables.crosstable(arena.database(), Scope(tournament=row.id))
        rows = tournament_standings(arena.database(), row.id)
        markup.show(versus.table(rows, met, {"tournament": row.name}))
    else:
        markup.show(_fairness(row))


def _about(row: TournamentRow) -> str:
    pairs = plural(
        "{count} pair for every group of seats",
        "{count} pairs for every group of seats",
        row.pairs,
    )
    return _("{game}, {seats} seats, {format}, {pairs}").format(
        game=rules.game(row.game, row.options),
        seats=row.seats,
        format=wording.format_of(row.format),
        pairs=pairs,
    )


def _standings(name: str) -> None:
    def draw() -> bool:
        row = tournaments.show(arena.database(), name)
        rows = tournament_standings(arena.database(), row.id)
        done = progress.event_progress(arena.database(), row.event)
        markup.show(_numbers(row, done) + standings.table(rows, {"tournament": name}))
        return not row.ended

    section.show(f"tournament-{name}", draw)
    st.download_button(
        _("Standings as CSV"),
        lambda: standings.to_file(
            tournament_standings(arena.database(), tournaments.show(arena.database(), name).id)
        ),
        "standings.csv",
        "text/csv",
    )


def _numbers(row: TournamentRow, done: progress.EventProgress) -> str:
    facts = [
        (_("State"), markup.badge(*wording.state(row.state))),
        (_("Entrants"), str(row.entrants)),
    ]
    if row.started_at is not None:
        share = done.pairs_done / done.pairs_planned if done.pairs_planned else 1.0
        words = _("{done} of {planned}").format(done=done.pairs_done, planned=done.pairs_planned)
        facts.append((_("Pairs played"), markup.safe(words) + markup.progress(share)))
    if row.state == "running":
        running = plural("{count} match", "{count} matches", done.matches_running)
        left = _("not known yet") if done.eta_seconds is None else wording.span(done.eta_seconds)
        facts.append((_("Being played"), markup.safe(running)))
        facts.append((_("Time left"), markup.safe(left)))
    if row.ended_at is not None:
        facts.append((_("Ended"), f'<span class="ix-when">{wording.moment(row.ended_at)}</span>'))
    return markup.tiles(facts)


def _fairness(row: TournamentRow) -> str:
    note = _(
        "The commitment is the SHA-256 of the key and public before anybody plays."
        " The digest of the entrants is fixed at the start;"
        " the key that every deal came from follows at the end."
    )
    codes = slots.secrets(arena.viewer(), row.ended, row.commitment, row.key, row.entrants_digest)
    return codes + markup.soft(markup.safe(note))
