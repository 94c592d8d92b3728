"""What an examination found: proofs that hold or not, and what is odd without being wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

SHOWN = 20


@dataclass
class Proof:
    """Something that must hold: how often it was looked at, and where it does not.

    Of the problems the first SHOWN are kept; `failed` counts them all.
    """

    name: str
    claim: str
    examined: int = 0
    failed: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)

    def take(self, about: str, problems: Iterable[str]) -> None:
        """Count `about` as examined and keep what is wrong with it."""
        self.examined += 1
        for problem in problems:
            self.failed += 1
            if len(self.problems) < SHOWN:
                self.problems.append((about, problem))


@dataclass(frozen=True)
class Oddity:
    """Something that an operator should know of: no results are wrong because of it."""

    kind: str
    about: str
    text: str


@dataclass(frozen=True)
class Report:
    """All proofs in their order, and the oddities."""

    proofs: list[Proof]
    oddities: list[Oddity]

    @property
    def is_clean(self) -> bool:
        """Whether every proof holds."""
        return not any(each.failed for each in self.proofs)

    def to_plain(self) -> dict[str, Any]:
        """The report as JSON holds it; `problems` lists what the proofs kept."""
        return {
            "clean": self.is_clean,
            "proofs": [
                {
                    "name": each.name,
                    "claim": each.claim,
                    "examined": each.examined,
                    "failed": each.failed,
                }
                for each in self.proofs
            ],
            "problems": [
                {"proof": proof.name, "about": about, "text": text}
                for proof in self.proofs
                for about, text in proof.problems
            ],
            "oddities": [vars(each) for each in self.oddities],
        }
