"""How much one account may have or do, so that nobody takes the arena from the others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

from arena_service.settings import SettingsError

MOST = 1_000_000
# What each quota counts, one of it and more.
COUNTED = {
    "active_bots": ("active bot", "active bots"),
    "versions_a_day": ("version within 24 hours", "versions within 24 hours"),
    "checks_waiting": ("check waiting", "checks waiting"),
    "challenges_a_day": ("challenge within 24 hours", "challenges within 24 hours"),
}


@dataclass(frozen=True)
class Quotas:
    """Of every account; `..._a_day`: within the last 24 hours."""

    active_bots: int = 50
    versions_a_day: int = 100
    checks_waiting: int = 20
    challenges_a_day: int = 20

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Quotas:
        """From `INTERREX_QUOTA_ACTIVE_BOTS` and its like; raises SettingsError."""
        named = {each.name: f"INTERREX_QUOTA_{each.name.upper()}" for each in fields(cls)}
        return cls(
            **{
                name: _count(variable, environment[variable])
                for name, variable in named.items()
                if environment.get(variable)
            }
        )

    def of(self, quota: str) -> int:
        """By its name."""
        return int(getattr(self, quota))

    def said(self, quota: str) -> str:
        """A quota by its name, in words: `2 active bots`."""
        value = self.of(quota)
        one, more = COUNTED[quota]
        return f"{value} {one if value == 1 else more}"


DEFAULTS = Quotas()


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))):
        raise SettingsError(f"{name}: expected a number from 0 to {MOST}, got {text[:80]!r}")
    return min(int(text), MOST)
