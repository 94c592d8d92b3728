"""What a group did in a round, collected pair by pair; from a database and from an export alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena_service.formats.format import Encounter, Group


@dataclass
class Meeting:
    """A group of a round; `whole`: none of its matches was cancelled."""

    group: Group
    whole: bool = True
    _shares: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, legs: Sequence[Mapping[str, float]]) -> None:
        """Count a pair of which every leg has a result that counts: its credits by entrant."""
        self._shares.append(tuple(sum(leg[entrant] for leg in legs) for entrant in self.group))

    def encounter(self) -> Encounter:
        """As formats see it."""
        credits = [0.0] * len(self.group)
        for share in self._shares:
            for place, taken in enumerate(share):
                credits[place] += taken
        shares = tuple(self._shares)
        return Encounter(self.group, tuple(credits), len(shares), self.whole, shares)
