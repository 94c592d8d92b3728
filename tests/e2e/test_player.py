"""The replay player in a real browser: keys, links, viewpoints."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.seeded import HOSTILE, Seeded

PLIES = 52


def open_match(page: Page, dashboard: str, match_id: str, more: str = "") -> None:
    page.goto(f"{dashboard}/match?replay={match_id}{more}")
    page.locator(".player .picture svg").wait_for()


def at(page: Page, ply: int, last: int = PLIES) -> None:
    expect(page.locator(".player .where")).to_have_text(f"Ply {ply} / {last}")


def test_keys_step_without_losing_any(page: Page, dashboard: str, arena: Seeded) -> None:
    open_match(page, dashboard, arena.matches["completed"])
    at(page, 0)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    at(page, 20)
    page.keyboard.press("ArrowLeft")
    at(page, 19)
    page.keyboard.press("End")
    at(page, PLIES)
    page.keyboard.press("ArrowRight")
    at(page, PLIES)
    page.keyboard.press("Home")
    at(page, 0)


def test_space_plays_and_pauses(page: Page, dashboard: str, arena: Seeded) -> None:
    open_match(page, dashboard, arena.matches["completed"])
    page.locator(".player .speed").select_option("8")
    page.locator(".player .slider").focus()
    page.keyboard.press("Space")
    expect(page.locator(".player .where")).to_have_text(re.compile(r"Ply [1-9]\d* / 52"))
    page.keyboard.press("Space")
    expect(page.locator(".player.playing")).to_have_count(0)
    held = page.locator(".player .where").text_content()
    page.wait_for_timeout(400)
    assert page.locator(".player .where").text_content() == held


def test_a_move_of_the_list_jumps_to_its_position(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    open_match(page, dashboard, arena.matches["completed"])
    page.locator('.player .moves button[data-frame="30"]').click()
    at(page, 30)
    expect(page.locator('.player .moves button[aria-current="true"]')).to_have_count(1)


def test_the_link_names_the_position_and_reopens_it(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    open_match(page, dashboard, arena.matches["completed"], "&ply=17&view=1")
    at(page, 17)
    expect(page.locator(".player .view")).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"replay=\w+&ply=18&view=1"))
    page.goto(page.url)
    page.locator(".player .picture svg").wait_for()
    at(page, 18)


def test_another_viewpoint_keeps_the_ply_and_hides_the_other_hand(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    open_match(page, dashboard, arena.matches["completed"], "&view=all&ply=4")
    backs = page.locator(".player .picture .back")
    expect(backs).to_have_count(0)
    page.locator(".player .view").select_option("0")
    expect(backs.first).to_be_visible()
    at(page, 4)
    expect(page).to_have_url(re.compile(r"view=0&ply=4$"))
    page.keyboard.press("ArrowRight")
    at(page, 5)
    expect(page.locator(".player .view")).to_have_value("0")


def test_language_and_signing_in_lead_back_to_the_position(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    open_match(page, dashboard, arena.matches["completed"])
    page.keyboard.press("End")
    sign_in = page.get_by_role("link", name="Sign in")
    expect(sign_in).to_have_attribute("href", re.compile(r"next=match%3F.*ply%3D52"))
    page.locator(".ix-language").click()
    expect(page.locator(".player .where")).to_have_text(f"Zug {PLIES} / {PLIES}")


@pytest.mark.parametrize("typed", ["&ply=abc", "&ply=-4", "&ply=&view=9", "&view=%3Cscript%3E"])
def test_bad_parameters_show_the_deal(
    page: Page, dashboard: str, arena: Seeded, typed: str
) -> None:
    open_match(page, dashboard, arena.matches["completed"], typed)
    at(page, 0)


def test_a_ply_beyond_the_end_shows_the_end(page: Page, dashboard: str, arena: Seeded) -> None:
    open_match(page, dashboard, arena.matches["completed"], "&ply=9999")
    at(page, PLIES)


def test_a_forfeit_in_the_middle_is_an_event_of_its_own(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    open_match(page, dashboard, arena.matches["timeout"])
    expect(page.locator(".player .moves .event")).to_contain_text("ran out of time")
    expect(page.locator(".player .marks .fault")).to_have_count(1)
    expect(page.locator(".player .picture .turn")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".player .verdict")).to_contain_text("ran out of time")
    expect(page.locator(".player .picture .turn")).to_be_hidden()


@pytest.mark.parametrize("kind", ["start", "no_contest"])
def test_a_match_without_plies_has_its_deal(
    page: Page, dashboard: str, arena: Seeded, kind: str
) -> None:
    open_match(page, dashboard, arena.matches[kind])
    page.keyboard.press("ArrowRight")
    at(page, 0, last=0)
    expect(page.locator(".player .moves .event")).to_have_count(1)


def test_a_hostile_name_stays_a_name(page: Page, dashboard: str, arena: Seeded) -> None:
    open_match(page, dashboard, arena.matches["completed"])
    expect(page.locator(".player .picture text", has_text=HOSTILE).first).to_be_visible()
    expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_the_record_is_verified_and_can_be_downloaded(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    match_id = arena.matches["completed"]
    open_match(page, dashboard, match_id)
    expect(page.get_by_text("verified: the engine replayed every ply")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download replay").click()
    assert download.value.suggested_filename == f"{match_id}.replay.json"
    expect(page.get_by_text("The same deal with the seats rotated")).to_be_visible()


def test_a_replay_is_closed_while_a_leg_of_its_pair_is_missing(
    page: Page, dashboard: str, arena: Seeded
) -> None:
    page.goto(f"{dashboard}/match?replay={arena.matches['half']}")
    expect(page.get_by_text("The replay opens when every leg")).to_be_visible()
    assert page.locator(".player").count() == 0
    assert arena.half_seed not in page.content()
