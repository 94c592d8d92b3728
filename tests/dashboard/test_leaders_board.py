"""The board of Hidden Leaders: Duel shows what the view holds, and nothing else."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dashboard.boards import leaders_story
from dashboard.boards.hidden_leaders_duel import render
from dashboard.boards.leaders_signs import FACTIONS, faction_names
from dashboard.boards.leaders_standing import (
    SEATS,
    influence,
    keepers,
    lying,
    out_of_sight,
    standing,
)
from dashboard.boards.svg import short_names
from dashboard.i18n import text
from engine_service import catalogue
from engine_service.client import LocalEngine
from engine_service.core.game import Viewer

SVG = "{http://www.w3.org/2000/svg}"
TESTS = Path(__file__).parents[1]
NAMES = ("north/castellan", "harbour/ferret")
VIEWERS = ("0", "1", "spectator", "all")
TAGS = {"svg", "style", "rect", "text", "g", "path", "circle"}
PLAYED, SECRET = "00", "hidden-factions"
HERO = re.compile(r"\b[RGBK][0-9]{1,2}\b")


FOLDERS = (TESTS / "golden", TESTS / "vectors/hidden_leaders_duel")
REPLAYS = {
    path.name.removeprefix("hidden_leaders_duel-").partition(".")[0]: path
    for folder in FOLDERS
    for path in sorted(folder.glob("hidden_leaders_duel-*.replay.json"))
}


def replay(name: str) -> bytes:
    return REPLAYS[name].read_bytes()


@cache
def walk(name: str, viewer: str = "spectator") -> list[dict[str, Any]]:
    return list(LocalEngine().walk(replay(name), viewer))


def picture(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> str:
    last = None if frame["action"] is None else {k: frame[k] for k in ("seat", "action")}
    return render(frame["view"], last, names)


def drawn(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> Any:
    return ElementTree.fromstring(picture(frame, names))


def texts(svg: Any) -> list[str]:
    return [t.text or "" for t in svg.iter(f"{SVG}text")]


def part(svg: Any, css: str) -> Any:
    return next(g for g in svg.iter(f"{SVG}g") if g.get("class") == css)


def cards(svg: Any) -> list[str]:
    """Every hero as it is drawn: its letter and its strength, "R" or "R5", or nothing of a back."""
    heroes = [g for g in svg.iter(f"{SVG}g") if "hero" in g.get("class", "").split()]
    return ["".join(t.text for t in g.iter(f"{SVG}text")) for g in heroes]


def in_view(view: dict[str, Any]) -> list[str]:
    """The heroes that lie somewhere, as the viewer sees them; of the pile those that are drawn."""
    lie = [slot[place] for slot in view["slots"] for place in ("hero", "blocker") if slot[place]]
    held = [hero for heroes in (*view["hands"], *view["councils"]) for hero in heroes]
    under = ["?"] * min(2, max(len(view["pile"]) - 1, 0))
    return lie + held + view["pile"][:1] + under


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


@pytest.mark.parametrize("name", REPLAYS)
def test_the_end_is_told_as_the_engine_judged(name: str) -> None:
    result, frame = json.loads(replay(name))["result"], walk(name)[-1]
    view, said = frame["view"], texts(drawn(frame))
    if result["ending"] != "completed":
        assert "wins" not in said
        return
    score = result["score"]
    armies = standing(view)
    assert armies
    assert [army.strength for army in armies] == score["strength"]
    assert [army.heroes for army in armies] == score["heroes"]
    strengths, heroes = (" : ".join(map(str, score[key])) for key in ("strength", "heroes"))
    told = f"strength {strengths}, heroes {heroes}, {score['discarded']} discarded"
    assert told in said
    first, second = result["ranks"]
    winner = "A draw" if first == second else f"{('castellan', 'ferret')[second == 1]} wins"
    assert winner in said
    assert said.count("wins") == (first != second)


@pytest.mark.parametrize("name", REPLAYS)
def test_each_hero_shows_who_keeps_it(name: str) -> None:
    view = walk(name)[-1]["view"]
    owners = keepers(view)
    for seat in SEATS if view["actor"] < 0 else ():
        won = [
            hero
            for (row, faction), keeper in owners.items()
            if keeper == seat
            for hero in lying(view, row, faction)
        ]
        assert sorted(won) == sorted(view["armies"][seat])


def test_influence_counts_heroes_and_leader() -> None:
    view = {
        "councils": [["R3", "R4", "G1"], ["R?", "K?"]],
        "leaders": ["RB", ""],
        "leader_cards": [{"factions": "RB", "value": 4}, {"factions": "GK", "value": 2}],
    }
    known = [influence(view, 0, faction) for faction in FACTIONS]
    assert [each.total for each in known] == [11, 1, 4, 0]
    assert [each.present for each in known] == [True, True, True, False]
    hidden = [influence(view, 1, faction) for faction in FACTIONS]
    assert [each.total for each in hidden] == [None] * 4
    assert [each.heroes for each in hidden] == [("R?",), (), (), ("K?",)]


def test_the_armies_of_now_are_shown_to_those_who_know_everything() -> None:
    for viewer in VIEWERS:
        known = [standing(frame["view"]) is not None for frame in walk(PLAYED, viewer)[:-1]]
        assert set(known) == {viewer == "all"}


def test_a_hero_taken_in_sight_is_remembered_till_it_is_laid_down() -> None:
    def turn(taken: str, face_up: str, returned: str) -> dict[str, Any]:
        shown = [mark == "u" for mark in face_up]
        return {"seat": 1, "taken": taken.split(), "face_up": shown, "returned": returned.split()}

    turns = [turn("R5 G?", "ud", "R5 K1"), turn("K1 B2", "uu", "G3 B7"), turn("R5 R?", "ud", "")]
    view = {"viewer": 0, "actor": 1, "turns": turns}
    assert out_of_sight(view, 1) == ["K1", "B2", "R5"]
    assert out_of_sight(view, 0) == []
    assert out_of_sight({**view, "viewer": 1}, 1) == []
    assert out_of_sight({**view, "viewer": -2}, 1) == []
    note = "taken in sight, now hidden: "
    held = [frame for frame in walk(PLAYED) if out_of_sight(frame["view"], 0)]
    assert held
    for frame in held:
        assert note + " ".join(out_of_sight(frame["view"], 0)) in texts(drawn(frame))


def test_the_seat_that_looks_sits_below_its_row() -> None:
    for viewer, near in (("0", "castellan"), ("1", "ferret"), ("all", "castellan")):
        svg = drawn(walk(PLAYED, viewer)[4])
        assert f"{NAMES[near == 'ferret']}" in texts(part(svg, "near"))
        rows = [words for words in texts(part(svg, "rows")) if words.startswith("Row of")]
        assert rows[-1] == f"Row of {near}"


def test_the_moves_are_told() -> None:
    frames = walk(PLAYED, "all")
    said = [leaders_story.outcome(before["view"], now["view"]) for before, now in pairwise(frames)]
    turn = frames[3]["view"]["turns"][0]
    assert said[:3] == [", ".join(turn["taken"]), "", f"draws {turn['drawn']}"]
    assert said[-1].startswith("strength ")
    marks = [leaders_story.mark(before["view"], now["view"]) for before, now in pairwise(frames)]
    assert [mark for mark in marks if mark] == ["3", "5", "7", "9", "11", "13"]


def test_the_last_turn_is_told_ply_by_ply() -> None:
    frames = walk("drawn", "0")
    assert texts(part(drawn(frames[0]), "story")) == ["The deal", "castellan begins"]
    assert texts(part(drawn(frames[3]), "story")) == [
        "castellan, turn 1",
        "takes K6 from 6, G3 from 12",
        "returns G3 to 6, B6 to 12",
        "K1 blocks slot 1, draws G1",
    ]


def test_names_are_text_and_nothing_else() -> None:
    hostile = ("<img src=x onerror=alert(1)>", '"><script>alert(2)</script>')
    for frame in walk(PLAYED)[::7]:
        svg = drawn(frame, hostile)
        assert {e.tag.removeprefix(SVG) for e in svg.iter()} <= TAGS
        assert hostile[0][:20] in " ".join(texts(svg))


def test_names_that_clash_keep_what_tells_them_apart() -> None:
    assert short_names(("a/one v1", "b/two v1")) == ("one v1", "two v1")
    assert short_names(("a/one v1", "b/one v1", "c/two v1")) == ("a/one v1", "b/one v1", "two v1")
    assert short_names(("a/one v1",) * 2) == ("one v1 on seat 0", "one v1 on seat 1")


def test_a_hero_that_does_not_exist_is_refused() -> None:
    view = deepcopy(walk(PLAYED)[0]["view"])
    view["slots"][0]["hero"] = '"/><script>'
    with pytest.raises(ValueError, match="no such hero"):
        render(view, None)


def test_the_board_speaks_german() -> None:
    try:
        text.speak("de")
        said = texts(drawn(walk("drawn")[3]))
        assert set(faction_names().values()) <= set(said)
    finally:
        text.speak("en")
    assert "K? blockiert Feld 1, zieht G?" in said


def test_drawing_changes_nothing_and_repeats_itself() -> None:
    frame = walk(PLAYED)[-1]
    held = json.dumps(frame)
    assert picture(frame) == picture(frame)
    assert json.dumps(frame) == held
