"""What a tournament is created with beside its terms, as its format asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats.format import Extends, Format
from arena_service.ratings.sprt import Sprt
from arena_service.store.competitions import find
from arena_service.store.errors import InvalidError
from arena_service.store.tables import Bot, Ladder, Tournament

MAX_CHALLENGERS = 20
MAX_NELO = 1000.0


@dataclass(frozen=True)
class Settings:
    """`rounds` at most, 0: as the format needs; `challengers` are ids of bots.

    `seeding` is the id of a ladder whose ratings seed, empty: the order of entry. `sprt`: when to
    stop, None: after all pairs.
    """

    rounds: int = 0
    challengers: tuple[str, ...] = ()
    seeding: str = ""
    sprt: Sprt | None = None

    def to_plain(self) -> dict[str, Any]:
        """As it is stored, without the rounds; what is not set is left out."""
        plain = {
            "challengers": list(self.challengers),
            "seeding": self.seeding,
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }
        return {name: value for name, value in plain.items() if value}


PLAIN = Settings()


def settings_of(tournament: Tournament) -> Settings:
    """As they were stored."""
    plain = tournament.settings
    return Settings(
        tournament.rounds,
        tuple(plain.get("challengers", ())),
        plain.get("seeding", ""),
        Sprt(**plain["sprt"]) if "sprt" in plain else None,
    )


def sprt(elo0: float, elo1: float, alpha: float, beta: float) -> Sprt:
    """A stopping rule; zeros as `alpha` and `beta` are the defaults. Raises InvalidError."""
    for name, value in (("elo0", elo0), ("elo1", elo1)):
        if not abs(value) <= MAX_NELO:
            raise InvalidError(name, f"-{MAX_NELO:g} to {MAX_NELO:g}")
    try:
        return Sprt(elo0, elo1, alpha or 0.05, beta or 0.05)
    except ValueError as error:
        name, _, expected = str(error).partition(": expected ")
        raise InvalidError(name, expected) from error


def check(
    session: Session, name: str, format: Format, game: str, seats: int, wanted: Settings
) -> Settings:
    """What was asked for, the ladder as its id; raises InvalidError for what does not fit."""
    if format.two_seats and seats != 2:
        raise InvalidError("seats", f"2 in the format {name}: it asks who of two has won")
    for field, given, fits in (
        ("rounds", wanted.rounds, format.extends is Extends.ROUNDS),
        ("challengers", wanted.challengers, name == "gauntlet"),
        ("seeding", wanted.seeding, name == "double_elimination"),
        ("sprt", wanted.sprt, name == "test"),
    ):
        if given and not fits:
            raise InvalidError(field, f"none in the format {name}")
    if name == "gauntlet":
        _check_challengers(session, wanted.challengers)
    if not wanted.seeding:
        return wanted
    ladder = find(session, Ladder, wanted.seeding)
    if ladder.game != game:
        raise InvalidError("seeding", f"a ladder of {game}, got one of {ladder.game}")
    return Settings(wanted.rounds, wanted.challengers, ladder.id, wanted.sprt)


def _check_challengers(session: Session, bots: Sequence[str]) -> None:
    if not 1 <= len(set(bots)) <= MAX_CHALLENGERS:
        raise InvalidError("challengers", f"1 to {MAX_CHALLENGERS} in the format gauntlet")
    known = set(session.scalars(select(col(Bot.id)).where(col(Bot.id).in_(bots))))
    for bot in bots:
        if bot not in known:
            raise InvalidError("challengers", f"bots that there are, got {bot[:40]!r}")
