"""Hidden Leaders: Duel, one turn at a time: what the rows would bring if they stayed as they are.

Each faction is judged for itself: who may have more influence in it, which row may hold more of
its heroes, who may be present at all, and what the heroes of both rows are worth. A hero whose
strength is not seen counts as the average of its faction's unseen heroes.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import erf, sqrt
from statistics import fmean, pvariance
from typing import NamedTuple

from bots.sdk import Answer, Bot, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FACTIONS = "RGBK"
ROW_SLOTS = 7
TURNS = 14

TURN_INFLUENCE = 1.6  # standard deviation of what a turn to come may change of an influence
TURN_HEROES = 0.7  # and of how many heroes of a faction more lie in one row
TURN_PRESENCE = 0.12  # the chance that it brings a faction to a Council that lacks it
EXACT = 0.05  # instead of a standard deviation of nothing

Hero = tuple[str, float]  # faction and strength, maybe an expected one


class Rival(NamedTuple):
    """What may be expected of the other seat in one faction."""

    influence: float
    variance: float
    presence: float


class Faction(NamedTuple):
    """How one faction stands; `heroes` and `strength` by row, the own one first."""

    heroes: tuple[int, int] = (0, 0)
    strength: tuple[float, float] = (0.0, 0.0)
    influence: float = 0.0
    present: bool = False
    rival: Rival = Rival(0.0, 0.0, 0.0)

    def with_hero(self, row: int, strength: float, sign: int = 1) -> Faction:
        """One more in a row, or one less."""
        (own, other), (ours, theirs) = self.heroes, self.strength
        if row == 0:
            heroes, sums = (own + sign, other), (ours + sign * strength, theirs)
        else:
            heroes, sums = (own, other + sign), (ours, theirs + sign * strength)
        return Faction(heroes, sums, self.influence, self.present, self.rival)

    def with_councillor(self, strength: float) -> Faction:
        """One more in the own Council, or the leader."""
        influence = self.influence + strength
        return Faction(self.heroes, self.strength, influence, True, self.rival)


Factions = dict[str, Faction]


class Policy(Bot):
    """Plays what leaves the rows that promise most."""

    def choose(self, turn: Turn) -> Answer:
        """The best of the legal actions; of equals the first."""
        values = Table(turn.view, self.hello.seat).worth(turn.view["step"], turn.legal)
        best = values.index(max(values))
        return Answer(turn.legal[best], note=f"expects {values[best]:+.1f}")


class Table:
    """One decision as a seat sees it."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        """Sort the view into factions, slots and the own hand."""
        self.seat = seat
        self.unseen = unseen_strengths(view)
        self.turns_left: int = TURNS - 1 - view["turn"]
        self.hand = [self._hero(code) for code in view["hands"][seat]]
        self.slots = [self._hero(slot["hero"]) for slot in view["slots"]]
        self.factions = self._factions(view)
        self.taken: dict[tuple[object, ...], float] = {}

    def worth(self, step: str, actions: Sequence[str]) -> list[float]:
        """What the best turn brings that goes on with each of these actions."""
        judge = {"take": self.taking, "return": self.returning, "play": self.playing}
        return [judge[step](action.split()[1:]) for action in actions]

    def taking(self, slots: Sequence[str]) -> float:
        """What the best turn brings that begins by taking from these slots."""
        lying = tuple((self.slots[int(slot)], self._row(slot)) for slot in slots)
        if lying not in self.taken:
            self.taken[lying] = self._best_return(lying)
        return self.taken[lying]

    def _best_return(self, lying: Sequence[tuple[Hero, int]]) -> float:
        factions, rows = self.factions, [row for _, row in lying]
        for (faction, strength), row in lying:
            factions = changed(factions, faction, row, strength, -1)
        hand = [*self.hand, *(hero for hero, _ in lying)]
        chosen = dict.fromkeys(permutations(hand, len(lying)))
        return max(self._returned(factions, hand, heroes, rows) for heroes in chosen)

    def returning(self, placed: Sequence[str]) -> float:
        """What the best turn brings that goes on with this return, such as `R5@3 G2@9`."""
        codes, slots = zip(*(one.split("@") for one in placed), strict=True)
        return self._returned(
            self.factions, self.hand, list(map(self._hero, codes)), list(map(self._row, slots))
        )

    def _returned(
        self, factions: Factions, hand: Sequence[Hero], heroes: Sequence[Hero], rows: Sequence[int]
    ) -> float:
        left = list(hand)
        for hero, row in zip(heroes, rows, strict=True):
            left.remove(hero)
            factions = changed(factions, hero[0], row, hero[1])
        others = self._others(factions)
        return max(
            others[faction] + brings_at_best(factions[faction], strength, self.turns_left)
            for faction, strength in dict.fromkeys(left)
        )

    def playing(self, play: Sequence[str]) -> float:
        """What the rows bring after the turn ends by this play, such as `R1 block 4`."""
        row = None if play[1] == "council" else self._row(play[2])
        faction, strength = self._hero(play[0])
        now = played(self.factions[faction], strength, row)
        return self._others(self.factions)[faction] + brings(now, self.turns_left)

    def _others(self, factions: Factions) -> dict[str, float]:
        """By faction what all the others bring."""
        worth = {faction: brings(factions[faction], self.turns_left) for faction in FACTIONS}
        return {
            faction: sum([worth[other] for other in FACTIONS if other != faction])
            for faction in FACTIONS
        }

    def _row(self, slot: str) -> int:
        return int(int(slot) // ROW_SLOTS != self.seat)

    def _hero(self, look: str) -> Hero:
        """A hero as it is seen; of an unseen one what may be expected."""
        if not look:
            return "", 0.0
        return look[0], float(look[1:]) if "?" not in look else fmean(self.unseen[look[0]])

    def _factions(self, view: dict[str, Any]) -> Factions:
        own, other = self.seat, 1 - self.seat
        mine = view["leaders"][own]
        rivals = [card for card in view["leader_cards"] if "".join(card["factions"]) != mine]
        factions = {
            faction: Faction(rival=self._rival(faction, view["councils"][other], rivals))
            for faction in FACTIONS
        }
        for slot, lying in enumerate(view["slots"]):
            for faction, strength in map(
                self._hero, filter(None, (lying["hero"], lying["blocker"]))
            ):
                factions = changed(factions, faction, self._row(str(slot)), strength)
        council = [self._hero(code) for code in view["councils"][own]]
        leader = next(c for c in view["leader_cards"] if "".join(c["factions"]) == mine)
        for faction, strength in [*council, *((f, leader["value"]) for f in leader["factions"])]:
            factions[faction] = factions[faction].with_councillor(strength)
        return factions

    def _rival(self, faction: str, council: Sequence[str], leaders: Sequence[Any]) -> Rival:
        backs = [look[0] for look in council]
        share = backs.count(faction) + backs.count("?") / len(FACTIONS)
        values = [card["value"] if faction in card["factions"] else 0.0 for card in leaders]
        belongs = fmean(faction in card["factions"] for card in leaders)
        unseen = self.unseen[faction]
        return Rival(
            influence=share * fmean(unseen) + fmean(values),
            variance=share * pvariance(unseen) + pvariance(values),
            presence=max(belongs, min(1.0, share)),
        )


def unseen_strengths(view: dict[str, Any]) -> dict[str, list[float]]:
    """By faction the strengths of the deck's heroes that lie nowhere in sight."""
    seen = [hero for slot in view["slots"] for hero in (slot["hero"], slot["blocker"])]
    for heroes in (*view["hands"], *view["councils"]):
        seen += heroes
    rest = list(view["deck"])
    for hero in seen:
        if hero in rest:
            rest.remove(hero)
    return {
        faction: [float(code[1:]) for code in rest if code[0] == faction] or [0.0]
        for faction in FACTIONS
    }


