"""The deal: from a seed, and from JSON data and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.core.seeds import Stream
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.state import Cards, Dealt, Options, State
from engine_service.games.king_is_dead.turns import laid

COURT = 2  # followers of each seat at the start
REGION = 4
HOME = 2  # of a home region's, its own


def followers_of_each(seats: int) -> int:
    """How many of a faction are in the game."""
    return 16 if seats == 2 else 18


def deal(seed: bytes, options: Options, seats: int) -> State:
    """Courts, regions, the row and the secret cards, each from the front of what was shuffled."""
    drawn = iter(_bag(seed, seats))
    courts = tuple(_draw(drawn, COURT) for _ in range(seats))
    regions = []
    for region in range(len(b.REGIONS)):
        own = tuple(faction * HOME for faction, home in b.HOME.items() if home == region)
        fixed = tuple("".join(own))
        regions.append(fixed + _draw(drawn, REGION - len(fixed)))
    row = list(range(len(b.REGIONS)))
    Stream(seed, "king_is_dead/regions").shuffle(row)
    dealt = Dealt(courts, tuple(regions), tuple(row))
    return _state(options, dealt, _secrets(seed, seats) if options.variant == "cunning" else ())


def _bag(seed: bytes, seats: int) -> list[str]:
    bag = list("".join(faction * (followers_of_each(seats) - HOME) for faction in b.FACTIONS))
    Stream(seed, "king_is_dead/followers").shuffle(bag)
    return bag


def _secrets(seed: bytes, seats: int) -> tuple[Cards, ...]:
    deck = list(c.CUNNING)
    Stream(seed, "king_is_dead/cunning").shuffle(deck)
    drawn = iter(deck)
    return tuple(_draw(drawn, c.SECRETS) for _ in range(seats))


def _draw(items: Iterator[str], number: int) -> Cards:
    return tuple(next(items) for _ in range(number))


def _state(options: Options, dealt: Dealt, cunning: tuple[Cards, ...]) -> State:
    return State(options, laid(dealt, supply_of(dealt)), cunning)


def supply_of(dealt: Dealt) -> int:
    """What the deal left over; raises RulesError when it used more than there is."""
    whole = followers_of_each(len(dealt.courts))
    used = [letter for letters in (*dealt.courts, *dealt.regions) for letter in letters]
    if any(used.count(faction) > whole for faction in b.FACTIONS):
        raise RulesError(f"a deal has at most {whole} followers of each faction")
    return b.gather(b.FACTIONS) * whole - b.gather(used)


def dealt_to_plain(dealt: Dealt) -> Plain:
    """What lies open, in the order dealt."""
    return {
        "courts": [list(court) for court in dealt.courts],
        "regions": {
            name: list(letters) for name, letters in zip(b.REGIONS, dealt.regions, strict=True)
        },
        "row": [b.REGIONS[region] for region in dealt.row],
    }


def deal_to_plain(state: State) -> Plain:
    """The deal of the state's match, as replays carry it."""
    plain = {"first": 0} | dealt_to_plain(state.table.dealt)
    return plain | {"cunning": [list(hand) for hand in state.cunning]} if state.cunning else plain


def deal_from_plain(plain: Any, options: Options, seats: int) -> State:
    """The state at ply 0; raises RulesError."""
    keys = ["first", "courts", "regions", "row"] + ["cunning"] * (options.variant == "cunning")
    if not isinstance(plain, dict) or set(plain) != set(keys):
        raise RulesError(f"a deal has {', '.join(keys)}")
    if type(plain["first"]) is not int or plain["first"] != 0:
        raise RulesError("seat 0 begins")
    secrets = _secrets_from_plain(plain["cunning"], seats) if "cunning" in plain else ()
    return _state(options, dealt_from_plain(plain, seats), secrets)


def dealt_from_plain(plain: Any, seats: int) -> Dealt:
    """The inverse of `dealt_to_plain`; raises RulesError."""
    courts, regions, row = plain["courts"], plain["regions"], plain["row"]
    if not isinstance(courts, list) or len(courts) != seats:
        raise RulesError(f"courts: expected {seats}, one for each seat")
    if not isinstance(regions, dict) or set(regions) != set(b.REGIONS):
        raise RulesError(f"regions: expected {', '.join(b.REGIONS)}")
    if not isinstance(row, list) or sorted(map(str, row)) != sorted(b.REGIONS):
        raise RulesError("row: expected each of the 8 regions once")
    filled = [_letters(regions[name], REGION) for name in b.REGIONS]
    for faction, home in b.HOME.items():
        if filled[home][:HOME] != (faction,) * HOME:
            raise RulesError(f"{b.REGIONS[home]} starts with {HOME} followers {faction}")
    seated = tuple(_letters(court, COURT) for court in courts)
    return Dealt(seated, tuple(filled), tuple(map(b.REGIONS.index, row)))


def _letters(plain: Any, size: int) -> Cards:
    known = tuple(b.FACTIONS)
    if (
        not isinstance(plain, list)
        or len(plain) != size
        or any(item not in known for item in plain)
    ):
        raise RulesError(f"expected a list of {size} followers, each S, W or E")
    return tuple(plain)


def _secrets_from_plain(plain: Any, seats: int) -> tuple[Cards, ...]:
    if not isinstance(plain, list) or len(plain) != seats:
        raise RulesError(f"cunning: expected {seats} lists, one for each seat")
    if any(not isinstance(hand, list) or len(hand) != c.SECRETS for hand in plain):
        raise RulesError(f"cunning: expected {c.SECRETS} cards for each seat")
    cards = [card for hand in plain for card in hand]
    if any(card not in c.CUNNING or cards.count(card) > 1 for card in cards):
        raise RulesError("cunning: expected cunning cards, each at most once")
    return tuple(map(tuple, plain))
