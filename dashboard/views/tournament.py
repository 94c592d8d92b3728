"""One tournament: its progress and standings, and what its format has beside them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from arena_service.formats.catalogue import CHALLENGE
from arena_service.store import (
    bot_pages,
    challenges,
    courses,
    crosstables,
    progress,
    strengths,
    tournaments,
)
from arena_service.store.courses import Course
from arena_service.store.ledger import Scope
from arena_service.store.standings import tournament_standings
from arena_service.store.tournaments import TournamentRow
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.live import section
from dashboard.views import (
    bracket,
    challenge,
    entrants,
    markup,
    parameters,
    points,
    rounds,
    rules,
    slots,
    standings,
    strength,
    trial,
    versus,
    wording,
)

ROUNDS_COUNT = ("swiss", "double_elimination", "final")
Parts = dict[str, tuple[str, Callable[[TournamentRow], None]]]


def show(row: TournamentRow) -> None:
    """The part of it that the address names, below its name."""
    parts = parts_of(row)
    part = parameters.one_of("show", tuple(parts))
    markup.titled(row.name, _("Tournaments"))
    entries = [
        (markup.address("tournaments", tournament=row.name, show=name), label)
        for name, (label, _draw) in parts.items()
    ]
    entries.append((markup.address("matches", tournament=row.name), _("All matches")))
    markup.show(
        markup.soft(markup.link(markup.address("tournaments"), _("All tournaments")))
        + markup.heading(row.name, 1)
        + markup.soft(markup.safe(_about(row)))
        + markup.tabs(_("Parts of the tournament"), entries, parts[part][0])
    )
    parts[part][1](row)


def parts_of(row: TournamentRow) -> Parts:
    """What fits the format, by the word in the address."""
    special: dict[str, Parts] = {
        "swiss": {"rounds": (_("Rounds"), _rounds)},
        "double_elimination": {
            "bracket": (_("Bracket"), _bracket),
            "rounds": (_("Rounds"), _rounds),
        },
        "test": {"test": (_("Test"), _test)},
        "final": {"rounds": (_("Rounds"), _rounds)},
    }
    how_strong: Parts = (
        {"strength": (_("Strength"), _strength)}
        if row.seats == 2
        else {"seats": (_("Seats"), _seats)}
    )
    if row.format == CHALLENGE:
        return {
            "summary": (_("Summary"), _challenge),
            "fairness": (_("Commitment and key"), _fairness),
        }
    return {
        "standings": (_("Standings"), _standings),
        **special.get(row.format, {}),
        "versus": (_("Head to head"), _versus),
        **how_strong,
        "fairness": (_("Commitment and key"), _fairness),
    }


def _about(row: TournamentRow) -> str:
    pairs = plural(
        "{count} pair for every group of seats",
        "{count} pairs for every group of seats",
        row.pairs,
    )
    if row.format in ("test", "final"):
        pairs = plural("at most {count} pair", "at most {count} pairs", row.pairs)
    about = _("{game}, {seats} seats, {format}, {pairs}").format(
        game=rules.game(row.game, row.options),
        seats=row.seats,
        format=wording.format_of(row.format),
        pairs=pairs,
    )
    if not row.ladder:
        return about
    return about + "; " + _("the final run of the ladder {name}").format(name=row.ladder)


def _course(row: TournamentRow) -> tuple[Course, dict[str, str]]:
    """The course, and the ids of the bots by version."""
    found = courses.course(arena.database(), row.id)
    versions = [each.version_id for each in found.entrants]
    return found, bot_pages.bot_ids(arena.database(), versions)


def _live(part: str, row: TournamentRow, draw: Callable[[TournamentRow], None]) -> None:
    """Draw from a fresh row again and again, until the tournament has ended."""

    def again() -> bool:
        fresh = tournaments.show(arena.database(), row.id)
        draw(fresh)
        return not fresh.ended

    section.show(f"{part}-{row.id}", again)


def _standings(row: TournamentRow) -> None:
    def draw(fresh: TournamentRow) -> None:
        rows = tournament_standings(arena.database(), fresh.id)
        done = progress.event_progress(arena.database(), fresh.event)
        course, bots = _course(fresh)
        table = points.table(course.table, bots, fresh.ended)
        markup.show(
            _numbers(fresh, done, course)
            + table
            + (markup.heading(_("Strength")) if table else "")
            + standings.table(rows, fresh.seats, {"tournament": fresh.name})
            + entrants.leavers(course.entrants, bots)
        )

    _live("tournament", row, draw)
    st.download_button(
        _("Standings as CSV"),
        lambda: standings.to_file(tournament_standings(arena.database(), row.id)),
        "standings.csv",
        "text/csv",
    )


def _rounds(row: TournamentRow) -> None:
    asked = parameters.typed("round")

    def draw(fresh: TournamentRow) -> None:
        course, bots = _course(fresh)
        markup.show(rounds.show(course.rounds, bots, fresh.name, asked))

    _live("rounds", row, draw)


def _bracket(row: TournamentRow) -> None:
    _live("bracket", row, lambda fresh: bracket.show(_course(fresh)[0], fresh.name))


def _test(row: TournamentRow) -> None:
    def draw(fresh: TournamentRow) -> None:
        trial.show(_course(fresh)[0], tournament_standings(arena.database(), fresh.id))

    _live("test", row, draw)


def _challenge(row: TournamentRow) -> None:
    def draw(fresh: TournamentRow) -> None:
        found = challenges.outcome(arena.database(), fresh.id)
        versions = [side.standing.version_id for side in found.sides]
        done = progress.event_progress(arena.database(), fresh.event)
        bots = bot_pages.bot_ids(arena.database(), versions)
        markup.show(_numbers(fresh, done, None) + challenge.show(found, bots))

    _live("challenge", row, draw)


def _versus(row: TournamentRow) -> None:
    met = crosstables.crosstable(arena.database(), Scope(tournament=row.id))
    rows = tournament_standings(arena.database(), row.id)
    markup.show(versus.table(rows, met, {"tournament": row.name}))


def _strength(row: TournamentRow) -> None:
    rows = tournament_standings(arena.database(), row.id)
    versions = [each.version_id for each in rows]
    found = strengths.compare(arena.database(), Scope(tournament=row.id), versions)
    markup.show(strength.show(rows, found, bot_pages.bot_ids(arena.database(), versions)))


def _seats(row: TournamentRow) -> None:
    markup.show(
        strength.seats(strengths.worth_of_seats(arena.database(), Scope(tournament=row.id)))
    )


def _numbers(row: TournamentRow, done: progress.EventProgress, course: Course | None) -> str:
    facts = [
        (_("State"), markup.badge(*wording.state(row.state))),
        (_("Entrants"), str(row.entrants)),
    ]
    if course is not None and course.test is not None:
        facts.append(trial.fact(course.test, course.entrants))
    if course is not None and row.format in ROUNDS_COUNT and course.rounds:
        facts.append((_("Rounds complete"), markup.safe(_rounds_done(row, course))))
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


def _rounds_done(row: TournamentRow, course: Course) -> str:
    """Of a bracket nobody knows how many there will be."""
    done = sum(each.closed for each in course.rounds)
    if not row.rounds:
        return str(done)
    return _("{done} of {planned}").format(done=done, planned=row.rounds)


def _fairness(row: TournamentRow) -> None:
    note = _(
        "The commitment is the SHA-256 of the key and public before anybody plays."
        " The digest of the entrants is fixed at the start;"
        " the key that every deal came from follows at the end."
    )
    codes = slots.secrets(arena.viewer(), row.ended, row.commitment, row.key, row.entrants_digest)
    markup.show(codes + markup.soft(markup.safe(note)))
