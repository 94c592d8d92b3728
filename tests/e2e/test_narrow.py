"""Pages on a phone: boards and tables stay legible, and where the reader scrolled them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.dashboard.seeded import Seeded
from tests.e2e.visiting import visit
from tests.kills.arena import wait_for

SCROLLED = "(part) => { part.scrollLeft = 60; }"

#: Streamlit draws a part anew by replacing its HTML; what was scrolled is told before a frame.
REDRAWN = """async (part) => {
  await new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told)));
  part.replaceWith(part.cloneNode(true));
}"""

#: Eight more bots in a square table.
WIDENED = """(rows) => rows.forEach((row) => {
  for (let more = 0; more < 8; more += 1) row.append(row.lastElementChild.cloneNode(true));
})"""
LINES_OF_A_NAME = """(links, name) => links.map((link) => {
  link.textContent = name;
  return link.getClientRects().length;
})"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 420, "height": 850}, locale="en-US")
    yield page
    page.close()


def test_the_parts_of_claims_board_stand_below_each_other(
    phone: Page, dashboard: str, arena: Seeded
) -> None:
    phone.goto(f"{dashboard}/match?replay={arena.matches['completed']}&ply=9")
    picture = phone.locator(".player .picture")
    picture.locator("svg").wait_for()
    parts = picture.locator("svg > g").evaluate_all(
        """(found) => found.map((part) => {
          const { top, bottom, left, right } = part.getBoundingClientRect();
          return [top, bottom, left, right];
        }).sort((one, other) => one[0] - other[0])"""
    )
    frame = picture.bounding_box()
    assert frame is not None
    assert len(parts) == 4
    for (_, bottom, *_sides), (top, *_rest) in pairwise(parts):
        assert bottom <= top
    for _, bottom, left, right in parts:
        assert frame["x"] <= left < right <= frame["x"] + frame["width"]
        assert bottom <= frame["y"] + frame["height"]


def test_a_table_drawn_anew_stays_where_it_was_scrolled(
    phone: Page, dashboard: str, arena: Seeded
) -> None:
    visit(phone, f"{dashboard}/tournaments?tournament=spring-cup")

    def stays() -> bool:
        phone.locator(".ix-wrap").first.evaluate(SCROLLED)
        phone.locator(".ix-wrap").first.evaluate(REDRAWN)
        return bool(phone.locator(".ix-wrap").first.evaluate("(part) => part.scrollLeft === 60"))

    wait_for(stays, "the script that puts it back, which a page loads at its leisure")


def test_names_in_a_wide_head_to_head_break_only_between_words(
    phone: Page, dashboard: str, arena: Seeded
) -> None:
    phone.set_viewport_size({"width": 390, "height": 850})
    visit(phone, f"{dashboard}/tournaments?tournament=winter-cup&show=versus")
    names = phone.locator(".ix-versus tbody th a")
    expect(names.first).to_be_visible()
    phone.locator(".ix-versus tr").evaluate_all(WIDENED)
    lines = names.evaluate_all(LINES_OF_A_NAME, "organiser/bot-of-eight")
    assert max(lines) <= 2
    name = phone.locator(".ix-versus tbody th").first
    before = name.bounding_box()
    phone.locator(".ix-wrap").evaluate("(part) => { part.scrollLeft = 200; }")
    after = name.bounding_box()
    assert before is not None
    assert after is not None
    assert 0 <= after["x"] <= before["x"]
