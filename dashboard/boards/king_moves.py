"""The King Is Dead's notation, read: which followers a ply moved, and the turn it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

View = Mapping[str, Any]
TEAM_SEATS = 4


@dataclass(frozen=True)
class Moved:
    """Followers that came to a region (`sign` 1) or left it (-1); letters in `group`."""

    sign: int
    group: str
    region: str


def moved(action: str) -> list[Moved]:
    """What the ply did to the regions, in the order written; nothing for cards and passes."""
    match action.split():
        case ["swap", one, here, other, there]:
            return [
                Moved(-1, one, here),
                Moved(1, one, there),
                Moved(-1, other, there),
                Moved(1, other, here),
            ]
        case ["move", group, start, end]:
            return [Moved(-1, group, start), Moved(1, group, end)]
        case ["summon", region, faction]:
            return [Moved(-1, faction, region)]
        case ["place" | "return", *_] as words:
            return _placed(words)
    return []


def _placed(words: Sequence[str]) -> list[Moved]:
    """Places and returns; a group without a region belongs to the region named before."""
    done: list[Moved] = []
    sign, group, region = 1, "", ""
    for word in (*words, "place"):
        if word in ("place", "return") or word.isupper():
            done += [Moved(sign, group, region)] if group else []
            group = word if word.isupper() else ""
            sign = {"place": 1, "return": -1}.get(word, sign)
        else:
            region = word
    return done


def changes(action: str) -> Counter[tuple[str, str]]:
    """By region and faction, what the ply added or took; never zero."""
    total: Counter[tuple[str, str]] = Counter()
    for each in moved(action):
        for faction in each.group:
            total[each.region, faction] += each.sign
    return Counter({key: change for key, change in total.items() if change})


def path(action: str) -> tuple[str, str] | None:
    """The two regions that the ply moved followers between."""
    match action.split():
        case ["swap", _, here, _, there] | ["move", _, here, there]:
            return here, there
    return None


def exchanged(action: str) -> tuple[str, ...]:
    """The regions whose cards the ply made change places."""
    match action.split():
        case ["exchange", first, second, *_]:
            return first, second
    return ()


def turn(view: View) -> list[str]:
    """The plies of the turn that the last ply belongs to, that ply among them."""
    plies: list[str] = []
    for ply in reversed(view["plays"]):
        plies.insert(0, ply)
        if ply == "pass" or ply.startswith("play "):
            break
    return plies


def struggled(view: View) -> str:
    """The region that the last ply decided, or nothing."""
    plays = view["plays"]
    if not plays or plays[-1] != "pass" or view["passes"]:
        return ""
    return str(view["row"][view["resolved"] - 1])


def ranking(view: View) -> list[str]:
    """The factions by regions held; of equals the one that won a struggle more recently."""
    wins = [view["discs"][region] for region in view["row"][: view["resolved"]]]
    latest = {faction: space for space, faction in enumerate(wins)}
    return sorted("SWE", key=lambda f: (-wins.count(f), -latest.get(f, -1)))


def team(view: View, seat: int) -> int:
    """The number of the seat's team; without teams, the seat."""
    return seat % 2 if len(view["courts"]) == TEAM_SEATS else seat
