"""One ladder: its standings, who beat whom, ratings over time, and its slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from arena_service.store import (
    bot_pages,
    crosstables,
    histories,
    ladders,
    pairings,
    queries,
    strengths,
)
from arena_service.store.ladders import LadderRow
from arena_service.store.ledger import Scope
from arena_service.store.progress import event_progress
from arena_service.store.queries import Standings
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.live import section
from dashboard.views import (
    markup,
    parameters,
    ratings,
    rules,
    slots,
    standings,
    strength,
    versus,
    wording,
)
from dashboard.views import pairings as groups

Parts = dict[str, tuple[str, Callable[[LadderRow], None]]]


def page() -> None:
    """The ladder that the address names, or the first when it names none."""
    known = ladders.all_ladders(arena.database())
    if not known:
        markup.show(markup.heading(_("Ladders"), 1))
        st.info(_("There is no ladder yet. Create one with `interrex ladder create`."))
        return
    asked = parameters.typed("ladder")
    named = [entry for entry in known if asked in ("", entry.id, entry.name)]
    if named:
        _show(known, named[0])
    else:
        what = _("There is no ladder “{name}”.").format(name=asked)
        markup.show(
            markup.heading(_("Ladders"), 1)
            + markup.missing(what, markup.safe(_("Choose one of these:")))
            + _chips(known, None)
        )


def _show(known: Sequence[LadderRow], ladder: LadderRow) -> None:
    how_strong: Parts = (
        {"strength": (_("Strength"), _strength)}
        if ladder.seats == 2
        else {"seats": (_("Seats"), _seats)}
    )
    parts: Parts = {
        "standings": (_("Standings"), _standings),
        "versus": (_("Head to head"), _versus),
        **how_strong,
        "ratings": (_("Ratings over time"), _ratings),
        "slots": (_("Slots"), _slots),
    }
    part = parameters.one_of("show", tuple(parts))
    markup.titled(ladder.name, _("Ladders"))
    markup.show(_top(known, ladder, {name: label for name, (label, _draw) in parts.items()}, part))
    parts[part][1](ladder)


def _top(known: Sequence[LadderRow], ladder: LadderRow, parts: dict[str, str], part: str) -> str:
    entries = [
        (markup.address("ladders", ladder=ladder.name, show=name), label)
        for name, label in parts.items()
    ]
    entries.append((markup.address("matches", ladder=ladder.name), _("All matches")))
    return (
        (_chips(known, ladder) if len(known) > 1 else "")
        + markup.heading(ladder.name, 1)
        + markup.soft(markup.safe(_about(ladder)))
        + _final(ladder)
        + markup.tabs(_("Parts of the ladder"), entries, parts[part])
    )


def _final(ladder: LadderRow) -> str:
    if not ladder.final:
        return ""
    link = markup.link(markup.address("tournaments", tournament=ladder.final), ladder.final)
    text = _("In its final run: entries are closed and no slot begins until it has ended.")
    return markup.soft(f"{markup.safe(text)} {link}")


def _chips(known: Sequence[LadderRow], current: LadderRow | None) -> str:
    links = [
        f"<b>{markup.safe(entry.name)}</b>"
        if entry == current
        else markup.link(markup.address("ladders", ladder=entry.name), entry.name)
        for entry in known
    ]
    return f'<nav class="ix-chips" aria-label="{markup.safe(_("Ladders"))}">{"".join(links)}</nav>'


def _about(ladder: LadderRow) -> str:
    pairs = plural(
        "{count} pair a slot for every group of seats",
        "{count} pairs a slot for every group of seats",
        ladder.pairs_per_slot,
    )
    return _("{game}, {seats} seats, {pairs}; slots {schedule} ({timezone})").format(
        game=rules.game(ladder.game, ladder.options),
        seats=ladder.seats,
        pairs=pairs,
        schedule=wording.schedule(ladder.cron),
        timezone=ladder.timezone,
    )


def _standings(ladder: LadderRow) -> None:
    def draw() -> bool:
        found = queries.standings(arena.database(), ladder.id)
        markup.show(
            _numbers(found, _running(found))
            + standings.table(found.rows, ladder.seats, {"ladder": ladder.name}, _rated_slot(found))
        )
        return True

    section.show(f"standings-{ladder.id}", draw)
    st.download_button(
        _("Standings as CSV"),
        lambda: standings.to_file(queries.standings(arena.database(), ladder.id).rows),
        "standings.csv",
        "text/csv",
    )


def _rated_slot(found: Standings) -> int:
    """The newest slot that is complete: ratings are fitted at its end."""
    return found.slot - (found.pairs_done < found.pairs_planned)


def _running(found: Standings) -> int:
    """How many matches are played now."""
    if found.event is None:
        return 0
    return event_progress(arena.database(), found.event).matches_running


def _numbers(found: Standings, running: int) -> str:
    wait = (found.next_due - datetime.now(UTC)).total_seconds()
    due = _("in {span}").format(span=wording.span(wait)) if wait > 0 else _("now")
    facts = [(_("Next slot"), markup.safe(due))]
    if not found.slot:
        return markup.tiles(facts) + markup.soft(
            markup.safe(_("The first slot has not started yet."))
        )
    share = found.pairs_done / found.pairs_planned if found.pairs_planned else 0.0
    done = _("{done} of {planned}").format(done=found.pairs_done, planned=found.pairs_planned)
    facts = [
        (_("Slot"), str(found.slot)),
        (_("Pairs played"), markup.safe(done) + markup.progress(share)),
        (_("Being played"), markup.safe(plural("{count} match", "{count} matches", running))),
        *facts,
    ]
    return markup.tiles(facts)


def _versus(ladder: LadderRow) -> None:
    found = queries.standings(arena.database(), ladder.id)
    met = crosstables.crosstable(arena.database(), Scope(ladder=ladder.id))
    markup.show(versus.table(found.rows, met, {"ladder": ladder.name}))


def _strength(ladder: LadderRow) -> None:
    """From the slots that the ratings in the table are from."""
    db, found = arena.database(), queries.standings(arena.database(), ladder.id)
    versions = [row.version_id for row in found.rows]
    compared = strengths.compare(db, Scope(ladder.id, slots=(1, _rated_slot(found))), versions)
    markup.show(strength.show(found.rows, compared, bot_pages.bot_ids(db, versions)))


def _seats(ladder: LadderRow) -> None:
    found = queries.standings(arena.database(), ladder.id)
    scope = Scope(ladder.id, slots=(1, _rated_slot(found)))
    markup.show(strength.seats(strengths.worth_of_seats(arena.database(), scope)))


def _ratings(ladder: LadderRow) -> None:
    ratings.show(histories.of_ladder(arena.database(), ladder.id))


def _slots(ladder: LadderRow) -> None:
    asked = parameters.typed("slot")
    number = parameters.whole(asked, low=1, high=ladder.slot)
    if number is not None:
        met = pairings.of_slot(arena.database(), ladder.id, number)
        markup.show(groups.show(number, met))
    elif asked:
        what = _("There is no slot “{name}” of this ladder.").format(name=asked)
        markup.show(markup.missing(what, markup.safe(_("Choose one of these:"))))
    markup.show(slots.table(queries.events(arena.database(), ladder.id), ladder.name))
