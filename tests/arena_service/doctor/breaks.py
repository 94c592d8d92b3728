"""Ways to break an arena by SQL: what no program of the arena would do."""

from __future__ import annotations

from dataclasses import dataclass

RATED = (
    "(SELECT min(ledger.match) FROM ledger JOIN result ON result.match = ledger.match "
    "WHERE ending = 'completed')"
)
OTHER = "(SELECT max(match) FROM ledger)"
SLOT = "(SELECT id FROM event WHERE state = 'complete' AND slot = 1)"
# A match that ratings are made of: of a complete event, with every leg of its pair.
COUNTED = (
    f"(SELECT min(match) FROM ledger WHERE event = {SLOT} AND pair IN "
    "(SELECT pair FROM ledger GROUP BY pair HAVING count(*) = 2))"
)
TO_PLAY = "(SELECT min(id) FROM \"match\" WHERE state = 'planned')"
OF_SLOT = f'(SELECT min(id) FROM "match" WHERE event = {SLOT})'
CHECKED = "(SELECT id FROM \"match\" WHERE kind = 'check')"
NO_CONTEST = "(SELECT match FROM result WHERE ending = 'no_contest')"
STRANGER = f"(SELECT bot_version FROM match_seat WHERE match = {CHECKED} AND seat = 0)"
CHECK_OF_STRANGER = (
    f'UPDATE bot_version SET check_series = (SELECT series FROM "match" WHERE id = {CHECKED}) '
    f"WHERE id = {STRANGER}"
)
FIRST_LEG = (
    '(SELECT min("match".id) FROM "match" JOIN event ON event.id = event '
    "WHERE slot IS NULL AND leg = 0)"
)
PAIR = f"(SELECT min(id) FROM pair WHERE event = {SLOT})"
ZEROS = "0" * 64


@dataclass(frozen=True)
class Break:
    """What is done to the data, and which check must say what of it."""

    check: str
    says: str
    sql: tuple[str, ...]


def broken(check: str, says: str, *sql: str) -> Break:
    return Break(check, says, sql)


def disqualified(version: str, round: int = 1) -> str:
    """A departure from the tournament without what follows from it."""
    return (
        f"INSERT INTO departure SELECT id, {version}, 'disqualified', {round}, "
        "(SELECT min(id) FROM account), '', created_at FROM event WHERE slot IS NULL"
    )


