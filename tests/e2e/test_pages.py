"""The pages around the player, in a real browser."""

from __future__ import annotations

import re
import time
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.seeded import HOSTILE, Seeded
from tests.e2e.visiting import Wire, visit

RUBBISH = "&".join(
    f"{name}={quote(value)}"
    for name, value in {
        "ladder": "<script>alert(1)</script>",
        "tournament": "'; drop table match; --",
        "bot": "../../etc/passwd",
        "against": "\0",
        "state": "nonsense",
        "show": "__class__",
        "replay": "%",
        "id": "a/b/c",
        "page": "-9999999999",
        "ply": "1e9",
        "view": "\u202e",
        "lang": "../de",
    }.items()
)


def test_the_standings_show_every_bot_as_text(page: Page, dashboard: str, arena: Seeded) -> None:
    visit(page, dashboard)
    expect(page.get_by_role("heading", name="claim-daily")).to_be_visible()
    expect(page.locator("table.ix tbody tr")).to_have_count(2)
    expect(page.locator("table.ix")).to_contain_text(HOSTILE)


def test_a_match_is_three_clicks_away(page: Page, dashboard: str, arena: Seeded) -> None:
    visit(page, dashboard)
    page.get_by_role("link", name="All matches").click()
    expect(page.locator("table.ix")).to_contain_text(HOSTILE)
    page.locator("table.ix a", has_text="open").last.click()
    page.locator(".player .picture svg").wait_for()


def test_what_there_is_not_is_told_by_its_name_and_nothing_else_is_shown(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    for address, what in (
        ("match?replay=", "match with the id"),
        ("ladders?ladder=", "ladder"),
        ("ladders?ladder=claim-daily&show=slots&slot=", "slot"),
        ("tournaments?tournament=", "tournament or challenge"),
        ("bot?id=", "bot"),
    ):
        visit(page, f"{dashboard}/{address}{quote('[no] <such>')}")
        expect(page.get_by_role("alert")).to_contain_text(f"There is no {what} “[no] <such>”")
        expect(page.get_by_role("heading", name="Who met")).to_have_count(0)
        expect(page.locator(".ix-bar")).to_have_count(0)


def test_rubbish_in_the_address_is_no_error(page: Page, dashboard: str, arena: Seeded) -> None:
    for path in ("", "ladders", "tournaments", "matches", "match", "bots", "bot", "status"):
        visit(page, f"{dashboard}/{path}?{RUBBISH}")
        pages = page.get_by_role("navigation", name="Pages")
        expect(pages.get_by_role("link", name="Tournaments")).to_be_visible()
        assert page.get_by_text("Page not found").count() == 0, path


def test_who_beat_whom_opens_the_matches_of_the_two(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/tournaments?tournament=winter-cup&show=versus")
    expect(page.locator("nav.ix-tabs [aria-current]")).to_have_text("Head to head")
    page.locator(".ix-versus td a").first.click()
    expect(page).to_have_url(
        re.compile(r"matches\?tournament=winter-cup&bot=\w+/[^&]+&against=\w+/")
    )
    expect(page.locator("table.ix tbody tr")).to_have_count(4)


def test_faults_lead_to_the_matches_lost_by_them(page: Page, dashboard: str, arena: Seeded) -> None:
    visit(page, f"{dashboard}/ladders?ladder=claim-daily")
    page.locator("a[href*='state=fault']").first.click()
    expect(page.locator("table.ix tbody tr").first).to_be_visible()
    rows = page.locator("table.ix tbody tr")
    assert rows.count() == page.locator("table.ix .ix-fault").count() > 0


def test_the_filter_of_matches_takes_names(page: Page, dashboard: str, arena: Seeded) -> None:
    visit(page, f"{dashboard}/matches")
    page.get_by_label("Tournament").fill("spring-cup")
    page.get_by_label("Bot").fill("north/third")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("table.ix tbody tr")).to_have_count(8)
    page.get_by_label("State").select_option("running")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("table.ix tbody tr").first).to_contain_text("being played")
    page.get_by_label("Tournament").fill("none-such")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("There is no tournament or challenge “none-such”.")).to_be_visible()
    visit(page, f"{dashboard}/matches?bot=north+/+third")
    expect(page.get_by_text("There is no bot “north / third”.")).to_be_visible()
    expect(page.get_by_label("Bot")).to_have_value("north / third")


