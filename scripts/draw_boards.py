"""Draw the pictures of the boards in docs/images: positions of golden replays in Chromium."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from dashboard.boards.catalogue import board
from engine_service.client import LocalEngine

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
NAMES = ("north/castellan", "harbour/ferret", "moor/heron", "vale/badger")
FLAGS = ["--no-sandbox"]  # of Chromium, which draws our own pictures only
DESK, COLOURS = 1216, 128
PAGE = "<body style='margin:0;background:{}'><div style='width:{}px'>{}</div></body>"
BACKGROUND = {"light": "#ffffff", "dark": "#0e1117"}  # the pages of Streamlit


@dataclass(frozen=True)
class Picture:
    """A position of a replay after so many plies (-1: the end) as a viewer sees it."""

    name: str
    replay: str
    plies: int
    viewer: str
    scheme: str = "light"
    width: int = DESK


PICTURES = (
    Picture("king", "vectors/king_is_dead/king_is_dead-4-cunning-02", 63, "1"),
    Picture(
        "king-phone", "vectors/king_is_dead/king_is_dead-4-cunning-02", 63, "1", "dark", width=368
    ),
    Picture("king-2-seats", "vectors/king_is_dead/king_is_dead-2-cunning-00", 40, "spectator"),
    Picture("king-end", "golden/king_is_dead-3-plot", -1, "spectator", "dark"),
    Picture(
        "hidden_leaders-end", "vectors/hidden_leaders_duel/hidden_leaders_duel-00", -1, "spectator"
    ),
)


def main() -> None:
    """Draw them all."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for picture in PICTURES:
            draw(browser, picture)
        browser.close()


def draw(browser: Browser, picture: Picture) -> None:
    """Write one file."""
    document = (ROOT / "tests" / f"{picture.replay}.replay.json").read_bytes()
    frame = list(LocalEngine().walk(document, picture.viewer))[picture.plies]
    last = {key: frame[key] for key in ("seat", "action")} if frame["action"] else None
    replay = json.loads(document)
    svg = board(replay["game"]).render(frame["view"], last, NAMES[: replay["seats"]])
    page = browser.new_page(
        viewport={"width": picture.width, "height": 800}, color_scheme=picture.scheme
    )
    page.set_content(PAGE.format(BACKGROUND[picture.scheme], picture.width, svg))
    taken = Image.open(io.BytesIO(page.locator("svg").first.screenshot()))
    taken.convert("RGB").quantize(COLOURS).save(IMAGES / f"{picture.name}.png", optimize=True)
    page.close()


if __name__ == "__main__":
    main()
