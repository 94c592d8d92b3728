"""What pages read: matches by what is wanted, bots, ratings over time, who beat whom."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store import bot_pages, bots, crosstables, histories, queries, tallies
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.ledger import Scope
from arena_service.store.match_search import MatchSearch, Standing, search
from arena_service.store.states import MatchKind
from arena_service.store.tables import Event, Match, MatchSeat
from arena_service.work import Assignment
from tests.arena_service.store.arena import SmallArena, outcome, play_all


@pytest.fixture
def played(database: Database) -> SmallArena:
    """A ladder of three bots whose first slot is complete: seat 0 won every match."""
    arena = SmallArena(database)
    arena.close()
    play_all(arena, arena.due)
    return arena


def bot_of(arena: SmallArena, number: int) -> str:
    return bot_pages.bot_page(arena.db, f"ann2/bot-{number}").id


def test_matches_are_narrowed_by_bot_and_opponent(played: SmallArena) -> None:
    first, second = bot_of(played, 0), bot_of(played, 1)
    everything = search(played.db, MatchSearch(ladder=played.ladder), 100)
    of_first = search(played.db, MatchSearch(bot=first), 100)
    of_both = search(played.db, MatchSearch(bot=first, against=second), 100)
    assert len(everything) == 12
    assert len(of_first) == 8
    assert len(of_both) == 4
    assert all({"bot-0", "bot-1"} == {p.bot for p in row.players} for row in of_both)
    assert search(played.db, MatchSearch(tournament="none")) == []
    assert search(played.db, MatchSearch(bot="none")) == []


def test_matches_are_narrowed_by_where_they_stand(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    assignment = arena.work().lease("w", now=arena.due)
    assert assignment is not None
    first = assignment.matches[0]
    fault = outcome(first, ending="crash", at_fault=1)
    arena.work().accept(assignment.series, assignment.fence, fault, now=arena.due)

    def ids(standing: Standing) -> set[str]:
        return {row.id for row in search(database, MatchSearch(standing=standing), 100)}

    assert ids(Standing.FINISHED) == ids(Standing.FAULT) == {first.match_id}
    resigned = outcome(assignment.matches[1], ending="resigned", at_fault=0)
    arena.work().accept(assignment.series, assignment.fence, resigned, now=arena.due)
    assert ids(Standing.FAULT) == {first.match_id}
    for seat, wanted in ((0, set()), (1, {first.match_id})):
        bot = bots.version(database, first.players[seat]).bot_id
        found = search(database, MatchSearch(bot=bot, standing=Standing.FAULT))
        assert {row.id for row in found} == wanted
        faults = bot_pages.bot_page(database, bot).versions[0].record.faults
        assert faults == len(wanted)
    assert ids(Standing.RUNNING) == {match.match_id for match in assignment.matches[2:]}
    assert len(ids(Standing.WAITING)) == 12 - len(assignment.matches)


def test_what_was_played_last_comes_first_and_what_is_next_after_it(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    held = arena.work().lease("w", now=arena.due)
    assert held is not None
    for match in held.matches[:2]:
        arena.work().accept(held.series, held.fence, outcome(match), now=arena.due)
    found = [row.id for row in search(database, MatchSearch(), 4)]
    assert found == [held.matches[each].match_id for each in (1, 0, 2, 3)]


def test_a_page_of_matches_follows_the_one_before(played: SmallArena) -> None:
    wanted = MatchSearch(ladder=played.ladder)
    pages = [search(played.db, wanted, 5, offset) for offset in (0, 5, 10, 15)]
    assert [len(page) for page in pages] == [5, 5, 2, 0]
    assert len({row.id for page in pages for row in page}) == 12


def test_a_bot_is_found_by_id_and_by_name(played: SmallArena) -> None:
    by_name = bot_pages.bot_page(played.db, "ann2/bot-1")
    assert bot_pages.bot_page(played.db, by_name.id) == by_name
    assert [version.number for version in by_name.versions] == [1]
    record = by_name.versions[0].record
    assert (record.wins, record.draws, record.losses, record.faults) == (4, 0, 4, 0)
    with pytest.raises(NotFoundError):
        bot_pages.bot_page(played.db, "ann2/nobody")
    with pytest.raises(NotFoundError):
        bot_pages.bot_page(played.db, "")


def test_bots_are_listed_with_their_newest_version_first(played: SmallArena) -> None:
    played.submit("bot-1", b"another")
    listed = bot_pages.all_bots(played.db)
    assert [bot.name for bot in listed] == ["bot-0", "bot-1", "bot-2"]
    assert [version.number for version in listed[1].versions] == [2, 1]
    owned = bot_pages.bots_of(played.db, played.owner)
    assert [bot.versions[0].record.wins for bot in owned] == [4, 0, 4]
    assert bot_pages.bots_of(played.db, "nobody") == []
    assert [bot.name for bot in bot_pages.all_bots(played.db, limit=1, offset=1)] == ["bot-1"]
    assert [place.id for place in bot_pages.places(played.db, listed[0].id)] == [played.ladder]


def test_check_matches_are_kept_apart(played: SmallArena) -> None:
    version = played.versions[0]
    seated = select(col(MatchSeat.match)).where(col(MatchSeat.bot_version) == version)
    with played.db.write() as session:
        match = session.scalars(select(Match).where(col(Match.id).in_(seated)).limit(1)).one()
        match.kind, match.event = MatchKind.CHECK, None
    assert [row.id for row in bot_pages.checks(played.db, version)] == [match.id]
    assert match.id not in {row.id for row in search(played.db, MatchSearch(), 100)}


def test_ratings_form_a_history_of_slots(played: SmallArena) -> None:
    for hours in (1, 2):
        played.close(played.due + timedelta(hours=hours))
        play_all(played, played.due + timedelta(hours=hours))
    points = histories.of_ladder(played.db, played.ladder)
    assert sorted({point.slot for point in points}) == [1, 2]
    mine = histories.of_bot(played.db, bot_of(played, 0))
    assert [(point.slot, point.bot, point.version) for point in mine] == [
        (1, "bot-0", 1),
        (2, "bot-0", 1),
    ]
    assert [point.at for point in mine] == sorted(point.at for point in mine)


def test_everybody_met_everybody(played: SmallArena) -> None:
    table = crosstables.crosstable(played.db, Scope(ladder=played.ladder))
    assert len(table) == 6
    assert {(meeting.pairs, meeting.share) for meeting in table.values()} == {(2, 0.5)}
    assert crosstables.crosstable(played.db, Scope(tournament="none")) == {}


def test_partners_did_not_meet(database: Database) -> None:
    arena = SmallArena(database, seats=4, entries=4, pairs=1)
    found = lease_all(arena)
    for match in found.matches:
        post = outcome(match, [1, 2, 1, 2])
        post.replay["teams"] = [0, 1, 0, 1]
        assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    a, b, c, d = found.matches[0].players
    met = {frozenset(two) for two in crosstables.crosstable(database, Scope(ladder=arena.ladder))}
    assert met == {frozenset(two) for two in product((a, c), (b, d))}


def lease_all(arena: SmallArena) -> Assignment:
    arena.close()
    found = arena.work().lease("w", now=arena.due)
    assert found is not None
    return found


def told(arena: SmallArena, version: str) -> tuple[set[tuple[int, int, int]], int]:
    """Won, drawn, lost as the standings and as the page of the bot have them; and faults."""
    rows = queries.standings(arena.db, arena.ladder).rows
    row = next(row for row in rows if row.version_id == version)
    bot = bots.version(arena.db, version).bot_id
    record = bot_pages.bot_page(arena.db, bot).versions[0].record
    assert row.faults == record.faults
    return (
        {(row.wins, row.draws, row.losses), (record.wins, record.draws, record.losses)},
        row.faults,
    )


def test_the_second_of_three_has_lost(database: Database) -> None:
    arena = SmallArena(database, seats=3, entries=3, pairs=1)
    found = lease_all(arena)
    order = {version: rank for rank, version in enumerate(arena.versions, 1)}
    for match in found.matches:
        post = outcome(match, [order[version] for version in match.players])
        assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    legs = len(found.matches)
    fared = [told(arena, version) for version in arena.versions]
    assert fared == [({(legs, 0, 0)}, 0), ({(0, 0, legs)}, 0), ({(0, 0, legs)}, 0)]


def test_the_first_rank_is_won_with_partners_and_drawn_with_rivals(database: Database) -> None:
    arena = SmallArena(database, seats=4, entries=4, pairs=1)
    found = lease_all(arena)
    first = found.matches[0].players[0]
    for number, match in enumerate(found.matches):
        won = match.players.index(first) % 2
        ranks = [1, 1, 1, 1] if number == 0 else [1 + (seat % 2 != won) for seat in range(4)]
        post = outcome(match, ranks)
        post.replay["teams"] = [0, 1, 0, 1]
        assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    assert told(arena, first) == ({(len(found.matches) - 1, 1, 0)}, 0)


def test_faults_of_a_row_are_of_its_rules(database: Database) -> None:
    arena = SmallArena(database, entries=2, pairs=1)
    found = lease_all(arena)
    for match in found.matches:
        post = outcome(match, ending="timeout", at_fault=1)
        assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    assert [told(arena, version)[1] for version in arena.versions] == [1, 1]
    with database.write() as session:
        event = session.scalars(select(Event).where(col(Event.slot) == 1)).one()
        event.rules_version = 2
        assert tallies.faults(session, Scope(ladder=arena.ladder), 1) == {}
