"""The picture of a double elimination: every encounter of two has its place."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from arena_service.formats.bracket import Side
from dashboard.charts import bracket
from dashboard.charts.bracket import Card, Heading, Line
from dashboard.charts.bracket_layout import layout

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 60])
def test_every_encounter_of_two_has_a_place_of_its_own(entrants: int) -> None:
    found = layout(entrants)
    places = list(found.places.values())
    assert len(places) == 2 * entrants - 1
    assert len({(each.column, each.row) for each in places}) == len(places)
    assert [each.number for each in places] == list(range(1, 2 * entrants))
    for each in places:
        assert 0 <= each.row <= found.rows - 1
        assert 0 <= each.column < found.columns
        assert (each.row >= found.lower) == (each.slot.side is Side.LOSERS) or each.column >= 1


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13])
def test_everybody_begins_once_and_goes_on_to_the_right(entrants: int) -> None:
    found = layout(entrants)
    origins = [each for place in found.places.values() for each in place.origins]
    seeds = sorted(each.seed for each in origins if each.seed is not None)
    assert seeds == list(range(entrants))
    ends = [(each.encounter, each.won) for each in origins if each.encounter is not None]
    assert len(set(ends)) == len(ends)
    for start, end in found.wires():
        assert start.column < end.column
        assert start.number < end.number


def test_a_box_holds_names_as_text_and_marks_who_won() -> None:
    found = layout(2)
    won = Line("1", HOSTILE, ("1", "1.5"), "won")
    lost = Line("2", "fox", ("1", "0.5"), "lost", left=True)
    cards = {
        index: Card((won, lost), "done", "", "matches?a=b&c=d", HOSTILE) for index in found.places
    }
    picture = bracket.draw(found, cards, [Heading(0, 0.0, HOSTILE)], HOSTILE)
    assert "\n" not in picture
    svg = ElementTree.fromstring(picture)
    assert {each.tag.removeprefix(SVG) for each in svg.iter()}.isdisjoint({"img", "script"})
    assert [each.get("href") for each in svg.iter(f"{SVG}a")] == ["matches?a=b&c=d"] * 3
    assert len([each for each in svg.iter(f"{SVG}path") if each.get("class") == "mark"]) == 3
    words = [each.text for each in svg.iter(f"{SVG}text")]
    assert words.count("1  1.5") == 3
    assert len([each for each in svg.iter(f"{SVG}g") if each.get("class") == "lost left"]) == 3
