"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_sha256", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_account_token_sha256")),
    )
    op.create_table(
        "artifact",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_artifact")),
    )
    op.create_table(
        "bot",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["account.id"], name=op.f("fk_bot_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("owner", "name", name=op.f("uq_bot_owner_name")),
    )
    op.create_table(
        "ladder",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("cron", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("pairs_per_slot", sa.Integer(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("next_due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["account.id"], name=op.f("fk_ladder_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")),
        sa.UniqueConstraint("name", name=op.f("uq_ladder_name")),
    )
    op.create_index(op.f("ix_ladder_next_due"), "ladder", ["next_due"], unique=False)
    op.create_table(
        "bot_version",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("run", sa.JSON(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_bot_version_bot")),
        sa.ForeignKeyConstraint(
            ["sha256"], ["artifact.sha256"], name=op.f("fk_bot_version_sha256")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_version")),
        sa.UniqueConstraint("bot", "number", name=op.f("uq_bot_version_bot_number")),
        sa.UniqueConstraint("bot", "sha256", name=op.f("uq_bot_version_bot_sha256")),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ladder", sa.String(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("entrants_digest", sa.String(), nullable=True),
        sa.Column("rules_version", sa.Integer(), nullable=True),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_event_ladder")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("ladder", "slot", name=op.f("uq_event_ladder_slot")),
    )
    op.create_index(op.f("ix_event_state"), "event", ["state"], unique=False)
    op.create_table(
        "ladder_entry",
        sa.Column("ladder", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_ladder_entry_bot")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"], name=op.f("fk_ladder_entry_ladder")),
        sa.PrimaryKeyConstraint("ladder", "bot", name=op.f("pk_ladder_entry")),
    )
    op.create_table(
        "entrant",
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("bot_version", sa.String(), nullable=False),
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_version"], ["bot_version.id"], name=op.f("fk_entrant_bot_version")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_entrant_event")),
        sa.PrimaryKeyConstraint("event", "bot_version", name=op.f("pk_entrant")),
    )
    op.create_table(
        "pair",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("legs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_pair_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair")),
        sa.UniqueConstraint("event", "number", name=op.f("uq_pair_event_number")),
    )
    op.create_table(
        "rating",
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("bot_version", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("error", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_version"], ["bot_version.id"], name=op.f("fk_rating_bot_version")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_rating_event")),
        sa.PrimaryKeyConstraint("event", "bot_version", name=op.f("pk_rating")),
    )
    op.create_table(
        "series",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("renewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("progress", sa.JSON(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_series_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
    )
    op.create_index(op.f("ix_series_event"), "series", ["event"], unique=False)
    op.create_index("ix_series_queue", "series", ["state", "created_at", "position"], unique=False)
    op.create_table(
        "match",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("pair", sa.String(), nullable=True),
        sa.Column("series", sa.String(), nullable=True),
        sa.Column("event", sa.String(), nullable=True),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("replaces", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_match_event")),
        sa.ForeignKeyConstraint(["pair"], ["pair.id"], name=op.f("fk_match_pair")),
        sa.ForeignKeyConstraint(["replaces"], ["match.id"], name=op.f("fk_match_replaces")),
        sa.ForeignKeyConstraint(["series"], ["series.id"], name=op.f("fk_match_series")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("pair", "leg", name=op.f("uq_match_pair_leg")),
    )
    op.create_index(op.f("ix_match_event"), "match", ["event"], unique=False)
    op.create_index(op.f("ix_match_series"), "match", ["series"], unique=False)
    op.create_table(
        "annulment",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["account.id"], name=op.f("fk_annulment_by")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_annulment_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_annulment")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("series", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=True),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_attempt_match")),
        sa.ForeignKeyConstraint(["series"], ["series.id"], name=op.f("fk_attempt_series")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint("match", "fence", name=op.f("uq_attempt_match_fence")),
    )
    op.create_index(op.f("ix_attempt_series"), "attempt", ["series"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("pair", sa.String(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("credits", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"], name=op.f("fk_ledger_event")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_ledger_match")),
        sa.ForeignKeyConstraint(["pair"], ["pair.id"], name=op.f("fk_ledger_pair")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_ledger")),
    )
    op.create_index(op.f("ix_ledger_event"), "ledger", ["event"], unique=False)
    op.create_table(
        "match_seat",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_version", sa.String(), nullable=False),
        sa.Column("bot_seed", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_version"], ["bot_version.id"], name=op.f("fk_match_seat_bot_version")
        ),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_match_seat_match")),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_match_seat")),
    )
    op.create_index(op.f("ix_match_seat_bot_version"), "match_seat", ["bot_version"], unique=False)
    op.create_table(
        "refusal",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("series", sa.String(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_refusal_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refusal")),
    )
    op.create_index(op.f("ix_refusal_match"), "refusal", ["match"], unique=False)
    op.create_table(
        "seat_result",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("credit", sa.Float(), nullable=True),
        sa.Column("cpu_ms", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_seat_result_match")),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_seat_result")),
    )
    op.create_table(
        "evidence",
        sa.Column("attempt", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("limit", sa.String(), nullable=False),
        sa.Column("used_ms", sa.Float(), nullable=True),
        sa.Column("last_view", sa.String(), nullable=False),
        sa.Column("last_line", sa.String(), nullable=False),
        sa.Column("stderr_tail", sa.String(), nullable=False),
        sa.Column("cpu_per_ply", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_evidence_attempt")),
        sa.PrimaryKeyConstraint("attempt", "seat", name=op.f("pk_evidence")),
    )
    op.create_table(
        "result",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("attempt", sa.String(), nullable=False),
        sa.Column("ending", sa.String(), nullable=False),
        sa.Column("at_fault", sa.Integer(), nullable=True),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("replay", sa.LargeBinary(), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_result_attempt")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_result_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_result")),
        sa.UniqueConstraint("attempt", name=op.f("uq_result_attempt")),
    )
    op.create_index(op.f("ix_result_accepted_at"), "result", ["accepted_at"], unique=False)


def downgrade() -> None:
    """Drop every table."""
    op.drop_index(op.f("ix_result_accepted_at"), table_name="result")
    op.drop_table("result")
    op.drop_table("evidence")
    op.drop_table("seat_result")
    op.drop_index(op.f("ix_refusal_match"), table_name="refusal")
    op.drop_table("refusal")
    op.drop_index(op.f("ix_match_seat_bot_version"), table_name="match_seat")
    op.drop_table("match_seat")
    op.drop_index(op.f("ix_ledger_event"), table_name="ledger")
    op.drop_table("ledger")
    op.drop_index(op.f("ix_attempt_series"), table_name="attempt")
    op.drop_table("attempt")
    op.drop_table("annulment")
    op.drop_index(op.f("ix_match_series"), table_name="match")
    op.drop_index(op.f("ix_match_event"), table_name="match")
    op.drop_table("match")
    op.drop_index("ix_series_queue", table_name="series")
    op.drop_index(op.f("ix_series_event"), table_name="series")
    op.drop_table("series")
    op.drop_table("rating")
    op.drop_table("pair")
    op.drop_table("entrant")
    op.drop_table("ladder_entry")
    op.drop_index(op.f("ix_event_state"), table_name="event")
    op.drop_table("event")
    op.drop_table("bot_version")
    op.drop_index(op.f("ix_ladder_next_due"), table_name="ladder")
    op.drop_table("ladder")
    op.drop_table("bot")
    op.drop_table("artifact")
    op.drop_table("account")
