"""The 48 distinct cards of Claim as ids, sets of cards as ints, and which card beats which.

A set is an int: its lowest three bits count the G0 (five in the game), bit id + 2 stands for any
other card. So sets add and subtract, and `cards & SUITS[faction]` picks a faction.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine_service.core.errors import RulesError

FACTIONS = "GKUDX"
GOBLIN, KNIGHT, UNDEAD, DWARF, DOPPELGANGER = range(5)

_VALUES = {"K": range(2, 10)}
NAMES = tuple(f"{f}{v}" for f in FACTIONS for v in _VALUES.get(f, range(10)))
IDS = {name: card for card, name in enumerate(NAMES)}
FACTION = tuple(FACTIONS.index(name[0]) for name in NAMES)
VALUE = tuple(int(name[1]) for name in NAMES)

G0 = 0
G0_COPIES = 5
G0_MASK = 7
UNIT = tuple(1 if card == G0 else 1 << (card + 2) for card in range(len(NAMES)))
DECK = (G0,) * (G0_COPIES - 1) + tuple(range(len(NAMES)))  # the 52 cards before the shuffle
SUITS = tuple(
    sum(UNIT[card] for card in range(len(NAMES)) if FACTION[card] == faction)
    | (G0_MASK if faction == GOBLIN else 0)
    for faction in range(len(FACTIONS))
)


def _answer_wins(led: int, reply: int) -> bool:
    if FACTION[reply] in (FACTION[led], DOPPELGANGER):
        return VALUE[reply] > VALUE[led]
    return FACTION[led] == GOBLIN and FACTION[reply] == KNIGHT


ANSWER_WINS = tuple(tuple(_answer_wins(led, reply) for reply in range(48)) for led in range(48))


def distinct(cards: int) -> list[int]:
    """The ids in a set, ascending, each once."""
    found = [G0] if cards & G0_MASK else []
    rest = cards >> 3
    while rest:
        low = rest & -rest
        found.append(low.bit_length())
        rest ^= low
    return found


def members(cards: int) -> list[int]:
    """The ids in a set, ascending, G0 as often as it is there."""
    return [G0] * ((cards & G0_MASK) - 1) + distinct(cards)


def size(cards: int) -> int:
    """How many cards."""
    return (cards & G0_MASK) + (cards >> 3).bit_count()


def collect(ids: Iterable[int]) -> int:
    """The set of some cards that are all different, G0 aside."""
    return sum(map(UNIT.__getitem__, ids))


def less(cards: int, other: int) -> int:
    """`cards` without those that are in `other` too; unlike `-`, `other` may hold more."""
    common = min(cards & G0_MASK, other & G0_MASK) + (cards & other & ~G0_MASK)
    return cards - common


def card_names(ids: Iterable[int]) -> list[str]:
    """Notation, in the order given."""
    return [NAMES[card] for card in ids]


def card_ids(names: object) -> tuple[int, ...]:
    """The inverse of `card_names`; raises RulesError."""
    if not isinstance(names, (list, tuple)):
        raise RulesError("expected a list of cards")
    return tuple(card_id(name) for name in names)


def card_id(name: object) -> int:
    """Raises RulesError for anything but the notation of a card."""
    card = IDS.get(name) if isinstance(name, str) else None
    if card is None:
        raise RulesError(f"no card is called {str(name)[:20]!r}")
    return card


def votes(scored: tuple[int, int]) -> tuple[int, ...]:
    """Per faction the seat with its vote, -1 while nobody has it."""
    return tuple(_vote(scored[0] & suit, scored[1] & suit) for suit in SUITS)


def _vote(first: int, second: int) -> int:
    # With equal counts the larger int holds the highest card: only G0 can be on both sides.
    ours, theirs = (size(first), first), (size(second), second)
    return -1 if ours == theirs else int(ours < theirs)
