"""Authors sign in, and see the evidence of their own bots that nobody else sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.seeded import LIMIT, PRIVATE, Seeded
from tests.e2e.visiting import Wire, every_page, sign_in, stays_text, visit


def test_an_author_signs_in_and_out(
    page: Page, dashboard: str, arena: Seeded, dashboard_log: Path
) -> None:
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    sign_in(page, dashboard, arena.tokens["north"])
    expect(page.locator(".ix-card")).to_have_count(3)
    expect(page.locator(".ix-user")).to_have_text("north")
    kept = next(each for each in page.context.cookies() if each["name"] == "interrex_visit")
    assert kept["httpOnly"]
    assert kept["sameSite"] == "Strict"
    page.get_by_role("link", name="Matches").click()
    expect(page.locator(".ix-user")).to_have_text("north")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.context.add_cookies([kept])
    visit(page, f"{dashboard}/bots")
    expect(page.get_by_role("heading", name="My bots")).to_have_count(0)
    assert not [each for each in addresses if arena.tokens["north"] in each]
    assert arena.tokens["north"] not in dashboard_log.read_text()


def test_signing_in_leads_back_to_where_one_was(page: Page, dashboard: str, arena: Seeded) -> None:
    visit(page, f"{dashboard}/match?replay={arena.matches['timeout']}&ply=3")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Token").fill("ix_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not known here")
    assert "ix_wrong" not in page.url
    page.get_by_label("Token").fill(arena.tokens["north"])
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(r"/match\?replay=\w+&ply=3"))
    expect(page.locator(".ix-evidence")).to_have_count(1)


def test_the_owner_sees_why_the_bot_lost(page: Page, dashboard: str, arena: Seeded) -> None:
    sign_in(page, dashboard, arena.tokens[arena.late])
    visit(page, f"{dashboard}/match?replay={arena.matches['timeout']}")
    expect(page.locator(".ix-evidence")).to_have_count(1)
    expect(page.locator(".ix-evidence")).to_contain_text(LIMIT)
    expect(page.locator(".ix-text pre", has_text=arena.stderr(arena.late))).to_be_visible()
    expect(page.locator("svg.ix-effort g").first).to_be_attached()
    expect(page.locator(".player .note").first).to_contain_text(arena.stderr(arena.late))


def test_on_no_page_anything_private_crosses_the_wire_to_spectators(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    wire = Wire(page)
    for address in every_page(arena):
        visit(page, f"{dashboard}/{address}")
        stays_text(page, address)
    assert wire.says("claim-daily")
    assert not wire.says(PRIVATE)
    assert not wire.says(arena.half_seed)


@pytest.mark.parametrize(("owner", "stranger"), [("north", "south"), ("south", "north")])
def test_authors_get_what_is_private_to_them_and_nothing_of_others(
    page: Page, dashboard: str, arena: Seeded, owner: str, stranger: str
) -> None:
    sign_in(page, dashboard, arena.tokens[owner])
    wire = Wire(page)
    for address in every_page(arena):
        if address.startswith(("match", "bot", "status")):
            visit(page, f"{dashboard}/{address}")
            stays_text(page, address)
    assert wire.says(f"{PRIVATE} {owner}")
    assert not wire.says(f"{PRIVATE} {stranger}")
    assert not wire.says(arena.half_seed)


def test_a_failed_version_tells_its_author_why(page: Page, dashboard: str, arena: Seeded) -> None:
    sign_in(page, dashboard, arena.tokens["north"])
    visit(page, f"{dashboard}/bot?id={arena.bots['broken']}")
    expect(page.locator(".ix-reason")).to_contain_text("exit code 3")
    page.locator("table.ix a", has_text="open").first.click()
    expect(page.locator(".ix-evidence")).to_have_count(2)
    check = page.url
    page.context.clear_cookies()
    visit(page, check)
    expect(page.get_by_text("There is no match with the id")).to_be_visible()


def test_processes_are_for_those_who_are_signed_in(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    visit(page, f"{dashboard}/status")
    expect(page.get_by_text("Sign in to see the processes.")).to_be_visible()
    sign_in(page, dashboard, arena.tokens["south"])
    visit(page, f"{dashboard}/status")
    expect(page.locator("table.ix", has_text="dashboard")).to_contain_text("alive")
