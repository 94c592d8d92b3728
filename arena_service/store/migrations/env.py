"""Alembic's entry: runs on the connection that `Database.migrate` opened."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from arena_service.store import tables

assert tables.Account.metadata is SQLModel.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
