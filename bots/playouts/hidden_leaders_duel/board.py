"""Hidden Leaders: Duel: a match that goes on quickly, and how each seat sees it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from bots.judges import Credits
from bots.playouts.hidden_leaders_duel.standing import (
    BACK,
    at_first,
    with_outlook,
)
from engine_service.games.hidden_leaders_duel.actions import COUNCIL, Return, Take, decode
from engine_service.games.hidden_leaders_duel.heroes import CODES, FACTIONS, ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.state import TURNS, Leader, State

SURE = 4.0  # a lead in strength that says more about the playout than a narrow one

PLACE = {code: FACTIONS.index(code[0]) for code in CODES}  # of its faction


class Board:
    """What lies where, and what observers make of it: `seen` is by observer and faction.

    The observers are the two seats, or a seat with several leaders; `seats` says which. `known` by
    seat are heroes that were seen. `free` are slots that can be taken, `vacant` those to return to
    in a turn that began. The pile is turned round.
    """

    __slots__ = (
        "began", "face_up", "free", "hands", "heroes", "known", "pile",
        "rows", "seats", "secret", "seen", "turn", "vacant",
    )  # fmt: skip

    def __init__(self, state: State, observers: Sequence[tuple[int, Leader]] = ()) -> None:
        """Take the state apart; `observers` as seats and leaders, by default those of the state."""
        observers = observers or tuple(enumerate(state.leaders))
        step = state.step
        self.turn = state.closed
        self.secret = state.options.hidden_factions
        self.heroes = [slot.hero for slot in state.slots]
        self.face_up = [slot.face_up for slot in state.slots]
        self.rows: tuple[list[str], list[str]] = ([], [])  # blockers
        self.hands = [list(hand) for hand in state.hands]
        self.pile = list(reversed(state.pile))
        self.vacant = list(state.turns[-1].slots) if step == "return" else []
        self.began = step in ("return", "play")
        self.free = [at for at, slot in enumerate(state.slots) if not slot.blocker]
        self.seats = tuple(seat for seat, _ in observers)
        self.seen = [list(at_first(leader, state.options)) for _, leader in observers]
        self.known: tuple[set[str], set[str]] = (set(), set())
        self._look(state)

    def _look(self, state: State) -> None:
        """Each seat sees its hand and Council, and what it blocked with; both what is face up."""
        for seat in (0, 1):
            blockers = [slot.blocker for slot in state.slots if slot.blocked_by == seat]
            face_up = [slot.hero for slot in state.slots if slot.face_up]
            seen = (*state.hands[seat], *state.councils[seat], *blockers, *face_up)
            for hero in dict.fromkeys(seen):
                self._see(hero, seat)
        for at, slot in enumerate(state.slots):
            if slot.hero:
                self._count(slot.hero, at, (slot.face_up, slot.face_up))
            if slot.blocker:
                self._block(slot.blocker, at, slot.blocked_by)
        for seat, council in enumerate(state.councils):
            for hero in council:
                self._join(hero, seat)

    def copy(self) -> Board:
        """Another that goes its own way."""
        other = Board.__new__(Board)
        other.turn, other.began, other.secret = self.turn, self.began, self.secret
        other.seats, other.heroes, other.face_up = self.seats, self.heroes[:], self.face_up[:]
        other.rows = self.rows[0][:], self.rows[1][:]
        other.known = self.known[0].copy(), self.known[1].copy()
        other.hands = [hand[:] for hand in self.hands]
        other.seen = [standings[:] for standings in self.seen]
        other.pile, other.vacant, other.free = self.pile[:], self.vacant[:], self.free[:]
        return other

    @property
    def actor(self) -> int | None:
        """Whose turn it is, None at the end."""
        return self.turn & 1 if self.turn < TURNS else None

    def act(self, action: int) -> None:
        """A step of the turn, by its id."""
        done = decode(action)
        if isinstance(done, Take):
            self.take(done.slots)
        elif isinstance(done, Return):
            for hero, at in zip(done.heroes, done.slots, strict=True):
                self.return_(hero, at)
        else:
            self.play(done.hero, done.target)

    def take(self, slots: Sequence[int]) -> None:
        """To the hand."""
        seat = self.turn & 1
        hand, known = self.hands[seat], self.known[seat]
        self.vacant, self.began = list(slots), True
        for at in slots:
            hero, face_up = self.heroes[at], self.face_up[at]
            hand.append(hero)
            self._count(hero, at, (face_up, face_up), -1)
            if hero not in known:
                self._see(hero, seat)

    def return_(self, hero: str, at: int) -> None:
        """Face up, so that the other seat sees it too."""
        seat = self.turn & 1
        self.vacant.remove(at)
        self.hands[seat].remove(hero)
        self.heroes[at], self.face_up[at] = hero, True
        if hero not in self.known[1 - seat]:
            self._see(hero, 1 - seat)
        self._count(hero, at, (True, True))

    def play(self, hero: str, target: int) -> None:
        """With the draw the turn ends."""
        seat = self.turn & 1
        hand = self.hands[seat]
        hand.remove(hero)
        if target == COUNCIL:
            self._join(hero, seat)
        else:
            self.free.remove(target)
            self._block(hero, target, seat)
        if self.pile:
            drawn = self.pile.pop()
            hand.append(drawn)
            if drawn not in self.known[seat]:
                self._see(drawn, seat)
        self.turn, self.began = self.turn + 1, False

    def credits(self) -> Credits:
        """At the end: half of a credit is won or lost, half says by how much."""
        (one, ones), (other, others) = self.armies()
        won = ((one, ones) > (other, others)) - ((one, ones) < (other, others))
        credit = ((1 + won) / 2 + 1 / (1 + exp((other - one) / SURE))) / 2
        return credit, 1 - credit

    def armies(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """By seat strength and heroes, shared out as the rules do."""
        heroes, strengths = [[0] * 4, [0] * 4], [[0] * 4, [0] * 4]
        for row, (first, blockers) in enumerate(zip((0, ROW_SLOTS), self.rows, strict=True)):
            for hero in (*self.heroes[first : first + ROW_SLOTS], *blockers):
                heroes[row][PLACE[hero]] += 1
                strengths[row][PLACE[hero]] += STRENGTH[hero]
        army, size = [0, 0], [0, 0]
        for place in range(len(FACTIONS)):
            one, other = self.seen[0][place][-1], self.seen[1][place][-1]
            more = heroes[0][place] - heroes[1][place]
            crossed = more * (one.influence - other.influence) < 0
            for seat, outlook in ((0, one), (1, other)):
                if outlook.present:
                    army[seat] += strengths[seat ^ crossed][place]
                    size[seat] += heroes[seat ^ crossed][place]
        return (army[0], size[0]), (army[1], size[1])

    def _count(self, hero: str, at: int, seen: tuple[bool, bool], sign: int = 1) -> None:
        """A hero comes to a row or leaves it; `seen` by which seat."""
        place, row, strength = PLACE[hero], at // ROW_SLOTS, sign * STRENGTH[hero]
        for seat, standings in zip(self.seats, self.seen):  # noqa: B905, this is the inner loop
            heroes, own, across, own_backs, across_backs, outlook = standings[place]
            if row == seat:
                heroes += sign
                if seen[seat]:
                    own += strength
                else:
                    own_backs += sign
            else:
                heroes -= sign
                if seen[seat]:
                    across += strength
                else:
                    across_backs += sign
            standings[place] = heroes, own, across, own_backs, across_backs, outlook

    def _see(self, hero: str, seat: int) -> None:
        """For the first time, by that seat."""
        self.known[seat].add(hero)
        place = PLACE[hero]
        for observer, standings in zip(self.seats, self.seen, strict=True):
            if observer == seat:
                outlook = standings[place][-1].seen[STRENGTH[hero]]
                standings[place] = with_outlook(standings[place], outlook)

    def _block(self, hero: str, at: int, seat: int) -> None:
        self.rows[at // ROW_SLOTS].append(hero)
        self._count(hero, at, (seat == 0, seat == 1))

    def _join(self, hero: str, seat: int) -> None:
        """The rival sees a back, with the faction or without."""
        place = PLACE[hero]
        for observer, standings in zip(self.seats, self.seen, strict=True):
            if observer == seat:
                outlook = standings[place][-1].joined[STRENGTH[hero]]
                standings[place] = with_outlook(standings[place], outlook)
                continue
            for one in range(len(FACTIONS)) if self.secret else (place,):
                outlook = standings[one][-1].backed[1 if self.secret else BACK]
                standings[one] = with_outlook(standings[one], outlook)
