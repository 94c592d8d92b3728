"""Breaks of what was played: results, replays, seeds, the ledger and what is made of it."""

from __future__ import annotations

from tests.arena_service.doctor.breaking import (
    CHECKED,
    COUNTED,
    NO_CONTEST,
    OF_SLOT,
    PAIR,
    RATED,
    SLOT,
    ZEROS,
    broken,
)

OF_PLAY = [
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
