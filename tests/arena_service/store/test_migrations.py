"""An arena of the version before keeps everything when its schema is brought up to date."""

from __future__ import annotations

from sqlalchemy import text

from arena_service.store.database import Database

WHEN = "2026-03-01 12:00:00+00:00"
ROWS = (
    f"INSERT INTO account VALUES ('a', 'ann', 'h', '{WHEN}')",
    f"INSERT INTO bot VALUES ('b', 'a', 'bot', '{WHEN}')",
    "INSERT INTO artifact VALUES ('s', '', 0)",
    "INSERT INTO bot_version (id, bot, number, sha256, games, run, protocol, created_at)"
    f" VALUES ('v', 'b', 1, 's', '[]', '[]', 'json', '{WHEN}')",
    "INSERT INTO ladder (id, owner, name, game, rules_version, options, seats, cron, timezone,"
    " pairs_per_slot, limits, next_due, created_at) VALUES ('l', 'a', 'lad', 'claim', 1, '{}', 2,"
    f" '0 * * * *', 'UTC', 5, '{{}}', '{WHEN}', '{WHEN}')",
    "INSERT INTO event (id, ladder, slot, key, commitment, limits, state, created_at)"
    f" VALUES ('e', 'l', 1, '', 'c', '{{\"move_cpu_ms\": 7}}', 'open', '{WHEN}')",
    "INSERT INTO entrant VALUES ('e', 'v', 'b', 's')",
    "INSERT INTO series (id, event, position, state, fence, progress, failures, created_at)"
    f" VALUES ('s', 'e', 0, 'waiting', 0, '{{}}', 0, '{WHEN}')",
)


def test_rows_of_the_first_schema_survive(unmigrated: Database) -> None:
    database = unmigrated
    database.migrate("0001")
    with database.write() as session:
        for row in ROWS:
            session.execute(text(row))
    database.migrate()
    with database.read() as session:
        assert session.execute(text("SELECT state, reason FROM bot_version")).one() == (
            "active",
            "",
        )
        assert session.execute(text("SELECT count(*) FROM entrant")).scalar_one() == 1
        found = session.execute(text("SELECT priority, limits FROM series")).one()
    assert found.priority == 1
    assert '"move_cpu_ms": 7' in str(found.limits) or found.limits == {"move_cpu_ms": 7}
