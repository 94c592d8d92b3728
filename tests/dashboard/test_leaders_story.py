"""The board of Hidden Leaders: Duel tells who stands how, and what the last plies did."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import pairwise
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
from tests.dashboard.leaders_pictures import (
    NAMES,
    PLAYED,
    REPLAYS,
    SVG,
    TAGS,
    VIEWERS,
    drawn,
    part,
    picture,
    replay,
    texts,
    walk,
)


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
