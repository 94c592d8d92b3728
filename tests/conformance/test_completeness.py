"""A game of ours is whole: rules, contract, board, golden replays and a page for people."""

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dashboard.boards import text
from dashboard.boards.catalogue import board
from engine_service.catalogue import BUILT_IN
from engine_service.core.game import Game

ROOT = Path(__file__).parents[2]
NAMES = [game.name for game in BUILT_IN]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_contract(name: str) -> None:
    assert (ROOT / "proto" / "interrex" / "games" / name / "v1" / f"{name}.proto").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_board(name: str) -> None:
    assert board(name).render is not text.render


def test_a_game_from_elsewhere_is_shown_as_text() -> None:
    assert board("from elsewhere").render is text.render


def test_the_board_draws_what_any_viewer_sees(case) -> None:
    render = board(case.game.name).render
    for position in islice(case.match(), 0, None, 7):
        for viewer in case.viewers:
            view = case.game.view_to_plain(case.game.view(position.state, viewer))
            last = asdict(position.plies[-1]) if position.plies else None
            drawn = render(view, last, ["one"] * case.seats)
            assert ElementTree.fromstring(drawn).tag.endswith("}svg")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["golden", "vectors"])
def test_a_game_has_replays_of_both_kinds(name: str, folder: str) -> None:
    assert list((ROOT / "tests" / folder).rglob(f"{name}-*.replay.json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_a_page_with_its_options_and_version(name: str) -> None:
    (game,) = [game for game in BUILT_IN if game.name == name]
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert f"`rules_version` {game.rules_version}" in page
    assert all(f"`{option}`" in page for option in _options(game))


def _options(game: Game) -> list[str]:
    options: Any = game.parse_options({})
    return list(options.__dataclass_fields__)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_explains_every_key_of_a_view(name: str) -> None:
    (game,) = [game for game in BUILT_IN if game.name == name]
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    state = game.deal(bytes(32), game.parse_options({}), game.seat_counts[0])
    keys = game.view_to_plain(game.view(state, "all"))
    assert [key for key in keys if f"`{key}`" not in page] == []
