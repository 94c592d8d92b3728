"""Breaks of what is planned: events and rounds, versions, pairs, series, inputs."""

from __future__ import annotations

from tests.arena_service.doctor.breaking import (
    CHECK_OF_STRANGER,
    CHECKED,
    FIRST_LEG,
    OF_SLOT,
    RATED,
    SLOT,
    STRANGER,
    TO_PLAY,
    ZEROS,
    broken,
    disqualified,
)

OF_PLANS = [
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
        "its pairs is recorded as 0, from the slots before follows",
        "UPDATE entrant SET pairs = NULL WHERE event = (SELECT id FROM event WHERE slot = 2)",
    ),
]
