"""What every game offers: pure functions over an immutable state, without chance after the deal."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Viewer = int | Literal["spectator", "all"]
Plain = dict[str, Any]


class Options(Protocol):
    """The switches of a game, a frozen dataclass."""

    def to_plain(self) -> Plain:
        """Only what differs from the defaults."""
        ...


class Rng(Protocol):
    """What `determinize` needs; `random.Random` has it."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Shuffle in place."""
        ...

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""
        ...


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended by its rules: 1 is the best rank, equal ranks are ties."""

    ranks: tuple[int, ...]
    score: Plain


class Game(Protocol):
    """A set of rules. Stateless; states and views are immutable values of the game's own types.

    A game names `Game` as its base, for the defaults.
    """

    @property
    def name(self) -> str:
        """Lower case, as in replays."""
        ...

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def rules_version(self) -> int:
        """Changes whenever the behaviour does."""
        ...

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many may play, ascending."""
        ...

    @property
    def max_plies(self) -> int:
        """No match has more plies."""
        ...

    def parse_options(self, raw: Mapping[str, Any], /) -> Options:
        """Raises OptionError."""
        ...

    def teams(self, options: Any, seats: int, /) -> tuple[int, ...]:
        """The team of every seat, from 0; each seat plays alone unless the game says otherwise."""
        return tuple(range(seats))

    def deal(self, seed: bytes, options: Any, seats: int, /) -> Any:
        """The state at ply 0: all chance of the match."""
        ...

    def deal_to_plain(self, state: Any, /) -> Plain:
        """The deal of the state's match, as replays carry it."""
        ...

    def deal_from_plain(self, plain: Plain, options: Any, seats: int, /) -> Any:
        """The state at ply 0; raises RulesError."""
        ...

    def actor(self, state: Any, /) -> int | None:
        """The seat to decide; None when the game is over."""
        ...

    def legal_actions(self, state: Any, /) -> list[int]:
        """Ascending, complete, without duplicates; empty when the game is over."""
        ...

    def apply(self, state: Any, action: int, /) -> Any:
        """The next state. Trusts its caller: the referee checks."""
        ...

    def view(self, state: Any, viewer: Viewer, /) -> Any:
        """What the viewer may see, with everything that was ever public."""
        ...

    def view_to_plain(self, view: Any, /) -> Plain:
        """All keys always present, cards as notation."""
        ...

    def view_from_plain(self, plain: Plain, /) -> Any:
        """Raises RulesError."""
        ...

    def state_to_plain(self, state: Any, /) -> Plain:
        """The complete state."""
        ...

    def state_from_plain(self, plain: Plain, /) -> Any:
        """Raises RulesError."""
        ...

    def determinize(self, view: Any, rng: Rng, /) -> Any:
        """A state that the viewer cannot tell from the true one, made from the view alone."""
        ...

    def result(self, state: Any, /) -> GameResult | None:
        """None while the game goes on."""
        ...

    def notation(self, action: int, /) -> str:
        """Raises RulesError for an id that the game does not have."""
        ...

    def parse(self, text: str, /) -> int:
        """The inverse of notation; raises RulesError."""
        ...

    def event_notation(self, action: int, actor_seat: int, viewer: Viewer, options: Any, /) -> str:
        """The notation without what the viewer may not see."""
        ...
