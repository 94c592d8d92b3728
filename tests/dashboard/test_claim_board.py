"""Claim's board shows what the view holds, and nothing else."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from dashboard.boards.claim import render
from tests.dashboard.claim_views import view

SVG = "{http://www.w3.org/2000/svg}"


def drawn(position: dict[str, Any], last: dict[str, Any] | None = None, **more: Any) -> Any:
    return ElementTree.fromstring(render(position, last, **more))


def groups(svg: Any, css: str) -> list[Any]:
    return [g for g in svg.iter(f"{SVG}g") if css in g.get("class", "").split()]


def faces(svg: Any) -> list[str]:
    return ["".join(t.text for t in g.iter(f"{SVG}text")) for g in groups(svg, "card")]


def words(svg: Any) -> str:
    return " ".join(t.text or "" for t in svg.iter(f"{SVG}text"))


def test_hidden_cards_are_backs() -> None:
    svg = drawn(view())
    assert len(groups(svg, "back")) == 6 + 3 + 3 + 1
    shown = "D1 D3 D4 D7 D9 G0 G3 G5 G8 K2 K3 K7 K9 U2 U6 U8 X7"
    assert " ".join(sorted(faces(svg))) == shown


def test_every_back_is_the_same_but_for_its_place() -> None:
    backs = groups(drawn(view()), "back")
    inside = {"".join(ElementTree.tostring(c, "unicode") for c in back) for back in backs}
    assert len(inside) == 1
    assert all(set(back.keys()) == {"class", "transform"} for back in backs)


def test_the_complete_view_shows_the_blind_card() -> None:
    svg = drawn(view(viewer=-2, deck=["X3", "G1"], deck_size=2))
    assert "X3" in faces(svg)
    assert "G1" not in faces(svg)


def test_the_last_action_is_framed_in_gold() -> None:
    now = groups(drawn(view(), {"seat": 1, "action": "G5"}), "now")
    assert ["".join(t.text for t in g.iter(f"{SVG}text")) for g in now] == ["G5"]


def test_an_answer_is_framed_in_the_finished_trick() -> None:
    svg = drawn(view(led=""), {"seat": 1, "action": "D7"})
    now = groups(svg, "now")
    assert ["".join(t.text for t in g.iter(f"{SVG}text")) for g in now] == ["D7"]


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        ([0, 1, 0, 0, 1], "north takes the throne"),
        ([1, 1, 0, 1, 1], "south takes the throne"),
        ([0, 1, 0, 1, -1], "A draw"),
    ],
)
def test_the_end_names_the_winner(votes: list[int], said: str) -> None:
    over = view(actor=-1, phase=2, trick=13, led="", prize="", hand_sizes=[0, 0], hands=[[], []])
    svg = drawn(over | {"votes": votes, "deck_size": 0}, names=("north", "south"))
    assert said in words(svg)
    assert "to act" not in words(svg)


def test_the_seat_that_looks_sits_below() -> None:
    def height(position: dict[str, Any]) -> float:
        texts = drawn(position, names=("north", "south")).iter(f"{SVG}text")
        return next(float(t.get("y")) for t in texts if t.get("class") == "p" and t.text == "south")

    assert height(view(viewer=1)) > height(view(viewer=0))


def test_names_are_text_and_nothing_else() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    svg = drawn(view(), None, names=(hostile, '"><script>alert(2)</script>'))
    assert hostile in words(svg)
    tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
    assert tags <= {"svg", "style", "rect", "text", "g", "path", "circle"}


def test_a_card_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no such card"):
        render(view(prize='"/><script>'), None)


def test_drawing_changes_nothing_and_repeats_itself() -> None:
    position = view()
    assert render(position, None) == render(position, None)
    assert position == view()
