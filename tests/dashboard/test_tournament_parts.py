"""What the page of a tournament says of rounds, bracket, table, test and strength."""

from __future__ import annotations

import re
from html import escape

import pytest

from arena_service.scheduling import departures
from arena_service.store import bot_pages, courses, strengths, tournaments
from arena_service.store.courses import Course
from arena_service.store.database import Database
from arena_service.store.ledger import Scope
from arena_service.store.settings import Settings, sprt
from arena_service.store.standings import tournament_standings
from dashboard.charts import bracket_layout
from dashboard.views import bracket, entrants, points, rounds, strength, tournament, trial
from tests.arena_service.store.arena import NOON, outcome
from tests.arena_service.store.cup import LATER, Cup


def course_of(cup: Cup) -> tuple[Course, dict[str, str]]:
    found = courses.course(cup.db, cup.id)
    return found, bot_pages.bot_ids(cup.db, [each.version_id for each in found.entrants])


def test_a_swiss_round_shows_scores_byes_and_who_left(database: Database) -> None:
    cup = Cup(database, entries=5, pairs=1, format="swiss", settings=Settings(rounds=2))
    cup.start()
    course, bots = course_of(cup)
    assert "bye: nobody to meet" in rounds.show(course.rounds, bots, "cup", "")
    cup.play()
    course, bots = course_of(cup)
    version = course.rounds[0].encounters[0].players[0].version_id
    departures.disqualify(database, cup.id, bots[version], cup.arena.owner, LATER, "<b>cheats</b>")
    cup.play_to_the_end()
    course, bots = course_of(cup)
    first = rounds.show(course.rounds, bots, "cup", "1")
    assert "1 : 1" in first
    assert "0 : 1" in first
    assert rounds.show(course.rounds, bots, "cup", "") == rounds.show(
        course.rounds, bots, "cup", "2"
    )
    for unknown in ("0", "3", "abc", "<b>"):
        told = rounds.show(course.rounds, bots, "cup", unknown)
        assert f"There is no round “{escape(unknown)}”." in told
        assert "<table" not in told
    table = points.table(course.table, bots, ended=True)
    for head in ("Points", "Buchholz", "Sonneborn-Berger", "Credit", "disqualified"):
        assert head in table
    left = entrants.leavers(course.entrants, bots)
    assert "&lt;b&gt;cheats&lt;/b&gt;" in left
    assert "Nothing it played, for anybody" in left


def test_a_bracket_tells_who_is_expected_and_what_is_not_needed(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=1, format="double_elimination")
    assert courses.course(database, cup.id).bracket == ()
    cup.start()
    places = bracket_layout.layout(3)
    first = bracket.cards(courses.course(database, cup.id), places, "cup")
    said = [[line.name for line in card.lines] for card in first.values()]
    assert said[:2] == [["bot-1", "bot-2"], ["bot-0", "Winner of 1"]]
    assert first[min(first)].note == "0 of 1 pairs"
    cup.play_to_the_end()
    course, bots = course_of(cup)
    last = list(bracket.cards(course, places, "cup").values())
    assert all(card.state in ("done", "idle") for card in last)
    assert last[-2].lines[0].fate in ("won", "lost")
    assert "winner" in points.table(course.table, bots, ended=True)


def test_a_test_says_its_verdict_and_the_way_to_it(database: Database) -> None:
    rule = Settings(sprt=sprt(0, 50, 0, 0))
    cup = Cup(database, entries=2, pairs=16, format="test", settings=rule)
    cup.start()
    cup.play_to_the_end()
    course, _bots = course_of(cup)
    assert course.test is not None
    assert len(course.test.path) == course.test.looked == 16
    assert course.test.path[-1] == course.test.llr
    assert trial.verdict(course.test, course.entrants).startswith("It is open whether ann2/bot-0")
    assert trial.fact(course.test, course.entrants) == ("bot-0 against bot-1", "undecided")


def test_strength_has_numbers_for_everybody(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=2)
    cup.start(NOON)
    rows = tournament_standings(database, cup.id)
    order = [each.version_id for each in rows]
    bots = bot_pages.bot_ids(database, order)
    nothing = strengths.compare(database, Scope(tournament=cup.id), order)
    assert nothing == strengths.Comparison((None, None), ())
    assert "No pair has been played yet." in strength.show(rows, nothing, bots)
    cup.play()
    found = strengths.compare(database, Scope(tournament=cup.id), order)
    assert found.ahead == (pytest.approx(0.5), pytest.approx(0.5))
    assert [each.mean for each in found.seats] == [1.0, 0.0]
    page = strength.show(tournament_standings(database, cup.id), found, bots)
    assert "50.0 %" in page
    assert "nan" not in page


@pytest.mark.parametrize(
    ("teams", "ranks", "worth"),
    [
        (None, [1, 2, 3], ["100.0 %", "50.0 %", "0.0 %"]),
        ([0, 1, 0, 1], [2, 1, 2, 1], ["0.0 %", "100.0 %", "0.0 %", "100.0 %"]),
    ],
)
def test_every_seat_has_its_worth_alone_and_in_teams(
    database: Database, teams: list[int] | None, ranks: list[int], worth: list[str]
) -> None:
    cup = Cup(database, entries=len(ranks), seats=len(ranks), pairs=2)
    cup.start()
    scope = Scope(tournament=cup.id)
    assert "No pair has been played yet." in strength.seats(
        strengths.worth_of_seats(database, scope)
    )
    while (found := cup.arena.work().lease("w", now=LATER)) is not None:
        for match in found.matches:
            post = outcome(match, ranks)
            if teams is not None:
                post.replay["teams"] = teams
            cup.arena.work().accept(found.series, found.fence, post, now=LATER)
    page = strength.seats(strengths.worth_of_seats(database, scope))
    assert "What the seats are worth" in page
    assert re.findall(r"<td class=r>([\d.]+ %)</td>", page) == worth
    assert "seats" in tournament.parts_of(tournaments.show(database, cup.id))
