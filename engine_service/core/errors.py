"""What a caller can do wrong: one class per kind, fields for programs, a text for people."""

from __future__ import annotations


class RulesError(ValueError):
    """Wrong input to the engine; never raised for a fault of the engine itself."""


class IllegalActionError(RulesError):
    """An action that is not in the list of legal actions; the position is unchanged."""

    def __init__(self, ply: int, seat: int, action: int | str, legal_count: int) -> None:
        """`action` as it was given: notation or id."""
        super().__init__(
            f"ply {ply}: seat {seat} cannot play {str(action)[:80]!r} ({legal_count} legal actions)"
        )
        self.ply = ply
        self.seat = seat
        self.action = action
        self.legal_count = legal_count

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[int, int, int | str, int]]:
        """Keep the fields when the error crosses a process."""
        return type(self), (self.ply, self.seat, self.action, self.legal_count)


class UnknownGameError(RulesError):
    """No game of that name is installed."""

    def __init__(self, name: str, known: str) -> None:
        """`name` as it was given; `known` lists the games that there are, with commas."""
        super().__init__(f"game: expected one of {known}, got {name[:80]!r}")
        self.name, self.known = name, known

    def __reduce__(self) -> tuple[type[UnknownGameError], tuple[str, str]]:
        """Keep the fields when the error crosses a process."""
        return type(self), (self.name, self.known)


class BrokenGameError(ImportError):
    """A game of another distribution that cannot be loaded: a matter of who installed it."""

    def __init__(self, entry: str, cause: str) -> None:
        """`entry` is the entry point as it was declared, `cause` completes the sentence."""
        super().__init__(f"the installed game {entry!r} cannot be loaded: {cause}")


class OptionError(RulesError):
    """An option that the game does not have, or a value that it cannot take."""

    def __init__(self, field: str, expected: str) -> None:
        """`expected` completes the sentence "option FIELD: expected ..."."""
        super().__init__(f"option {field[:80]!r}: expected {expected}")
        self.field = field
        self.expected = expected

    def __reduce__(self) -> tuple[type[OptionError], tuple[str, str]]:
        """Keep the fields when the error crosses a process."""
        return type(self), (self.field, self.expected)


class ReplayError(RulesError):
    """A replay that cannot be read or is not true; `ply` is None where no ply is to blame."""

    def __init__(self, ply: int | None, cause: str) -> None:
        """`cause` is a sentence without a full stop."""
        super().__init__(cause if ply is None else f"ply {ply}: {cause}")
        self.ply = ply
        self.cause = cause

    def __reduce__(self) -> tuple[type[ReplayError], tuple[int | None, str]]:
        """Keep the fields when the error crosses a process."""
        return type(self), (self.ply, self.cause)
