"""Who sees what in Hidden Leaders: Duel."""

from __future__ import annotations

from engine_service.games.hidden_leaders_duel.actions import COUNCIL
from engine_service.games.hidden_leaders_duel.heroes import (
    NO_HERO,
    UNKNOWN,
    UNSEEN,
    ordered,
)
from engine_service.games.hidden_leaders_duel.scoring import rows, share_out
from engine_service.games.hidden_leaders_duel.state import (
    ALL,
    TURNS,
    BySeat,
    Heroes,
    Slot,
    State,
    Turn,
    View,
)

_NOBODYS: BySeat = ((), ())


def view(state: State, viewer: int) -> View:
    """Built from what is public, plus what the viewer alone may see."""
    step = state.step
    over = step == "over"
    hidden = state.options.hidden_factions
    # At the end leaders, Councils and rows are turned up; what was once taken and drawn is not.
    holds = [viewer in (seat, ALL) for seat in (0, 1)]
    shows = [over or owns for owns in holds]
    hands, councils = state.hands, state.councils
    outcome = share_out(rows(state.slots), councils, state.leaders) if over else None
    return View(
        viewer=viewer,
        options=state.options,
        turn=min(state.closed, TURNS - 1),
        step=step,
        actor=-1 if over else state.seat,
        slots=tuple(_slot(slot, over or viewer == ALL, shows) for slot in state.slots),
        hands=(_pile(hands[0], holds[0], hidden), _pile(hands[1], holds[1], hidden)),
        councils=(_pile(councils[0], shows[0], hidden), _pile(councils[1], shows[1], hidden)),
        leaders=(
            state.leaders[0] if shows[0] else None,
            state.leaders[1] if shows[1] else None,
        ),
        pile=state.pile if viewer == ALL else _draw_pile(state.pile, hidden),
        turns=tuple(
            _turn(turn, holds[turn.seat], shows[turn.seat], hidden) for turn in state.turns
        ),
        armies=outcome.armies if outcome else _NOBODYS,
        discarded=outcome.discarded if outcome else (),
    )


def unseen(hero: str, hidden_factions: bool) -> str:
    """A hero in a hand, in a Council or on the pile to those who do not know it."""
    return UNKNOWN if hidden_factions else UNSEEN[hero]


def _slot(slot: Slot, open_row: bool, shows: list[bool]) -> Slot:
    """Backs lie in the rows with their faction in sight."""
    hero, blocker = slot.hero, slot.blocker
    if hero and not (slot.face_up or open_row):
        hero = UNSEEN[hero]
    if blocker and not shows[slot.blocked_by]:
        blocker = UNSEEN[blocker]
    return slot._replace(hero=hero, blocker=blocker)


def _pile(heroes: Heroes, known: bool, hidden_factions: bool) -> Heroes:
    if known:
        return heroes
    return ordered(unseen(hero, hidden_factions) for hero in heroes)


def _draw_pile(pile: Heroes, hidden_factions: bool) -> Heroes:
    """The back of the top hero, and how many lie under it."""
    return (unseen(pile[0], hidden_factions), *(UNKNOWN for _ in pile[1:])) if pile else ()


def _turn(turn: Turn, holds: bool, shows: bool, hidden_factions: bool) -> Turn:
    """`holds`: the viewer saw that hand; `shows`: or what left it face down is open by now."""
    taken, played, drawn = turn.taken, turn.played, turn.drawn
    if not holds:
        taken = tuple(
            hero if up else UNSEEN[hero] for hero, up in zip(taken, turn.face_up, strict=True)
        )
        drawn = unseen(drawn, hidden_factions) if drawn else NO_HERO
    if played and not shows:
        played = unseen(played, hidden_factions and turn.target == COUNCIL)
    return turn._replace(taken=taken, played=played, drawn=drawn)
