"""Check matches, tournaments, challenges, sign-ins, processes, what is measured beside CPU time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
_TIME = sa.DateTime(timezone=True)
# What a version's row counts, of its seats in rated matches.
_SEATS = (
    "match_seat s JOIN match m ON m.id = s.match JOIN result r ON r.match = s.match "
    "JOIN seat_result got ON got.match = s.match AND got.seat = s.seat "
    "WHERE s.bot_version = bot_version.id AND m.kind = 'rated'"
)
_BROKE = (
    "EXISTS (SELECT 1 FROM evidence e WHERE e.attempt = r.attempt AND e.seat = s.seat "
    "AND e.\"limit\" <> '')"
)
_RECORD = {
    "wins": "got.rank = 1 AND got.credit = 1",
    "draws": "got.rank = 1 AND got.credit < 1",
    "losses": "got.rank > 1",
    "faults": (
        "((r.at_fault = s.seat AND r.ending NOT IN ('completed', 'resigned', 'no_contest')) "
        f"OR (r.ending = 'no_contest' AND {_BROKE}))"
    ),
}


def upgrade() -> None:
    """New tables first, then the columns that refer to them."""
    _create_tables()
    _create_requests()
    _extend_bots()
    _extend_versions()
    _extend_events()
    _create_rounds()
    _extend_series()
    _extend_evidence()
    _extend_books()


def _create_tables() -> None:
    op.create_table(
        "sign_in",
        sa.Column("secret_sha256", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_sign_in_account")),
        sa.PrimaryKeyConstraint("secret_sha256", name=op.f("pk_sign_in")),
    )
    op.create_index(op.f("ix_sign_in_account"), "sign_in", ["account"])
    op.create_table(
        "tournament",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("ladder", sa.String(), nullable=True),
        sa.Column("webhook_url", sa.String(), nullable=False),
        sa.Column("webhook_secret", sa.String(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_tournament_ladder")),
        sa.ForeignKeyConstraint(["owner"], ["account.id"], name=op.f("fk_tournament_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
        sa.UniqueConstraint("name", name=op.f("uq_tournament_name")),
    )
    op.create_index(op.f("ix_tournament_ladder"), "tournament", ["ladder"])
    op.create_index(op.f("ix_tournament_webhook_url"), "tournament", ["webhook_url"])
    op.create_table(
        "tournament_entry",
        sa.Column("tournament", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("changed_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_tournament_entry_bot")),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournament.id"], name=op.f("fk_tournament_entry_tournament")
        ),
        sa.PrimaryKeyConstraint("tournament", "bot", "version", name=op.f("pk_tournament_entry")),
    )
    op.create_table(
        "process",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("started_at", _TIME, nullable=False),
        sa.Column("seen_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_process")),
    )
    op.create_index(op.f("ix_process_seen_at"), "process", ["seen_at"])
    op.create_table(
        "worker_token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_sha256", sa.String(), nullable=False),
        sa.Column("lease_key", sa.String(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_token")),
        sa.UniqueConstraint("name", name=op.f("uq_worker_token_name")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_worker_token_token_sha256")),
    )


def _create_requests() -> None:
    """Requests under a key, and what webhooks are told."""
    op.create_table(
        "request",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("made", sa.String(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_request_account")),
        sa.PrimaryKeyConstraint("account", "key", name=op.f("pk_request")),
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("due_at", _TIME, nullable=False),
        sa.Column("delivered_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_delivery_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sa.UniqueConstraint("event", name=op.f("uq_delivery_event")),
    )
    op.create_index(op.f("ix_delivery_state"), "delivery", ["state"])


def _extend_bots() -> None:
    """What was submitted before is open to challenges, as new bots are."""
    op.add_column("bot", sa.Column("challenges", sa.Boolean(), nullable=True))
    op.execute(sa.update(sa.table("bot", sa.column("challenges"))).values(challenges=sa.true()))
    with op.batch_alter_table("bot", naming_convention=_NAMES) as table:
        table.alter_column("challenges", existing_type=sa.Boolean(), nullable=False)


def _extend_versions() -> None:
    """What was submitted before there were checks goes on playing."""
    op.add_column("bot_version", sa.Column("state", sa.String(), nullable=True))
    op.add_column("bot_version", sa.Column("reason", sa.String(), nullable=True))
    op.add_column("bot_version", sa.Column("state_since", _TIME, nullable=True))
    op.add_column("bot_version", sa.Column("check_series", sa.String(), nullable=True))
    op.add_column("bot_version", sa.Column("faults_in_a_row", sa.Integer(), nullable=True))
    for name in _RECORD:
        op.add_column("bot_version", sa.Column(name, sa.Integer(), nullable=True))
    op.execute(
        "UPDATE bot_version SET state = 'active', reason = '', state_since = created_at, "
        "faults_in_a_row = 0"
    )
    for name, seats in _RECORD.items():
        op.execute(f"UPDATE bot_version SET {name} = (SELECT count(*) FROM {_SEATS} AND {seats})")
    with op.batch_alter_table("bot_version", naming_convention=_NAMES) as table:
        table.alter_column("state", existing_type=sa.String(), nullable=False)
        table.alter_column("reason", existing_type=sa.String(), nullable=False)
        table.alter_column("state_since", existing_type=_TIME, nullable=False)
        table.alter_column("faults_in_a_row", existing_type=sa.Integer(), nullable=False)
        for name in _RECORD:
            table.alter_column(name, existing_type=sa.Integer(), nullable=False)
        table.create_foreign_key(
            op.f("fk_bot_version_check_series"), "series", ["check_series"], ["id"]
        )


def _extend_events() -> None:
    with op.batch_alter_table("event", naming_convention=_NAMES) as table:
        table.alter_column("ladder", existing_type=sa.String(), nullable=True)
        table.alter_column("slot", existing_type=sa.Integer(), nullable=True)
        table.add_column(sa.Column("tournament", sa.String(), nullable=True))
        table.create_foreign_key(op.f("fk_event_tournament"), "tournament", ["tournament"], ["id"])
        table.create_unique_constraint(op.f("uq_event_tournament"), ["tournament"])


def _create_rounds() -> None:
    """What was planned at once so far is of round 1."""
    op.create_table(
        "round",
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("byes", sa.JSON(), nullable=False),
        sa.Column("planned_at", _TIME, nullable=False),
        sa.Column("closed_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_round_event")),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_round")),
    )
    op.create_table(
        "departure",
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("bot_version", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_departure_by")),
        sa.ForeignKeyConstraint(
            ["bot_version"], ["bot_version.id"], name=op.f("fk_departure_bot_version")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_departure_event")),
        sa.PrimaryKeyConstraint("event", "bot_version", "kind", name=op.f("pk_departure")),
    )
    op.add_column("entrant", sa.Column("seed", sa.Integer(), nullable=True))
    op.add_column("entrant", sa.Column("rating", sa.Float(), nullable=True))
    op.add_column("entrant", sa.Column("challenger", sa.Boolean(), nullable=True))
    op.add_column("entrant", sa.Column("error", sa.Float(), nullable=True))
    op.add_column("entrant", sa.Column("pairs", sa.Integer(), nullable=True))
    op.add_column("entrant", sa.Column("waited", sa.Integer(), nullable=True))
    op.add_column("entrant", sa.Column("met", sa.JSON(none_as_null=True), nullable=True))
    op.create_index(op.f("ix_entrant_bot_version"), "entrant", ["bot_version"])
    op.add_column("pair", sa.Column("round", sa.Integer(), nullable=True))
    op.execute("UPDATE pair SET round = 1")
    with op.batch_alter_table("pair", naming_convention=_NAMES) as table:
        table.alter_column("round", existing_type=sa.Integer(), nullable=False)


def _extend_series() -> None:
    """A series carries its own limits, because a check match has no event to ask."""
    op.add_column("series", sa.Column("priority", sa.Integer(), nullable=True))
    op.add_column("series", sa.Column("turn", sa.Integer(), nullable=True))
    op.add_column("series", sa.Column("limits", sa.JSON(), nullable=True))
    op.execute(
        "UPDATE series SET priority = 1, turn = 0, "
        "limits = (SELECT event.limits FROM event WHERE event.id = series.event)"
    )
    op.drop_index("ix_series_queue", table_name="series")
    with op.batch_alter_table("series", naming_convention=_NAMES) as table:
        table.alter_column("event", existing_type=sa.String(), nullable=True)
        table.alter_column("priority", existing_type=sa.Integer(), nullable=False)
        table.alter_column("turn", existing_type=sa.Integer(), nullable=False)
        table.alter_column("limits", existing_type=sa.JSON(), nullable=False)
    op.create_index(
        "ix_series_queue", "series", ["state", "priority", "turn", "created_at", "position"]
    )


def _extend_evidence() -> None:
    op.add_column("attempt", sa.Column("late_seat", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_attempt_ended_at"), "attempt", ["ended_at"])
    op.add_column("evidence", sa.Column("start_cpu_ms", sa.Float(), nullable=True))
    op.add_column("evidence", sa.Column("peak_bytes", sa.BigInteger(), nullable=True))
    op.add_column("evidence", sa.Column("wall_per_ply", sa.JSON(), nullable=True))
    op.execute("UPDATE evidence SET wall_per_ply = '[]'")
    with op.batch_alter_table("evidence", naming_convention=_NAMES) as table:
        table.alter_column("wall_per_ply", existing_type=sa.JSON(), nullable=False)


def _extend_books() -> None:
    """Before there were teams each seat was alone."""
    op.add_column("ledger", sa.Column("teams", sa.JSON(none_as_null=True), nullable=True))
    op.create_index(op.f("ix_match_created_at"), "match", ["created_at"])
    op.create_index("ix_match_kind", "match", ["kind", "created_at"])
    op.create_index("ix_result_ending", "result", ["ending", "accepted_at"])
    of_a_point = ["event", "value", "error"]
    op.create_index(
        "ix_rating_bot_version", "rating", ["bot_version"], postgresql_include=of_a_point
    )
    op.create_index(op.f("ix_ledger_pair"), "ledger", ["pair"])
    op.create_table(
        "ladder_tally",
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("bot_version", sa.String(), nullable=False),
        sa.Column("means", sa.JSON(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_version"], ["bot_version.id"], name=op.f("fk_ladder_tally_bot_version")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_ladder_tally_event")),
        sa.PrimaryKeyConstraint("event", "bot_version", name=op.f("pk_ladder_tally")),
    )
