"""The board of Hidden Leaders: Duel shows what the view holds, and nothing else."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from dashboard.boards.leaders_signs import FACTIONS
from engine_service import catalogue
from engine_service.core.game import Viewer
from tests.dashboard.leaders_pictures import (
    HERO,
    PLAYED,
    SECRET,
    SVG,
    TAGS,
    VIEWERS,
    cards,
    drawn,
    in_view,
    part,
    picture,
    texts,
    walk,
)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("name", [PLAYED, SECRET, "own-cards"])
def test_every_hero_is_drawn_as_the_viewer_sees_it(name: str, viewer: str) -> None:
    for frame in walk(name, viewer):
        seen = sorted(hero.replace("?", "") for hero in in_view(frame["view"]))
        assert sorted(cards(drawn(frame))) == seen


@pytest.mark.parametrize("viewer", ["0", "1", "spectator"])
@pytest.mark.parametrize("name", [PLAYED, "drawn", SECRET])
def test_no_hero_is_named_that_the_viewer_does_not_know(name: str, viewer: str) -> None:
    for frame in walk(name, viewer):
        view = frame["view"]
        known = {key: view[key] for key in view if key not in ("deck", "leader_cards")}
        said = HERO.findall(picture(frame).partition("</style>")[2])
        assert set(said) <= set(HERO.findall(json.dumps(known)))


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
@pytest.mark.parametrize("name", [PLAYED, SECRET])
def test_every_truth_that_fits_a_view_is_drawn_alike(name: str, viewer: Viewer) -> None:
    game, rng = catalogue.game("hidden_leaders_duel"), random.Random(7)
    for frame in walk(name, str(viewer))[:-1:10]:
        view = game.view_from_plain(frame["view"])
        truths = [game.determinize(view, rng) for _ in range(5)]
        assert len(set(map(str, truths))) > 1
        pictures = {
            picture({**frame, "view": game.view_to_plain(game.view(truth, viewer))})
            for truth in truths
        }
        assert pictures == {picture(frame)}


def test_the_end_opens_what_was_hidden() -> None:
    for viewer in VIEWERS:
        frame = walk(PLAYED, viewer)[-1]
        assert picture(frame).count('class="solid') == 0
        assert all(len(card) > 1 for card in cards(drawn(frame)))


@pytest.mark.parametrize("viewer", ["0", "1", "spectator"])
def test_an_unknown_leader_is_a_back(viewer: str) -> None:
    for frame in walk(PLAYED, viewer)[:-1]:
        for seat, css in zip((1, 0) if viewer != "1" else (0, 1), ("far", "near"), strict=True):
            leader = part(part(drawn(frame), css), "leader")
            letters = [words for words in texts(leader) if words in FACTIONS]
            assert "".join(letters) == frame["view"]["leaders"][seat]


def test_every_back_of_a_faction_is_the_same_but_for_its_place() -> None:
    inside: dict[str, set[str]] = {}
    for frame in walk(PLAYED):
        svg = drawn(frame)
        for g in svg.iter(f"{SVG}g"):
            if "hero" in g.get("class", "").split():
                assert set(g.keys()) == {"class", "transform"}
                (name,) = ["".join(t.text for t in g.iter(f"{SVG}text"))]
                if len(name) < 2:
                    drawing = "".join(ElementTree.tostring(c, "unicode") for c in g)
                    inside.setdefault(name, set()).add(drawing)
    assert set(inside) == {*FACTIONS, ""}
    assert all(len(drawings) == 1 for drawings in inside.values())
    assert len(set.union(*inside.values())) == 5


def test_no_element_has_an_id_or_a_title() -> None:
    for frame in walk(PLAYED, "all"):
        svg = drawn(frame)
        assert all(e.get("id") is None for e in svg.iter())
        assert {e.tag.removeprefix(SVG) for e in svg.iter()} <= TAGS


def fixed(svg: Any) -> list[tuple[str | None, ...]]:
    """Where the panels are, and the numbers of the slots."""
    boxes = [
        tuple(rect.get(key) for key in ("x", "y", "width", "height"))
        for rect in svg.iter(f"{SVG}rect")
        if {"panel", "seat", "ground"} & set(rect.get("class", "").split())
    ]
    slots = [
        (t.get("x"), t.get("y"), t.text)
        for t in part(svg, "rows").iter(f"{SVG}text")
        if t.get("class") == "s" and (t.text or "").isdigit()
    ]
    assert len(slots) == 14
    return [(svg.get("viewBox"),), *boxes, *slots]


@pytest.mark.parametrize("viewer", ["1", "all"])
def test_nothing_jumps_from_the_deal_to_the_end(viewer: str) -> None:
    svgs = [drawn(frame) for frame in walk(PLAYED, viewer)]
    assert all(fixed(svg) == fixed(svgs[0]) for svg in svgs)


def gold(svg: Any, css: str) -> list[str]:
    return [
        "".join(t.text for t in g.iter(f"{SVG}text"))
        for g in part(svg, css).iter(f"{SVG}g")
        if {"hero", "now"} <= set(g.get("class", "").split())
    ]


def test_what_the_last_ply_touched_is_in_gold() -> None:
    for frame in walk(PLAYED, "all")[1:]:
        svg, turn = drawn(frame), frame["view"]["turns"][-1]
        seat = "near" if turn["seat"] == 0 else "far"
        vacant = [r for r in svg.iter(f"{SVG}rect") if r.get("class") == "slot now"]
        verb, *_rest = frame["action"].split()
        if verb == "take":
            assert len(vacant) == len(turn["slots"])
            assert sorted(gold(svg, seat)) == sorted(turn["taken"])
        elif verb == "return":
            assert sorted(gold(svg, "rows")) == sorted(turn["returned"])
        else:
            came = [hero for hero in (turn["played"], turn["drawn"]) if hero]
            assert sorted(gold(svg, seat) + gold(svg, "rows")) == sorted(came)


def test_blockers_tell_who_blocks() -> None:
    frame = walk(PLAYED)[-2]
    discs = [g for g in part(drawn(frame), "rows").iter(f"{SVG}g") if g.get("class") == "disc"]
    seats = [slot["blocked_by"] for slot in frame["view"]["slots"] if slot["blocker"]]
    assert sorted(g.find(f"{SVG}text").text for g in discs) == sorted(map(str, seats))
