"""Games are found by name, our own and those of other distributions."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from engine_service import catalogue
from engine_service.core.errors import BrokenGameError, UnknownGameError
from engine_service.games.claim.game import Claim


class OtherGame(Claim):
    """A game as another distribution could bring it."""

    name = "other"


OTHER = OtherGame()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found = EntryPoints([EntryPoint("other", f"{__name__}:OTHER", catalogue.ENTRY_POINTS)])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found.select(group=group))
    monkeypatch.setattr(EntryPoint, "load", lambda entry: OTHER)
    catalogue._installed.cache_clear()
    yield
    catalogue._installed.cache_clear()


def test_claim_is_there() -> None:
    assert catalogue.names()[0] == "claim"
    assert catalogue.game("claim").title == "Claim"


def test_an_unknown_game_is_refused_by_name() -> None:
    with pytest.raises(UnknownGameError, match=r"one of claim, .*'chess'") as caught:
        catalogue.game("chess")
    assert caught.value.name == "chess"


@pytest.mark.usefixtures("installed")
def test_a_game_of_another_distribution_is_found() -> None:
    assert catalogue.names() == (*(built_in.name for built_in in catalogue.BUILT_IN), "other")
    assert catalogue.game("other") is OTHER


def test_a_game_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("half", "no_such_module:GAME", catalogue.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: EntryPoints([broken]))
    catalogue._installed.cache_clear()
    with pytest.raises(BrokenGameError, match=r"'half = no_such_module:GAME'.*ModuleNotFoundError"):
        catalogue.names()
    assert catalogue.game("claim").name == "claim"
    catalogue._installed.cache_clear()
