"""The pictures of a tournament in a real browser: names stay text, boxes open the matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import update
from sqlmodel import col

from arena_service.store.database import open_database
from arena_service.store.settings import PLAIN, Settings, sprt
from arena_service.store.tables import Bot
from tests.arena_service.store.cup import Cup
from tests.dashboard.seeded import HOSTILE
from tests.e2e.serving import serving
from tests.e2e.visiting import visit


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard over a double elimination called cup, and a test called trial."""
    data = tmp_path_factory.mktemp("cups")
    _fill(data)
    with serving(data, data / "dashboard.log") as address:
        yield address


def _fill(data: Path) -> None:
    database = open_database(f"sqlite:///{data / 'interrex.db'}")
    database.migrate()
    cup = Cup(database, entries=3, pairs=1, format="double_elimination")
    cup.start()
    cup.play()
    cup.entries, cup.format = 2, "test"
    for cup.settings, name in ((Settings(sprt=sprt(0, 50, 0, 0)), "trial"), (PLAIN, "fixed")):
        cup.again(name)
        cup.start()
        cup.play()
    with database.write() as session:
        session.execute(update(Bot).where(col(Bot.name) == "bot-1").values(name=HOSTILE))
    database.close()


def test_a_bracket_is_drawn_and_its_boxes_open_the_matches(page: Page, played: str) -> None:
    visit(page, f"{played}/tournaments?tournament=cup&show=bracket")
    expect(page.locator("svg.ix-bracket rect.frame")).to_have_count(5)
    assert page.locator("img[src=x]").count() == 0
    page.locator("svg.ix-bracket a").first.click()
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()
    expect(page.locator("table.ix tbody tr")).to_have_count(6)


def test_a_test_is_drawn_between_its_bounds(page: Page, played: str) -> None:
    visit(page, f"{played}/tournaments?tournament=trial&show=test")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        picture = page.locator("svg.ix-llr:visible")
        expect(picture).to_contain_text("+2.94")
        box, tiles = picture.bounding_box(), page.locator(".ix-tiles").bounding_box()
        assert box is not None
        assert tiles is not None
        assert abs(box["width"] - tiles["width"]) <= 1
    expect(page.locator(".ix-verdict")).to_contain_text(HOSTILE)
    visit(page, f"{played}/tournaments?tournament=fixed&show=test")
    expect(page.locator(".ix-tiles")).to_contain_text("unknown")


def test_a_round_is_chosen_by_the_address(page: Page, played: str) -> None:
    visit(page, f"{played}/tournaments?tournament=cup&show=rounds&round=1")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.locator("table.ix")).to_contain_text("1 : 1")
