"""A replay of Hidden Leaders: Duel in the real dashboard, and its board at several sizes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from arena_service.scheduling import slots
from arena_service.scheduling import tournaments as begin
from arena_service.store import accounts, bots, tournaments
from arena_service.store.database import open_database
from arena_service.store.match_search import MatchSearch, search
from bots.manifest import Manifest
from dashboard.boards.hidden_leaders_duel import render
from dashboard.i18n import text
from dashboard.player import component
from engine_service import catalogue
from engine_service.client import LocalEngine, Turn
from tests.dashboard.played import play_all
from tests.e2e.serving import serving

GAME = "hidden_leaders_duel"
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TESTS = Path(__file__).parents[1]
CSS = Path(component.__file__).with_name("player.css").read_text("utf-8")
NAMES = ("castellans-of-the-north/castellan v12", "harbour/ferret v1")
LONG = ("m" * 20 + "/" + "W" * 30 + " v12", "my-long-owner/my-extremely-long-bot-name v1")
STRONG = {  # the longest numbers that the options allow
    "deck": [f"R{strength}" for strength in range(86, 100)] * 2,
    "leaders": [{"factions": list("RGBK"), "value": 99}, {"factions": ["R", "G"], "value": 99}],
}
PLIES = 42

#: Texts that reach out of the panel that they begin in, by 1 pixel of the picture or more.
OVERFULL = """() => {
  const out = [];
  for (const part of document.querySelectorAll(".far, .near, .rows, .counts, .story")) {
    const frame = part.querySelector(".seat, .ground, .panel").getBoundingClientRect();
    for (const words of [...part.querySelectorAll("text")].filter((one) => one.textContent)) {
      const { left, right, top, bottom } = words.getBoundingClientRect();
      const across = left < frame.left - 1 || right > frame.right + 1;
      if (across || top < frame.top - 1 || bottom > frame.bottom + 1) out.push(words.textContent);
    }
  }
  return out;
}"""

#: Numbers in the marks of their columns, and what is below them, that reach out of the mark.
MARKS = """() => {
  const out = [];
  for (const mark of document.querySelectorAll(".counts .glow")) {
    const box = mark.getBoundingClientRect();
    for (const words of document.querySelectorAll(".counts text")) {
      const { left, right, top, bottom } = words.getBoundingClientRect();
      const [across, down] = [(left + right) / 2, (top + bottom) / 2];
      const inside = box.left < across && across < box.right && box.top < down && down < box.bottom;
      if (inside && (left < box.left || right > box.right)) out.push(words.textContent);
    }
  }
  return out;
}"""

#: Words and signs of one panel that cover each other; a hero may lie under its blocker.
COLLIDING = """() => {
  const out = [];
  for (const part of document.querySelectorAll(".far, .near, .rows, .counts, .story")) {
    const all = [...part.querySelectorAll("text, .shape")].filter((one) => !one.closest(".hero"));
    const boxes = all.map((one) => one.getBoundingClientRect());
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other, j) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 1 && high > 6) out.push([all[i].textContent, all[i + 1 + j].textContent]);
    }));
  }
  return out;
}"""

PARTS = """() => [".story", ".far", ".rows", ".near", ".counts"].map((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  return [box.top, box.bottom, box.left, box.right];
})"""


@dataclass(frozen=True)
class Shown:
    """A dashboard, and a match that it shows."""

    address: str
    match: str

    def open(self, page: Page, more: str = "") -> Locator:
        """Its board, once it is drawn."""
        page.goto(f"{self.address}/match?replay={self.match}{more}")
        picture = page.locator(".player .picture")
        picture.locator("svg.leaders").wait_for()
        return picture


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    data = tmp_path_factory.mktemp("leaders")
    database = open_database(f"sqlite:///{data / 'interrex.db'}")
    database.migrate()
    owner = accounts.by_token(database, accounts.create_user(database, "north"))
    assert owner is not None
    cup = tournaments.create_tournament(database, owner.id, "cup", GAME, {}, pairs=1)
    for name in ("castellan", "ferret"):
        manifest = Manifest(name, (GAME,), ("python3", "main.py"), "json")
        row = bots.submit(database, owner.id, name, name.encode(), manifest, ())
        tournaments.enter(database, cup.id, row.bot_id)
    begin.start(database, cup.id, NOON)
    drawing = random.Random(5)

    def choice(turn: Turn, version: str) -> str:
        return drawing.choice(turn.legal)

    play_all(database, NOON, choice=choice)
    slots.complete_played(database, NOON)
    match = search(database, MatchSearch(), 1)[0].id
    database.close()
    with serving(data, data / "dashboard.log") as address:
        yield Shown(address, match)


def test_a_replay_steps_through_every_ply(page: Page, shown: Shown) -> None:
    picture, where = shown.open(page), page.locator(".player .where")
    expect(where).to_have_text(f"Ply 0 / {PLIES}")
    expect(picture.locator(".story")).to_contain_text("The deal")
    pictures = {picture.inner_html()}
    for ply in range(1, PLIES + 1):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text(f"Ply {ply} / {PLIES}")
        pictures.add(picture.inner_html())
    assert len(pictures) == PLIES + 1
    expect(picture.locator(".story")).to_contain_text("discarded")
    page.locator('.player .moves button[data-frame="3"]').click()
    expect(picture.locator(".story")).to_contain_text("turn 1")
    expect(picture.locator(".slot.now, .hero.now").first).to_be_visible()


def test_the_move_list_tells_what_was_drawn(page: Page, shown: Shown) -> None:
    shown.open(page, "&view=all")
    moves = page.locator(".player .moves")
    expect(moves.locator("button").nth(3)).to_contain_text("draws")
    expect(page.locator(".player .marks .phase").first).to_have_text("3")


def test_a_seat_sees_its_own_leader_and_hand_alone(page: Page, shown: Shown) -> None:
    picture = shown.open(page, "&view=1&ply=9")
    expect(picture.locator(".near .leader .shape")).to_have_count(2)
    expect(picture.locator(".far .leader .shape")).to_have_count(0)
    expect(picture.locator(".near .hero .num").first).to_be_visible()
    expect(picture.locator(".far .hero .num")).to_have_count(0)
    page.locator(".player .view").select_option("all")
    expect(picture.locator(".far .leader .shape")).to_have_count(2)


def show(page: Page, frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> None:
    last = None if frame["action"] is None else {k: frame[k] for k in ("seat", "action")}
    page.set_content(
        '<!doctype html><div class="player" style="display:block"><div class="stage">'
        '<div class="picture" style="--ratio:1180 / 752">'
        f"{render(frame['view'], last, names)}</div></div></div>"
        f"<style>body{{margin:0}}{CSS}</style>"
    )


def frames(name: str, viewer: str) -> list[dict[str, Any]]:
    (replay,) = TESTS.glob(f"*/**/{GAME}-{name}.replay.json")
    return list(LocalEngine().walk(replay.read_bytes(), viewer))


def crowded(page: Page) -> list[Any]:
    """Whatever has too little room in the picture."""
    return [found for each in (OVERFULL, COLLIDING, MARKS) for found in page.evaluate(each)]


@pytest.mark.parametrize("language", sorted(text.NAMES))
@pytest.mark.parametrize("width", [1180, 420])
def test_words_stay_clear_of_each_other(browser: Browser, width: int, language: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    try:
        text.speak(language)
        for name, viewer in (("00", "1"), ("own-cards", "all"), ("hidden-factions", "spectator")):
            for frame in (*frames(name, viewer)[::9], frames(name, viewer)[-1]):
                show(page, frame)
                assert crowded(page) == []
    finally:
        text.speak(text.SOURCE)
        page.close()


def strong_game(goal: str) -> Iterator[dict[str, Any]]:
    """Positions of a game with the longest numbers, in which every hero is played to one goal."""
    game, rng = catalogue.game(GAME), random.Random(2)
    state, done = game.deal(bytes(32), game.parse_options(STRONG), 2), None
    while True:
        for viewer in ("all", "spectator"):
            yield {
                "view": game.view_to_plain(game.view(state, viewer)),
                **(done or {"action": None}),
            }
        seat = game.actor(state)
        if seat is None:
            return
        legal = game.legal_actions(state)
        wanted = [action for action in legal if goal in game.notation(action)]
        action = rng.choice(wanted or legal)
        done = {"seat": seat, "action": game.notation(action)}
        state = game.apply(state, action)


@pytest.mark.parametrize("language", sorted(text.NAMES))
@pytest.mark.parametrize("width", [1180, 400])
def test_the_longest_numbers_and_names_find_room(
    browser: Browser, width: int, language: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    try:
        text.speak(language)
        for goal in ("council", "block"):
            for frame in list(strong_game(goal))[::-13]:
                show(page, frame, LONG)
                assert crowded(page) == []
    finally:
        text.speak(text.SOURCE)
        page.close()


def test_on_a_phone_the_parts_stand_below_each_other(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 400, "height": 850})
    show(page, frames("00", "all")[30])
    parts, picture = page.evaluate(PARTS), page.locator(".picture").bounding_box()
    strength = page.locator(".rows .hero .num").first.bounding_box()
    page.close()
    assert picture is not None
    assert strength is not None
    assert strength["height"] > 18
    for (_, bottom, *_sides), (top, *_rest) in pairwise(parts):
        assert bottom <= top
    for _, bottom, left, right in parts:
        assert 0 <= left < right <= picture["width"]
        assert bottom <= picture["height"]
