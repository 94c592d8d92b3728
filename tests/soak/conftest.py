"""The real sandbox and the real engine, as for the matches of a quiet machine."""

from tests.workers.match.conftest import engine, hostile_dir, runtime

__all__ = ["engine", "hostile_dir", "runtime"]