def test_a_key_is_published_when_its_slot_is_complete(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/ladders?ladder=claim-daily&show=slots")
    complete = page.locator("table.ix tr", has=page.get_by_text("complete", exact=True))
    expect(complete).to_have_count(2)
    for row in complete.all():
        expect(row.locator("code")).to_have_count(2)
    expect(page.locator("table.ix tr", has_text="being played").locator("code")).to_have_count(1)


def test_a_slot_opens_who_met_in_it_and_a_ladder_shows_strength(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/ladders?ladder=claim-daily&show=slots")
    page.locator("table.ix").get_by_role("link", name="2", exact=True).click()
    expect(page.get_by_role("heading", name="Who met in slot 2")).to_be_visible()
    expect(page.locator("table.ix").first.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Strength").click()
    expect(page.get_by_role("heading", name="What the seats are worth")).to_be_visible()


def test_ratings_are_drawn_with_the_upload_of_a_version(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/ladders?ladder=claim-daily&show=ratings")
    expect(page.locator("svg.ix-curves .line")).to_have_count(2)
    expect(page.locator("svg.ix-curves .upload")).to_have_text("v2")


@pytest.mark.parametrize("page", ["de-DE"], indirect=True)
def test_the_dashboard_speaks_german_to_german_browsers(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/match?replay={arena.matches['timeout']}&ply=2")
    expect(page.get_by_role("link", name="Ranglisten")).to_be_visible()
    expect(page.locator(".player .where")).to_have_text("Zug 2 / 9")
    expect(page.locator(".player .moves .seat").first).to_have_text(re.compile(r"P[01]"))
    expect(page.locator(".player .moves .event")).to_contain_text("überschritt die Zeit")
    page.locator(".ix-language").click()
    expect(page.get_by_role("link", name="Ladders")).to_be_visible()
    expect(page.locator(".player .where")).to_have_text("Ply 2 / 9")
    page.get_by_role("link", name="Matches").click()
    expect(page).to_have_url(re.compile(r"lang=en"))
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()


def test_a_hidden_tab_asks_for_nothing_and_a_shown_one_at_once(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    page.clock.install()
    wire = Wire(page)
    visit(page, f"{dashboard}/tournaments?tournament=spring-cup")
    expect(page.get_by_text("Time left")).to_be_visible()
    page.evaluate(
        "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})"
    )
    before = wire.asked
    for _minute in range(3):
        page.clock.run_for(60_000)
    assert wire.asked == before
    page.evaluate("delete document.visibilityState")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    _asks_again(page, wire, before)
    seen = wire.asked
    page.clock.run_for(6_000)
    _asks_again(page, wire, seen)


def _asks_again(page: Page, wire: Wire, before: int) -> None:
    """Frames are counted here while the browser is asked something."""
    deadline = time.monotonic() + 30
    while wire.asked == before:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def test_the_tab_is_named_after_what_is_shown(page: Page, dashboard: str, arena: Seeded) -> None:
    for address, title in (
        ("ladders?ladder=claim-daily", "claim-daily · Ladders · Interrex"),
        ("tournaments?tournament=winter-cup", "winter-cup · Tournaments · Interrex"),
        ("bot?id=north/third", "north/third · Bots · Interrex"),
        ("matches", "Matches · Interrex"),
    ):
        visit(page, f"{dashboard}/{address}")
        expect(page).to_have_title(title)
    visit(page, f"{dashboard}/match")
    expect(page.get_by_role("heading", name="Match", level=1)).to_be_visible()


def test_an_address_below_a_page_leads_to_the_page(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/ladders/foo")
    expect(page.get_by_role("heading", name="claim-daily")).to_be_visible()


def test_drawing_a_page_is_timed(page: Page, dashboard: str, dashboard_log: Path) -> None:
    visit(page, f"{dashboard}/bots")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    found = re.findall(r'"metrics are served".*?"port": ([0-9]+)', dashboard_log.read_text())
    (port,) = map(int, found)
    deadline = time.monotonic() + 60
    while 'interrex_page_seconds_count{page="bots"}' not in read_metrics(port):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def read_metrics(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        return str(answer.read().decode())
