"""What the long runs share with the tests of the suite: sandbox, engine, databases."""

from tests.arena_service.conftest import database, database_url, postgres_server, sqlite_template
from tests.workers.match.conftest import engine, hostile_dir, runtime

__all__ = [
    "database",
    "database_url",
    "engine",
    "hostile_dir",
    "postgres_server",
    "runtime",
    "sqlite_template",
]