def changed(factions: Factions, faction: str, row: int, strength: float, sign: int = 1) -> Factions:
    """The factions with one hero more in a row, or one less."""
    return {**factions, faction: factions[faction].with_hero(row, strength, sign)}


def played(faction: Faction, strength: float, row: int | None) -> Faction:
    """The faction with that hero; `row` of the slot that is blocked, None for the Council."""
    return faction.with_councillor(strength) if row is None else faction.with_hero(row, strength)


@lru_cache(maxsize=1 << 15)
def brings_at_best(faction: Faction, strength: float, turns_left: int) -> float:
    """What the faction brings after that hero is played where it brings most."""
    return max(brings(played(faction, strength, row), turns_left) for row in (None, 0, 1))


@lru_cache(maxsize=1 << 15)
def brings(faction: Faction, turns_left: int) -> float:
    """The strength that I may expect of the faction, less what the other seat may."""
    rival = faction.rival
    spread = sqrt(rival.variance + turns_left * TURN_INFLUENCE**2 / 2)
    more, less = chances(faction.influence - rival.influence, spread)
    larger, smaller = chances(faction.heroes[0] - faction.heroes[1], TURN_HEROES * sqrt(turns_left))
    exchanged = more * smaller + less * larger
    come: float = 1 - (1 - TURN_PRESENCE) ** (turns_left / 2)
    present = 1.0 if faction.present else come
    theirs = max(rival.presence, come)
    own, other = faction.strength
    stays = present * own - theirs * other
    return stays + exchanged * (present * other - theirs * own - stays)


def chances(lead: float, spread: float) -> tuple[float, float]:
    """That a whole number with this mean and spread is above 0, and below."""
    spread = max(spread, EXACT) * sqrt(2)
    return (1 + erf((lead - 0.5) / spread)) / 2, (1 - erf((lead + 0.5) / spread)) / 2
