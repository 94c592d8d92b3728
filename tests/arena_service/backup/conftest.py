"""The filled arena of the doctor's tests, to be backed up."""

from tests.arena_service.doctor.conftest import (
    filled,
    filled_postgresql,
    filled_sqlite,
    filled_url,
)

__all__ = ["filled", "filled_postgresql", "filled_sqlite", "filled_url"]
