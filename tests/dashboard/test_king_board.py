"""The King Is Dead's board shows what the view holds, in places that stay, and nothing else."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dashboard.boards import king_story
from dashboard.boards.king_cards import KNOWN_SETS, card_names
from dashboard.boards.king_is_dead import render
from dashboard.boards.king_map import REGIONS, SCALE, STEP, Region
from dashboard.boards.king_moves import changes
from dashboard.i18n import text
from engine_service.client import LocalEngine

SVG = "{http://www.w3.org/2000/svg}"
TESTS = Path(__file__).parents[1]
NAMES = ("north/castellan", "harbour/ferret", "moor/heron", "vale/badger")
TAGS = {"svg", "style", "rect", "text", "g", "path", "circle", "polygon"}
SECRET = "3-cunning-01"  # three seats with secret cards, Plot among them
TEAMS = "4-cunning-02"


def replay(name: str) -> bytes:
    folder = "golden" if (TESTS / f"golden/king_is_dead-{name}.replay.json").exists() else "vectors"
    inner = "" if folder == "golden" else "king_is_dead/"
    return (TESTS / f"{folder}/{inner}king_is_dead-{name}.replay.json").read_bytes()


@cache
def walk(name: str, viewer: str = "spectator") -> list[dict[str, Any]]:
    return list(LocalEngine().walk(replay(name), viewer))


def picture(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> str:
    last = None if frame["action"] is None else {k: frame[k] for k in ("seat", "action")}
    return render(frame["view"], last, names[: len(frame["view"]["courts"])])


def drawn(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> Any:
    return ElementTree.fromstring(picture(frame, names))


def texts(svg: Any) -> list[str]:
    return [t.text or "" for t in svg.iter(f"{SVG}text")]


def after(name: str, action: str) -> dict[str, Any]:
    """The first position that this action led to."""
    return next(frame for frame in walk(name) if frame["action"] == action)


def fixed(svg: Any) -> list[tuple[str | None, ...]]:
    """Where panels, cards, backs and the names of regions are."""
    boxes = [
        tuple(rect.get(key) for key in ("x", "y", "width", "height"))
        for rect in svg.iter(f"{SVG}rect")
        if {"panel", "card", "back"} & set(rect.get("class", "").split())
    ]
    places = [
        (t.get("x"), t.get("y"), t.text)
        for t in svg.find(f"{SVG}g[@class='map']").iter(f"{SVG}text")
        if "place" in t.get("class", "").split()
    ]
    return [svg.get("viewBox"), *sorted(boxes), *sorted(places)]


@pytest.mark.parametrize(
    ("name", "viewer"),
    [("2-00", "spectator"), ("2-cunning-01", "1"), (SECRET, "0"), (SECRET, "all"), (TEAMS, "1")],
)
def test_nothing_jumps_from_the_deal_to_the_end(name: str, viewer: str) -> None:
    svgs = [drawn(frame) for frame in walk(name, viewer)]
    assert all(fixed(svg) == fixed(svgs[0]) for svg in svgs)
    assert all({e.tag.removeprefix(SVG) for e in svg.iter()} <= TAGS for svg in svgs)


def known_secrets(view: dict[str, Any]) -> set[str]:
    seen = [card for cards in (*view["hands"], *view["discards"]) for card in cards]
    return set(seen) - set(KNOWN_SETS["basic"])


@pytest.mark.parametrize("viewer", ["spectator", "0", "1", "2", "all"])
def test_secret_cards_are_backs_for_those_who_may_not_see_them(viewer: str) -> None:
    for frame, complete in zip(walk(SECRET, viewer), walk(SECRET, "all"), strict=True):
        svg, known = drawn(frame), known_secrets(frame["view"])
        for card in known_secrets(complete["view"]):
            assert (card_names()[card] in texts(svg)) == (card in known)
        backs = [r for r in svg.iter(f"{SVG}rect") if r.get("class") == "back"]
        assert len(backs) == 9 - len(known)


def test_a_played_secret_keeps_the_place_where_it_was_turned_up() -> None:
    def turned(frame: dict[str, Any]) -> dict[str, tuple[str | None, str | None]]:
        names = {card_names()[card] for card in known_secrets(frame["view"])}
        found = [t for t in drawn(frame).iter(f"{SVG}text") if t.text in names]
        return {t.text: (t.get("x"), t.get("y")) for t in found}

    for before, now in pairwise(walk(SECRET)):
        assert turned(before).items() <= turned(now).items()


def test_every_follower_has_the_letter_and_the_shape_of_its_faction() -> None:
    outlines: dict[str, set[str]] = {}
    for frame in walk(SECRET):
        for g in drawn(frame).iter(f"{SVG}g"):
            letter = g.find(f"{SVG}text")
            if g.get("class") == "t" and letter is not None:
                outlines.setdefault(letter.text, set()).add(g.find(f"{SVG}path").get("d"))
    assert set(outlines) == {"S", "W", "E"}
    assert all(len(shapes) == 1 for shapes in outlines.values())
    assert len(set.union(*outlines.values())) == 3


#: Corners of a follower and of the number below it, against the foot of its pile, in pixels.
CORNERS = [(x, y) for x in (-11, 11) for y in (-11, 11)] + [
    (x, y) for x in (-6, 6) for y in (16, 31)
]


def inside(region: Region, x: float, y: float) -> bool:
    """Whether a point of the map is in the region, by the edges to its right."""
    corners = [tuple(map(float, corner.split(","))) for corner in region.outline.split()]
    crossed = [
        x < (right - left) * (y - top) / (bottom - top) + left
        for (left, top), (right, bottom) in pairwise([*corners, corners[0]])
        if (top > y) != (bottom > y)
    ]
    return sum(crossed) % 2 == 1


@pytest.mark.parametrize("name", [name for name, region in REGIONS.items() if not region.land])
def test_followers_and_their_numbers_lie_in_their_region(name: str) -> None:
    region = REGIONS[name]
    for place in (-1, 0, 1):
        for x, y in CORNERS:
            across = region.piles[0] + (STEP * place + x) / SCALE
            assert inside(region, across, region.piles[1] + y / SCALE)


def test_every_disc_has_a_letter() -> None:
    frame = walk("2-00")[-1]
    discs = [g for g in drawn(frame).iter(f"{SVG}g") if g.get("class") == "disc"]
    letters = Counter(g.find(f"{SVG}text").text for g in discs)
    placed = Counter(owner for owner in frame["view"]["discs"].values() if owner)
    assert letters == Counter({owner: 2 * count for owner, count in placed.items()})  # map and row


@pytest.mark.parametrize("name", ["2-00", "2-cunning-01", "3-02", SECRET, TEAMS])
def test_the_notation_is_read_as_the_rules_mean_it(name: str) -> None:
    for before, now in pairwise(walk(name)):
        if now["action"] != "pass":
            was, is_now = before["view"]["regions"], now["view"]["regions"]
            difference = {
                (region, faction): is_now[region][place] - was[region][place]
                for region in was
                for place, faction in enumerate("SWE")
            }
            assert changes(now["action"]) == {k: v for k, v in difference.items() if v}


def test_what_the_last_ply_moved_is_in_gold() -> None:
    frame = next(f for f in walk("3-02") if (f["action"] or "").startswith("summon "))
    gold = [t.text for t in drawn(frame).iter(f"{SVG}text") if t.get("class") == "pill"]
    assert sorted(gold) == ["+1", "to act", "\N{MINUS SIGN}1"]


def test_a_card_that_is_played_is_framed() -> None:
    frame = next(f for f in walk("3-02") if (f["action"] or "").startswith("play "))
    seats = drawn(frame).find(f"{SVG}g[@class='seats']")
    framed = [r for r in seats.iter(f"{SVG}rect") if r.get("class") == "card now"]
    assert len(framed) == 1


def finished() -> list[str]:
    paths = [*(TESTS / "golden").glob("king*.json"), *TESTS.glob("vectors/king_is_dead/*[05].*")]
    names = [path.name.removeprefix("king_is_dead-").partition(".")[0] for path in paths]
    return sorted(n for n in names if json.loads(replay(n))["result"]["ending"] == "completed")


@pytest.mark.parametrize("name", finished())
def test_the_end_names_those_whom_the_replay_names(name: str) -> None:
    result, frame = json.loads(replay(name))["result"], walk(name)[-1]
    winners = [NAMES[seat] for seat, rank in enumerate(result["ranks"]) if rank == 1]
    svg = drawn(frame)
    short = " + ".join(winner.rpartition("/")[2] for winner in winners)
    ending = result["score"]["ending"].title()
    assert f"{ending}: victory for {short}" in texts(svg)
    assert texts(svg).count("wins") == len(winners)
    assert "to act" not in texts(svg)


def test_a_match_that_broke_off_names_no_winner() -> None:
    said = texts(drawn(walk("4-timeout")[-1]))
    assert "wins" not in said
    assert "to act" in said


def test_power_struggles_are_told_and_marked() -> None:
    told = [
        (king_story.outcome(before["view"], now["view"]), mark)
        for before, now in pairwise(walk("3-passed"))
        if (mark := king_story.mark(before["view"], now["view"]))
    ]
    last = walk("3-passed")[-1]["view"]
    assert [mark for _, mark in told] == [last["discs"][region] for region in last["row"]]
    names = {"S": "falls to the Scots", "W": "falls to the Welsh", "E": "falls to the English"}
    for region, (words, mark) in zip(last["row"], told, strict=True):
        assert words.startswith(f"{region.title()} {names.get(mark, 'becomes unstable')} · S")
    assert told[-1][0].endswith(" · Coronation")


def test_passes_are_counted_in_words() -> None:
    before, now = walk("3-passed")[:2]
    assert king_story.outcome(before["view"], now["view"]) == "1 of 3 in a row"
    assert "castellan passes" in texts(drawn(now))


def test_a_spied_card_is_told_by_its_name() -> None:
    frames = walk("2-spied-negotiation")
    spied = next(f for f in frames if f["view"]["plays"][-2:-1] == ["spy 1"])
    assert any(words.endswith("plays Spy as Negotiate") for words in texts(drawn(spied)))
    assert any("change places" in words for words in texts(drawn(spied)))


def test_the_deal_says_who_begins() -> None:
    said = texts(drawn(walk("2-00")[0]))
    assert "The deal" in said
    assert "castellan begins" in said


def test_names_are_text_and_nothing_else() -> None:
    hostile = ("<img src=x onerror=alert(1)>", '"><script>alert(2)</script>')
    for frame in walk("2-00"):
        svg = drawn(frame, hostile)
        assert {e.tag.removeprefix(SVG) for e in svg.iter()} <= TAGS
    assert hostile[0] in texts(svg)


def test_no_element_has_an_id_or_a_title() -> None:
    for frame in walk(SECRET, "all"):
        assert all(e.get("id") is None and e.tag != f"{SVG}title" for e in drawn(frame).iter())


def test_the_board_speaks_german() -> None:
    try:
        text.speak("de")
        said = texts(drawn(after("2-00", "pass")))
    finally:
        text.speak("en")
    assert any(words.endswith(" passt") for words in said)
    assert "Verhandeln" in said


def test_drawing_changes_nothing_and_repeats_itself() -> None:
    frame = walk(SECRET)[-1]
    held = json.dumps(frame)
    assert picture(frame) == picture(frame)
    assert json.dumps(frame) == held


def test_bots_of_two_owners_with_one_name_are_told_apart() -> None:
    clash = ("north/heron", "south/heron", "moor/ferret", "vale/badger")
    assert "north/heron begins" in texts(drawn(walk("2-00")[0], clash))
    teams = walk("4-invasion")[-1]
    winners = "Invasion: victory for south/heron + badger"
    assert winners in texts(drawn(teams, clash))
