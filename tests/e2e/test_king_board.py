"""The King Is Dead's board in a real browser: its words fit, and a phone gets a tall picture."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from dashboard.boards.king_is_dead import render
from dashboard.i18n import text
from dashboard.player import component
from engine_service.client import LocalEngine

VECTORS = Path(__file__).parents[1] / "vectors/king_is_dead"
CSS = Path(component.__file__).with_name("player.css").read_text("utf-8")
NAMES = ("castellans-of-the-north/castellan", "harbour/ferret v12", "moor/heron", "vale/badger v1")
LONG = tuple(f"{owner * 20}/{owner * 30} v{owner}" for owner in "MWmw")

#: Texts of cards and of the story that reach out of their box, by 1 pixel of the picture or more.
OVERFULL = """() => {
  const out = [];
  for (const card of document.querySelectorAll(".seats .card, .row .card, .story .panel")) {
    const box = card.getBoundingClientRect();
    for (const words of card.parentElement.querySelectorAll("text")) {
      const inner = words.getBoundingClientRect();
      const inside = inner.top >= box.top - 1 && inner.bottom <= box.bottom + 1
        && inner.left >= box.left && inner.left < box.right;
      if (inside && inner.right > box.right - 1) out.push(words.textContent);
    }
  }
  return out;
}"""

#: Words, followers and discs that cover each other; piles on the map may grow to a name.
COLLIDING = """() => {
  const all = [...document.querySelectorAll(
    ".seats > text, .seats > .t, .seats > .turn, .map > .place, .map > .disc")];
  const boxes = all.map((one) => one.getBoundingClientRect());
  const out = [];
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other, j) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 1 && high > 6) out.push([all[i].textContent, all[i + 1 + j].textContent]);
  }));
  return out;
}"""

HEIGHTS = """() => [".story", ".map", ".row", ".seats"].map((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  return [box.top, box.bottom, box.left, box.right];
})"""


def show(page: Page, frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> None:
    last = None if frame["action"] is None else {k: frame[k] for k in ("seat", "action")}
    svg = render(frame["view"], last, names[: len(frame["view"]["courts"])])
    page.set_content(
        f'<!doctype html><div class="player" style="display:block"><div class="stage">'
        f'<div class="picture" style="--ratio:1000 / 748">{svg}</div></div></div>'
        f"<style>body{{margin:0}}{CSS}</style>"
    )


def frames(name: str) -> list[dict[str, Any]]:
    replay = (VECTORS / f"king_is_dead-{name}.replay.json").read_bytes()
    return list(LocalEngine().walk(replay, "all"))


@pytest.mark.parametrize("language", sorted(text.NAMES))
@pytest.mark.parametrize("name", ["2-cunning-01", "3-02", "4-cunning-02"])
def test_words_stay_inside_their_boxes(page: Page, name: str, language: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 760})
    try:
        text.speak(language)
        for frame in frames(name)[::8]:
            show(page, frame)
            assert page.evaluate(OVERFULL) == []
            assert page.evaluate(COLLIDING) == []
        show(page, frames(name)[-1], LONG)
        assert page.evaluate(OVERFULL) == []
        assert page.evaluate(COLLIDING) == []
    finally:
        text.speak(text.SOURCE)


def test_on_a_phone_the_parts_stand_below_each_other(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 420, "height": 850})
    show(page, frames("4-cunning-02")[60])
    parts = page.evaluate(HEIGHTS)
    picture = page.locator(".picture").bounding_box()
    page.close()
    assert picture is not None
    assert picture["height"] > 2 * picture["width"]
    for (_, bottom, *_sides), (top, *_rest) in pairwise(parts):
        assert bottom <= top
    for _, bottom, left, right in parts:
        assert 0 <= left < right <= picture["width"]
        assert bottom <= picture["height"]
