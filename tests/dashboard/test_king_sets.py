"""The sets that The King Is Dead's board draws are those that an invasion counts."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from dashboard.boards.king_is_dead import render
from engine_service import catalogue
from engine_service.core.game import Viewer

GAME = catalogue.game("king_is_dead")
SVG = "{http://www.w3.org/2000/svg}"
SETS = re.compile(r"seat \d · .*?(team [AB]: )?(\d+) sets?( with Plot)?")
INVASIONS = 8


def random_game(seats: int, variant: str, number: int) -> Iterator[Any]:
    """Every state of a game of random legal plies."""
    rng = random.Random(number)
    state = GAME.deal(rng.randbytes(32), GAME.parse_options({"variant": variant}), seats)
    yield state
    while GAME.actor(state) is not None:
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state)))
        yield state


def invasions(seats: int, variant: str) -> Iterator[list[Any]]:
    """Games that end so, as their states."""
    for number in range(400):
        states = list(random_game(seats, variant, number))
        result = GAME.result(states[-1])
        if result and result.score["ending"] == "invasion":
            yield states


def drawn_sets(state: Any, viewer: Viewer) -> list[tuple[int, bool, bool]]:
    """By seat the number, whether it is called the team's, and whether Plot is said to count."""
    svg = ElementTree.fromstring(render(GAME.view_to_plain(GAME.view(state, viewer)), None))
    said = [SETS.fullmatch(words.text or "") for words in svg.iter(f"{SVG}text")]
    return [(int(each[2]), bool(each[1]), bool(each[3])) for each in said if each]


@pytest.mark.parametrize("variant", ["basic", "cunning"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_sets_at_the_end_are_those_of_the_score(seats: int, variant: str) -> None:
    viewers: list[Viewer] = ["spectator", "all", *range(seats)]
    ended = [states[-1] for states in islice(invasions(seats, variant), INVASIONS)]
    assert len(ended) == INVASIONS
    for state in ended:
        result = GAME.result(state)
        assert result is not None
        for viewer in viewers:
            drawn = drawn_sets(state, viewer)
            assert [count for count, *_ in drawn] == result.score["sets"]
            assert all(team == (seats == 4) for _, team, _ in drawn)
            held = any(
                "plot" in hand for hand in GAME.view_to_plain(GAME.view(state, "all"))["hands"]
            )
            assert any(plot for *_, plot in drawn) == held


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_hidden_plot_counts_for_those_alone_who_see_it(seats: int) -> None:
    told = set()
    for states in islice(invasions(seats, "cunning"), INVASIONS):
        for state in states[:-1:25]:
            for viewer in (*range(seats), "spectator"):
                view = GAME.view_to_plain(GAME.view(state, viewer))
                sees = "plot" in (view["hands"][viewer] if viewer != "spectator" else ())
                told.add((sees, any(plot for *_, plot in drawn_sets(state, viewer))))
    assert told == {(True, True), (False, False)}


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_every_truth_that_fits_a_view_is_drawn_alike(viewer: Viewer) -> None:
    rng = random.Random(7)
    for state in list(random_game(3, "cunning", 1))[:-1:15]:
        view = GAME.view(state, viewer)
        truths = [state, *(GAME.determinize(view, rng) for _ in range(5))]
        assert len({str(truth) for truth in truths}) > 1
        pictures = {render(GAME.view_to_plain(GAME.view(truth, viewer)), None) for truth in truths}
        assert len(pictures) == 1
