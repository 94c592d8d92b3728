"""Games that are written down: small enough to know what is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from bots.search.decision import Decision
from engine_service.core.game import Game, GameResult


class Tale(Game):
    """`endings` gives the ranks by seat behind each whole history, one letter for a ply.

    `actors` names the seat of every ply; a letter of `hidden` is seen by who played it alone.
    """

    name = "tale"

    def __init__(
        self,
        endings: Mapping[str, tuple[int, ...]],
        actors: Sequence[int],
        hidden: str = "",
        partners: Sequence[int] = (),
    ) -> None:
        self.endings = endings
        self.actors = actors
        self.hidden = hidden
        self.partners = partners

    def teams(self, options: None, seats: int) -> tuple[int, ...]:
        return tuple(self.partners or range(seats))

    def actor(self, state: str) -> int | None:
        return None if state in self.endings else self.actors[len(state)]

    def legal_actions(self, state: str) -> list[int]:
        ahead = {ending[len(state) :] for ending in self.endings if ending.startswith(state)}
        return sorted({ord(rest[0]) for rest in ahead if rest})

    def apply(self, state: str, action: int) -> str:
        return state + chr(action)

    def view(self, state: str, viewer: int) -> str:
        told = zip(state, self.actors, strict=False)
        return "".join(self.event_notation(ord(one), seat, viewer, None) for one, seat in told)

    def determinize(self, view: str, rng: Random) -> str:
        """The secrets of a view are those of the other seats; each that fits is equally likely."""
        worlds = sorted({ending[: len(view)] for ending in self.endings if len(ending) > len(view)})
        return rng.choice([world for world in worlds if self._fits(world, view)])

    def result(self, state: str) -> GameResult | None:
        ranks = self.endings.get(state)
        return GameResult(ranks, {}) if ranks else None

    def notation(self, action: int) -> str:
        return chr(action)

    def event_notation(self, action: int, actor_seat: int, viewer: int, options: None) -> str:
        secret = chr(action) in self.hidden and viewer != actor_seat
        return "?" if secret else chr(action)

    def asked(self, state: str) -> Decision:
        """What the seat to act is asked."""
        seat = self.actors[len(state)]
        seats = len(next(iter(self.endings.values())))
        legal = tuple(self.legal_actions(state))
        return Decision(self, None, self.teams(None, seats), seat, self.view(state, seat), legal)

    def _fits(self, world: str, view: str) -> bool:
        pairs = zip(world, view, strict=True)
        return all(one == seen or (seen == "?" and one in self.hidden) for one, seen in pairs)
