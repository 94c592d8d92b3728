"""Pictures of Hidden Leaders: Duel, and what stands in them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

from dashboard.boards.hidden_leaders_duel import render
from engine_service.client import LocalEngine

SVG = "{http://www.w3.org/2000/svg}"
TESTS = Path(__file__).parents[1]
NAMES = ("north/castellan", "harbour/ferret")
VIEWERS = ("0", "1", "spectator", "all")
TAGS = {"svg", "style", "rect", "text", "g", "path", "circle"}
PLAYED, SECRET = "00", "hidden-factions"
HERO = re.compile(r"\b[RGBK][0-9]{1,2}\b")


FOLDERS = (TESTS / "golden", TESTS / "vectors/hidden_leaders_duel")
REPLAYS = {
    path.name.removeprefix("hidden_leaders_duel-").partition(".")[0]: path
    for folder in FOLDERS
    for path in sorted(folder.glob("hidden_leaders_duel-*.replay.json"))
}


def replay(name: str) -> bytes:
    return REPLAYS[name].read_bytes()


@cache
def walk(name: str, viewer: str = "spectator") -> list[dict[str, Any]]:
    return list(LocalEngine().walk(replay(name), viewer))


def picture(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> str:
    last = None if frame["action"] is None else {k: frame[k] for k in ("seat", "action")}
    return render(frame["view"], last, names)


def drawn(frame: dict[str, Any], names: tuple[str, ...] = NAMES) -> Any:
    return ElementTree.fromstring(picture(frame, names))


def texts(svg: Any) -> list[str]:
    return [t.text or "" for t in svg.iter(f"{SVG}text")]


def part(svg: Any, css: str) -> Any:
    return next(g for g in svg.iter(f"{SVG}g") if g.get("class") == css)


def cards(svg: Any) -> list[str]:
    """Every hero as it is drawn: its letter and its strength, "R" or "R5", or nothing of a back."""
    heroes = [g for g in svg.iter(f"{SVG}g") if "hero" in g.get("class", "").split()]
    return ["".join(t.text for t in g.iter(f"{SVG}text")) for g in heroes]


def in_view(view: dict[str, Any]) -> list[str]:
    """The heroes that lie somewhere, as the viewer sees them; of the pile those that are drawn."""
    lie = [slot[place] for slot in view["slots"] for place in ("hero", "blocker") if slot[place]]
    held = [hero for heroes in (*view["hands"], *view["councils"]) for hero in heroes]
    under = ["?"] * min(2, max(len(view["pile"]) - 1, 0))
    return lie + held + view["pile"][:1] + under
