"""Where the encounters of a double elimination stand in its picture; from its structure alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena_service.formats.bracket import Side, Slot, Source, bracket

APART = 0.75  # rows between the winners' side and the losers'


@dataclass(frozen=True)
class Place:
    """An encounter: its index in the bracket, its number for readers, and where it stands.

    `row` counts boxes from the top and may lie between two. `origins` are where its two come from,
    past every encounter that nobody has to play.
    """

    index: int
    number: int
    slot: Slot
    column: int
    row: float
    origins: tuple[Source, Source]


@dataclass(frozen=True)
class Layout:
    """Every encounter of two, by index; `lower` is the row in which the losers' side begins."""

    places: dict[int, Place]
    lower: float
    rows: float
    columns: int

    def wires(self) -> Iterator[tuple[Place, Place]]:
        """From an encounter to the one that its winner goes on to."""
        for place in self.places.values():
            for source in place.origins:
                if source.encounter is not None and source.won:
                    yield self.places[source.encounter], place


def layout(entrants: int) -> Layout:
    """For so many entrants, at least two."""
    tree = _Tree(bracket(entrants), entrants)
    upper = tree.columns(Side.WINNERS)
    lower = tree.columns(Side.LOSERS)
    tree.stack(Side.WINNERS, 0.0)
    below = tree.depth + APART
    tree.stack(Side.LOSERS, below)
    last = max(len(upper), len(lower))
    columns = {**upper, **lower, (Side.FINAL, 1): last, (Side.RESET, 1): last + 1}
    final, reset = len(tree.slots) - 2, len(tree.slots) - 1
    ends = [tree.origin(source).encounter for source in tree.slots[final].sources]
    middle = sum(tree.rows[end] for end in ends if end is not None) / len(ends)
    tree.rows[final] = tree.rows[reset] = middle
    places = {
        index: Place(
            index,
            number,
            slot,
            columns[slot.side, slot.round],
            tree.rows[index],
            (tree.origin(slot.sources[0]), tree.origin(slot.sources[1])),
        )
        for number, (index, slot) in enumerate(tree.played(), 1)
    }
    return Layout(places, below, tree.depth, last + 2)


@dataclass
class _Tree:
    """The slots with how many can come to each: of two it is played, one passes through."""

    slots: Sequence[Slot]
    entrants: int
    comers: list[int] = field(default_factory=list)
    rows: dict[int, float] = field(default_factory=dict)
    depth: float = 0.0  # in rows, of what is stacked so far

    def __post_init__(self) -> None:
        for slot in self.slots:
            self.comers.append(sum(map(self._comes, slot.sources)))

    def played(self) -> Iterator[tuple[int, Slot]]:
        """The encounters of two with their indices."""
        return (each for each in enumerate(self.slots) if self.comers[each[0]] == 2)

    def columns(self, side: Side) -> dict[tuple[Side, int], int]:
        """The rounds of a side in which anybody plays, from the left."""
        rounds = sorted({slot.round for _, slot in self.played() if slot.side is side})
        return {(side, round): column for column, round in enumerate(rounds)}

    def origin(self, source: Source) -> Source:
        """Where somebody comes from who comes from there."""
        while source.encounter is not None and self.comers[source.encounter] == 1:
            source = next(filter(self._comes, self.slots[source.encounter].sources))
        return source

    def stack(self, side: Side, top: float) -> None:
        """Give the rows of a side, from its last encounter back: each in the middle of its two."""
        self.depth = max(self.depth, top)
        last = [index for index, slot in self.played() if slot.side is side][-1:]
        for index in last:
            self._stand(index)

    def _stand(self, index: int) -> float:
        slot = self.slots[index]
        before = [self.origin(source) for source in slot.sources]
        rows = [
            self._stand(each.encounter)
            for each in before
            if each.encounter is not None and each.won
            if self.slots[each.encounter].side is slot.side
        ]
        if not rows:
            rows = [self.depth]
            self.depth += 1.0
        self.rows[index] = sum(rows) / len(rows)
        return self.rows[index]

    def _comes(self, source: Source) -> bool:
        if source.encounter is None:
            return source.seed is not None and source.seed < self.entrants
        return self.comers[source.encounter] >= (1 if source.won else 2)
