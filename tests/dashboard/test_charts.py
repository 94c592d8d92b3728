"""Charts are well-formed pictures of what they are given."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from typing import Any

import pytest

from dashboard.charts import curves, effort, llr
from dashboard.charts.curves import Curve, Point

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<img src=x onerror=alert(1)>"


def curve(name: str, *values: float, versions: tuple[int, ...] = ()) -> Curve:
    return Curve(
        name,
        tuple(
            Point(slot, value, 10.0, version, f"{name} {slot}")
            for slot, (value, version) in enumerate(
                zip(values, versions or (1,) * len(values), strict=True), start=1
            )
        ),
    )


def drawn(*shown: Curve) -> Any:
    picture = curves.draw(shown, "title", "slot")
    assert "\n" not in picture
    return ElementTree.fromstring(picture)


def words(svg: Any) -> list[str]:
    return [text.text for text in svg.iter(f"{SVG}text")]


def test_a_curve_has_a_point_for_each_slot_and_its_name() -> None:
    svg = drawn(curve("greedy", -20.0, 5.0, 40.0))
    line = next(svg.iter(f"{SVG}polyline"))
    assert len(line.get("points").split()) == 3
    assert "greedy +40" in words(svg)


def test_an_upload_is_marked_with_its_version() -> None:
    svg = drawn(curve("greedy", 1.0, 2.0, 3.0, versions=(1, 2, 2)))
    assert [word for word in words(svg) if word == "v2"] == ["v2"]


def test_one_point_and_equal_values_can_be_drawn() -> None:
    assert "a 0" in words(drawn(curve("a", 0.0), curve("b", 0.0)))


def test_a_single_slot_is_a_narrow_picture_with_each_error_at_its_point() -> None:
    svg = drawn(curve("a", 30.0), curve("b", 0.0), curve("c", -30.0))
    whiskers = [
        path.get("d") for path in svg.iter(f"{SVG}path") if "whisker" in path.get("class", "")
    ]
    points = [line.get("points").split(",")[0] for line in svg.iter(f"{SVG}polyline")]
    assert svg.get("viewBox") == f"0 0 {curves.NARROW} {curves.HEIGHT}"
    assert [d[1:].split()[0] for d in whiskers] == points
    assert len(set(points)) == 3


def test_names_are_text_and_do_not_cover_each_other() -> None:
    svg = drawn(*(curve(f"{HOSTILE}{number}", 0.0, 0.0) for number in range(20)))
    names = [text for text in svg.iter(f"{SVG}text") if "name" in text.get("class")]
    heights = [float(text.get("y")) for text in names]
    assert len(names) == curves.MAX_CURVES
    assert all(b - a >= curves.LINE for a, b in pairwise(heights))
    assert {element.tag.removeprefix(SVG) for element in svg.iter()}.isdisjoint({"img", "script"})


def test_every_decision_has_a_bar_with_both_times() -> None:
    picture = effort.draw([1.0, 250.0], [2.0, 260.0], HOSTILE, "decision", "{number}:{cpu}:{wall}")
    svg = ElementTree.fromstring(picture)
    assert [title.text for title in svg.iter(f"{SVG}title")] == ["1:1.0:2.0", "2:250.0:260.0"]
    heights = [float(bar.get("height")) for bar in svg.iter(f"{SVG}rect")]
    assert max(heights) == effort.HEIGHT - effort.TOP - effort.BOTTOM


@pytest.mark.parametrize("width", [llr.WIDTH, llr.NARROW])
@pytest.mark.parametrize("path", [(), (0.5, 1.0, 3.1), tuple(-0.001 * n for n in range(2000))])
def test_a_test_is_a_line_from_nothing_between_its_two_bounds(
    path: tuple[float, ...], width: int
) -> None:
    words = llr.Words(HOSTILE, "pairs", "stronger", HOSTILE, "{:+.1f}".format)
    picture = llr.draw(path, -2.94, 2.94, words, width)
    assert "\n" not in picture
    assert "nan" not in picture
    svg = ElementTree.fromstring(picture)
    line = next(svg.iter(f"{SVG}polyline")).get("points") or ""
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    assert len(points) == len(path) + 1
    assert all(0 <= x <= width and 0 <= y <= llr.HEIGHT for x, y in points)
    ticks = [text for text in svg.iter(f"{SVG}text") if text.get("text-anchor") == "middle"][:-1]
    assert all(float(b.get("x")) - float(a.get("x")) >= llr.APART - 0.2 for a, b in pairwise(ticks))
    said = [text.text for text in svg.iter(f"{SVG}text")]
    assert {"+2.9", "-2.9", "+0.0", "stronger", HOSTILE} <= set(said)
