"""The budgets of a bot: CPU time per answer and what the kernel lets it have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

KIB = 1 << 10
MIB = 1 << 20

LINE_BYTES = 64 * KIB
UNREAD_BYTES = MIB
STDERR_BYTES = MIB
STDERR_KEPT_BYTES = 64 * KIB
OPEN_FILES = 64


class LimitsError(ValueError):
    """A limit is unknown or holds something that cannot be used; `field` names it."""

    def __init__(self, field: str, expected: str) -> None:
        """Keep the field's name and what was expected there."""
        super().__init__(f"limits.{field}: expected {expected}")
        self.field, self.expected = field, expected


@dataclass(frozen=True)
class Limits:
    """What one bot process may use; `threads` counts the first one."""

    start_cpu_ms: int = 5000
    move_cpu_ms: int = 200
    bank_cpu_ms: int = 2000
    memory_bytes: int = 512 * MIB
    threads: int = 32

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Limits:
        """Read the limits of a ladder; what is absent keeps its default. Raises LimitsError."""
        known = {field.name for field in fields(cls)}
        for name, value in plain.items():
            if name not in known:
                raise LimitsError(name, f"one of {', '.join(sorted(known))}")
            least = 0 if name == "bank_cpu_ms" else 1
            if type(value) is not int or value < least:
                raise LimitsError(name, f"a whole number of at least {least}, got {value!r}")
        return cls(**{name: value for name, value in plain.items() if type(value) is int})

    def to_plain(self) -> dict[str, int]:
        """All fields by name."""
        return asdict(self)
