"""What match-making knows of a version when the entries of a slot close, and whence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from arena_service.formats.format import Group

FIRST_OPPONENTS = 5


@dataclass(frozen=True)
class Candidate:
    """A version under the rules of the slot, by the slots that are complete.

    `rating` and `error` in Elo, None before it had a whole pair. `pairs` that were planned for it;
    `waited`: so many slots in a row it was entered and had none. `met`: its first opponents,
    FIRST_OPPONENTS at most, in the order of their pairs.
    """

    rating: float | None = None
    error: float | None = None
    pairs: int = 0
    waited: int = 0
    met: tuple[str, ...] = ()


class Past:
    """What earlier slots of a ladder, under the same rules, tell of the versions in them."""

    def __init__(self) -> None:
        """Before the first slot."""
        self._known: dict[str, tuple[int, Candidate]] = {}

    def add(self, slot: int, entered: Mapping[str, Candidate], played: Iterable[Group]) -> None:
        """A slot after those before: who was in it, and the group of every pair in its order."""
        pairs: Counter[str] = Counter()
        met: dict[str, list[str]] = defaultdict(list)
        for group in played:
            pairs.update(group)
            for version in group:
                met[version] += (other for other in group if other != version)
        for version, before in entered.items():
            first = list(dict.fromkeys([*before.met, *met[version]]))[:FIRST_OPPONENTS]
            waited = 0 if pairs[version] else before.waited + 1
            after = Candidate(None, None, before.pairs + pairs[version], waited, tuple(first))
            self._known[version] = (slot, after)

    def knows(self, version: str) -> bool:
        """Whether it was in one of the slots."""
        return version in self._known

    def candidate(
        self, version: str, slot: int, rating: float | None, error: float | None
    ) -> Candidate:
        """A version that enters this slot, with its newest rating; who was away has not waited."""
        last, known = self._known.get(version, (0, Candidate()))
        waited = known.waited if last == slot - 1 else 0
        return Candidate(rating, error, known.pairs, waited, known.met)


@dataclass(frozen=True)
class Slot:
    """A slot whose entries are closed: what was recorded then, and what came of it.

    `entered` by version; `played`: the group of every pair in its order; `ratings` by version,
    value and error, as fitted at its end.
    """

    number: int
    rules_version: int
    entered: Mapping[str, Candidate]
    played: Sequence[Group]
    ratings: Mapping[str, tuple[float, float]]


def contradictions(slots: Iterable[Slot]) -> Iterator[tuple[int, str, str]]:
    """Number of the slot, version, and what does not follow from the slots before, in their order.

    When the first of them is not slot 1 of the ladder, who has not been in one of them is left out.
    """
    past: dict[int, Past] = defaultdict(Past)
    ratings: dict[int, Mapping[str, tuple[float, float]]] = {}
    is_whole = False
    for slot in slots:
        is_whole = is_whole or slot.number == 1
        before, rated = past[slot.rules_version], ratings.get(slot.rules_version, {})
        for version, found in slot.entered.items():
            expected = before.candidate(version, slot.number, *rated.get(version, (None, None)))
            if is_whole or before.knows(version):
                for text in _differences(found, expected):
                    yield slot.number, version, text
        before.add(slot.number, slot.entered, slot.played)
        ratings[slot.rules_version] = slot.ratings


def _differences(found: Candidate, expected: Candidate) -> Iterator[str]:
    for name, mine in asdict(found).items():
        other = getattr(expected, name)
        if mine != other:
            yield f"its {name} is recorded as {mine}, from the slots before follows {other}"
