"""All games that are installed: our own, and those that announce themselves as an entry point."""

from __future__ import annotations

from functools import cache

from engine_service.core.errors import BrokenGameError, UnknownGameError
from engine_service.core.game import Game
from engine_service.games.claim.game import GAME as CLAIM
from engine_service.games.hidden_leaders_duel.game import GAME as HIDDEN_LEADERS_DUEL
from engine_service.games.king_is_dead.game import GAME as KING_IS_DEAD

TYPE_CHECKING = False  # type checkers take it for true; importing typing would cost start-up time
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: tuple[Game, ...] = (CLAIM, KING_IS_DEAD, HIDDEN_LEADERS_DUEL)
ENTRY_POINTS = "interrex.games"  # each names a Game object


def game(name: str) -> Game:
    """The game of that name; raises UnknownGameError, BrokenGameError."""
    for known in BUILT_IN:
        if known.name == name:
            return known
    try:
        return _installed()[name]
    except KeyError:
        raise UnknownGameError(name, ", ".join(names())) from None


def names() -> tuple[str, ...]:
    """Our own first, then the others in alphabetical order; raises BrokenGameError."""
    own = tuple(known.name for known in BUILT_IN)
    return own + tuple(name for name in sorted(_installed()) if name not in own)


@cache
def _installed() -> dict[str, Game]:
    from importlib.metadata import entry_points  # slow to import; bots need our own games only

    found = map(_loaded, entry_points(group=ENTRY_POINTS))
    return {known.name: known for known in found}


def _loaded(entry: EntryPoint) -> Game:
    try:
        known: Game = entry.load()
    except Exception as error:  # whatever a stranger's module raises, say whose it is
        cause = f"{type(error).__name__}: {error}"
        raise BrokenGameError(f"{entry.name} = {entry.value}", cause) from error
    return known
