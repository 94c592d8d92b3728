"""The pages around the player, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.dashboard.seeded import HOSTILE, Seeded


def test_the_standings_show_every_bot_as_text(page: Page, dashboard: str, arena: Seeded) -> None:
    page.goto(dashboard)
    expect(page.get_by_role("heading", name="claim-daily")).to_be_visible()
    expect(page.locator("table.ix tbody tr")).to_have_count(2)
    expect(page.locator("table.ix")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0


def test_a_match_is_three_clicks_away(page: Page, dashboard: str, arena: Seeded) -> None:
    page.goto(dashboard)
    page.get_by_role("link", name="All matches").click()
    expect(page.locator("table.ix")).to_contain_text(HOSTILE)
    page.locator("table.ix a", has_text="open").last.click()
    page.locator(".player .picture svg").wait_for()


def test_an_unknown_match_is_explained(page: Page, dashboard: str, arena: Seeded) -> None:
    page.goto(f"{dashboard}/match?replay=nothing")
    expect(page.get_by_text("There is no match with this id.")).to_be_visible()


def test_nonsense_in_the_address_is_no_error(page: Page, dashboard: str, arena: Seeded) -> None:
    page.goto(f"{dashboard}/matches?page=-7&ladder=%27%22%3E%3Cscript%3E")
    expect(page.locator("table.ix")).to_be_visible()
    page.goto(f"{dashboard}/?ladder=%3Cb%3E")
    expect(page.locator("table.ix")).to_be_visible()
