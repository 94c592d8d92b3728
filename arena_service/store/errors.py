"""Errors of the store: each keeps what a caller needs to tell a person."""

from __future__ import annotations


class StoreError(ValueError):
    """A request that the arena cannot grant."""


class NotFoundError(StoreError):
    """There is no such thing: `kind` and `name` say what was looked for."""

    def __init__(self, kind: str, name: str) -> None:
        """Name what was looked for."""
        super().__init__(f"there is no {kind} {name[:80]!r}")
        self.kind, self.name = kind, name


class ConflictError(StoreError):
    """A name that is taken or a state that does not allow the request."""


class InvalidError(StoreError):
    """A value out of its bounds: `field` and what was `expected`."""

    def __init__(self, field: str, expected: str) -> None:
        """Both parts are written for people."""
        super().__init__(f"{field}: expected {expected}")
        self.field, self.expected = field, expected


class QuotaError(StoreError):
    """An account has or does as much as it may: what that is, and when some of it frees."""

    def __init__(self, allowed: str, frees: str) -> None:
        """Both complete a sentence: your quota is ...; it frees ..."""
        super().__init__(f"your quota is {allowed}; it frees {frees}")
        self.allowed, self.frees = allowed, frees