BREAKS = [
    broken(
        "standings",
        "keeps other results of version",
        f"UPDATE ladder_tally SET wins = wins + 1 WHERE event = {SLOT} AND bot_version = "
        f"(SELECT min(bot_version) FROM ladder_tally WHERE event = {SLOT})",
    ),
    broken(
        "standings",
        "keeps other faults of version",
        f"UPDATE ladder_tally SET faults = faults + 1 WHERE event = {SLOT}",
    ),
    broken(
        "standings",
        "has losses: ",
        "UPDATE bot_version SET losses = losses + 1 WHERE id = (SELECT min(id) FROM bot_version)",
    ),
    broken(
        "references",
        "rows name no bot: nobody",
        "UPDATE ladder_entry SET bot = 'nobody' WHERE bot = (SELECT min(bot) FROM ladder_entry)",
    ),
    broken(
        "references",
        "1 rows name no attempt: lost",
        f"UPDATE result SET attempt = 'lost' WHERE match = {RATED}",
    ),
    broken(
        "events",
        "is complete, ended at None",
        f"UPDATE event SET completed_at = NULL WHERE id = {SLOT}",
    ),
    broken(
        "events",
        "is running without an entrants digest",
        "UPDATE event SET entrants_digest = NULL WHERE state = 'running'",
    ),
    broken("events", "has the slots [1, 2, 4]", "UPDATE event SET slot = 4 WHERE slot = 3"),
    broken(
        "events",
        "has not exactly its last slot open",
        "UPDATE event SET state = 'running' WHERE slot = 3",
    ),
    broken(
        "events",
        "has more than one running slot",
        f"UPDATE event SET state = 'running' WHERE id = {SLOT}",
    ),
    broken(
        "events",
        "is of ladder None and tournament None",
        "UPDATE event SET tournament = NULL WHERE slot IS NULL",
    ),
    broken(
        "versions",
        "is checked, its check None is None",
        f"UPDATE bot_version SET state = 'checking' WHERE id = {STRANGER}",
    ),
    broken(
        "versions",
        "is active and passed 0 of the 1 matches of its check",
        CHECK_OF_STRANGER,
        f"UPDATE result SET ending = 'crash' WHERE match = {CHECKED}",
    ),
    broken(
        "versions",
        "is failed and passed 1 of the 1 matches of its check",
        CHECK_OF_STRANGER,
        f"UPDATE bot_version SET state = 'failed', reason = 'x' WHERE id = {STRANGER}",
    ),
    broken(
        "versions",
        "is disabled with the reason ''",
        f"UPDATE bot_version SET state = 'disabled' WHERE id = {STRANGER}",
    ),
    broken(
        "archives",
        "its bytes have another hash than its name",
        "UPDATE artifact SET content = (SELECT max(content) FROM artifact)",
    ),
    broken("archives", "has 5 bytes, stored as 6", "UPDATE artifact SET size = 6"),
    broken(
        "values", "state: expected one of checking, ", "UPDATE bot_version SET state = 'zombie'"
    ),
    broken("values", "games: Input should be a valid list", "UPDATE bot_version SET games = '5'"),
    broken(
        "values",
        "credits.1: Input should be a valid number",
        f"""UPDATE ledger SET credits = '[1, "x"]' WHERE match = {RATED}""",
    ),
    broken("series", "is done with", "UPDATE series SET state = 'done' WHERE state = 'waiting'"),
    broken(
        "series",
        "is waiting with nothing left to play",
        "UPDATE series SET state = 'waiting' WHERE state = 'done'",
    ),
    broken(
        "series", "is leased, worker None", "UPDATE series SET worker = NULL WHERE state = 'leased'"
    ),
    broken(
        "pairs",
        "has 1 matches for 2 legs",
        f'DELETE FROM "match" WHERE id = {TO_PLAY}',
    ),
    broken(
        "schedule",
        "its seed is not the one of its pair",
        f"UPDATE \"match\" SET seed = '{ZEROS}' WHERE id = {TO_PLAY}",
    ),
    broken(
        "schedule",
        "has players on seats [0], not on 2",
        f"DELETE FROM match_seat WHERE seat = 1 AND match = {TO_PLAY}",
    ),
    broken(
        "schedule",
        "not entered in its event",
        f"UPDATE match_seat SET bot_version = {STRANGER} WHERE seat = 1 AND match = {OF_SLOT}",
    ),
    broken(
        "schedule",
        "is a rated match, pair None",
        f'UPDATE "match" SET pair = NULL WHERE id = {TO_PLAY}',
    ),
    broken("schedule", "is in no series", f'UPDATE "match" SET series = NULL WHERE id = {RATED}'),
    broken("schedule", "is leg 7 of a pair of 2", f'UPDATE "match" SET leg = 7 WHERE id = {RATED}'),
    broken(
        "schedule", "is leg 8 of a pair of 2", f'UPDATE "match" SET leg = 8 WHERE id = {FIRST_LEG}'
    ),
    broken(
        "results",
        "has ended without a result",
        f"DELETE FROM seat_result WHERE match = {RATED}",
        f"DELETE FROM result WHERE match = {RATED}",
    ),
    broken(
        "results",
        "is planned and has a result",
        f"UPDATE \"match\" SET state = 'planned' WHERE id = {RATED}",
    ),
    broken(
        "results",
        "is still to be played, its event is complete",
        f"UPDATE \"match\" SET state = 'planned' WHERE id = {OF_SLOT}",
    ),
    broken(
        "results",
        "is cancelled, its event is complete",
        f"UPDATE \"match\" SET state = 'cancelled' WHERE id = {OF_SLOT}",
    ),
    broken(
        "results",
        "accepted is none",
        f"UPDATE attempt SET outcome = 'failed' WHERE match = {RATED}",
    ),
    broken(
        "results",
        ", second",
        "INSERT INTO attempt (id, match, series, fence, worker, outcome, detail, started_at) "
        "SELECT 'second', match, series, fence + 1, worker, outcome, detail, started_at "
        f"FROM attempt WHERE match = {RATED}",
        "UPDATE series SET fence = fence + 1",
    ),
    broken("results", "attempt", f"UPDATE attempt SET fence = 99 WHERE match = {RATED}"),
    broken(
        "results",
        "is of another series",
        f'UPDATE attempt SET series = (SELECT series FROM "match" WHERE id = {CHECKED}) '
        f"WHERE match = {RATED}",
    ),
    broken(
        "seats",
        "from its ranks follow",
        f"UPDATE seat_result SET credit = 0.75 WHERE match = {RATED} AND seat = 0",
    ),
    broken(
        "seats",
        "has the ranks",
        f"UPDATE seat_result SET rank = 5 WHERE match = {RATED} AND seat = 0",
    ),
    broken(
        "seats",
        "has ranks on seats [1], not on 2",
        f"DELETE FROM seat_result WHERE match = {RATED} AND seat = 0",
    ),
    broken(
        "seats",
        "was no contest and has ranks",
        f"UPDATE seat_result SET rank = 1, credit = 1.0 WHERE match = {NO_CONTEST}",
    ),
    broken(
        "ledger",
        "is a rated match and not in the ledger",
        f"DELETE FROM ledger WHERE match = {RATED}",
    ),
    broken(
        "ledger",
        "is in the ledger and a",
        "INSERT INTO ledger (match, event, pair, seats, credits, digest) "
        f"SELECT {NO_CONTEST}, event, pair, seats, credits, digest FROM ledger "
        f"WHERE match = {RATED}",
    ),
    broken(
        "ledger",
        "has other credits in the ledger",
        f"UPDATE ledger SET credits = '[0.5, 0.5]' WHERE match = {RATED}",
    ),
    broken(
        "ledger",
        "has other players in the ledger",
        f'UPDATE ledger SET seats = \'["x", "y"]\' WHERE match = {RATED}',
    ),
    broken(
        "ledger",
        "has other players in the ledger",
        'UPDATE ledger SET seats = \'["x", "y"]\' WHERE event IN '
        "(SELECT id FROM event WHERE tournament IS NOT NULL)",
    ),
    broken(
        "ledger",
        "has other teams in the ledger",
        f"UPDATE ledger SET teams = '[0, 1]' WHERE match = {RATED}",
    ),
    broken(
        "ledger",
        "has another digest in the ledger",
        f"UPDATE ledger SET digest = '{ZEROS}' WHERE match = {RATED}",
    ),
    broken(
        "ledger",
        "in the ledger",
        f"UPDATE ledger SET event = (SELECT id FROM event WHERE slot = 3) WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "seed in its replay is not as stored",
        f"UPDATE result SET replay = (SELECT r.replay FROM result r WHERE r.match = {CHECKED}) "
        f"WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "ending in its replay is not as stored",
        f"UPDATE result SET ending = 'crash' WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "plies in its replay is not as stored",
        f"UPDATE result SET plies = 3 WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "at_fault in its replay is not as stored",
        f"UPDATE result SET at_fault = 1 WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "digest in its replay is not as stored",
        f"UPDATE result SET digest = '{ZEROS}' WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "ranks in its replay is not as stored",
        f"UPDATE seat_result SET rank = 3 - rank, credit = 1 - credit WHERE match = {RATED}",
    ),
    broken(
        "replays",
        "players in its replay is not as stored",
        "UPDATE bot SET name = 'renamed'  WHERE name = 'bot-0'",
    ),
    broken(
        "replays",
        "options in its replay is not as stored",
        f'UPDATE "match" SET options = \'{{"a": 1}}\' WHERE id = {RATED}',
    ),
    broken(
        "seeds", "another commitment", f"UPDATE event SET commitment = '{ZEROS}' WHERE id = {SLOT}"
    ),
    broken(
        "seeds",
        "another commitment",
        f"UPDATE event SET commitment = '{ZEROS}' WHERE state = 'open'",
    ),
    broken(
        "seeds",
        "do not give its entrants digest",
        f"UPDATE entrant SET sha256 = '{ZEROS}' WHERE event = {SLOT}",
    ),
    broken(
        "seeds",
        "its seed does not follow from the key",
        f"UPDATE pair SET seed = '{ZEROS}' WHERE id = {PAIR}",
    ),
    broken(
        "seeds",
        "the seeds of its bots do not follow",
        f"UPDATE match_seat SET bot_seed = 'x' WHERE seat = 1 AND match = {OF_SLOT}",
    ),
    broken(
        "seeds",
        "its seating was not drawn",
        "UPDATE match_seat SET bot_version = (SELECT min(bot_version) FROM entrant) "
        f"WHERE match = {OF_SLOT}",
    ),
    broken(
        "seeds",
        "has number 77, drawn are 6 pairs",
        f"UPDATE pair SET number = 77 WHERE id = {PAIR}",
    ),
    broken("seeds", "pairs, drawn are", "UPDATE ladder SET pairs_per_slot = 3"),
    broken("rounds", "has the rounds [2]", "UPDATE round SET number = 2"),
    broken("rounds", "its pairs are not of its rounds", "DELETE FROM round"),
    broken("rounds", "its last round is open", "UPDATE round SET closed_at = NULL"),
    broken("rounds", "other byes than were drawn", "UPDATE round SET byes = '[\"x\"]'"),
    broken("rounds", "is not annulled", disqualified(STRANGER)),
    broken("rounds", "happened in round 7 of 1", disqualified(STRANGER, round=7)),
    broken("rounds", "is of nobody who was entered", disqualified("'nobody'")),
    broken(
        "inputs",
        "its waited is recorded as 7, from the slots before follows 0",
        f"UPDATE entrant SET waited = 7 WHERE event = {SLOT}",
    ),
    broken(
        "inputs",
        "its rating is recorded as 7.0",
        "UPDATE entrant SET rating = 7 WHERE event = (SELECT id FROM event WHERE slot = 2)",
    ),
    broken(
        "inputs",
        "its met is recorded as ()",
        "UPDATE entrant SET met = '[]' WHERE event = (SELECT id FROM event WHERE slot = 2)",
    ),
    broken(
        "inputs",
        "nothing is recorded to match it by",
        "UPDATE entrant SET pairs = NULL WHERE event = (SELECT id FROM event WHERE slot = 2)",
    ),
    broken("ratings", "is off by 1", f"UPDATE rating SET value = value + 1 WHERE event = {SLOT}"),
    broken(
        "ratings",
        "is off by 1e-05",
        f"UPDATE rating SET error = error + 0.00001 WHERE event = {SLOT}",
    ),
    broken("ratings", "rates 0 versions, its ledger 3", f"DELETE FROM rating WHERE event = {SLOT}"),
    broken(
        "ratings",
        "is off by",
        f"DELETE FROM ledger WHERE pair = (SELECT pair FROM ledger WHERE match = {COUNTED})",
    ),
]
