"""Options and seats on a whole arena: ladders and tournaments of games with more than two seats."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arenas import ROOT, Arena, running
from tests.e2e.visiting import visit

BASELINES = ROOT / "bots" / "baselines"
KING = ("--game", "king_is_dead")
CUNNING = ("--option", "variant=cunning")
BOTS = ("random", "first-legal", "second-random", "third-random")
TEAMS = [0, 1, 0, 1]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena with four bots that play all games, three of them random with other seeds."""
    folder = tmp_path_factory.mktemp("seats")
    with running(folder) as arena:
        arena.told("user", "create", "ada")
        for name in BOTS:
            source = BASELINES / ("first_legal" if name == "first-legal" else "random")
            arena.told("bot", "submit", str(_named(source, folder / name)))
        yield arena


def _named(source: Path, folder: Path) -> Path:
    """A copy of a bot under the name of its folder."""
    shutil.copytree(source, folder)
    lines = (folder / "bot.toml").read_text().splitlines()
    lines[0] = f'name = "{folder.name}"'
    (folder / "bot.toml").write_text("\n".join(lines))
    return folder


def ladder(arena: Arena, name: str, pairs: int, *terms: str) -> Any:
    """A ladder of all bots after its first slot of so many pairs for every group."""
    arena.told("ladder", "create", name, "--pairs", str(pairs), *terms)
    for bot in BOTS:
        arena.told("ladder", "enter", name, bot)
    return arena.play_slot(name)


def seatings(matches: list[Any]) -> dict[int, list[tuple[str, ...]]]:
    """By pair: who sat where, leg by leg."""
    found: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: (match.get("pair", 0), match.get("leg", 0))):
        found[match.get("pair", 0)].append(tuple(player["bot"] for player in match["players"]))
    return dict(found)


def check_standings(standings: list[Any], legs_of_each: int) -> None:
    assert sorted(row["bot"] for row in standings) == sorted(BOTS)
    assert sum(row["rating"] for row in standings) == pytest.approx(0, abs=1e-6)
    assert sum(row["credit"] for row in standings) / len(BOTS) == pytest.approx(0.5)
    for row in standings:
        assert isfinite(row["rating"])
        assert 0 < row["error"] < 1000
        assert row["faults"] == 0
        assert row["wins"] + row["draws"] + row["losses"] == legs_of_each


def replays(arena: Arena, matches: list[Any], folder: Path) -> list[Any]:
    """The replay files of some matches, read."""
    arena.told("replay", "verify", *(match["id"] for match in matches))
    found = []
    for match in matches:
        file = folder / f"{match['id']}.replay.json"
        arena.told("replay", "export", match["id"], "-o", str(file))
        found.append(json.loads(file.read_bytes()))
    return found


def test_four_seats_are_two_teams(arena: Arena, tmp_path: Path, page: Page) -> None:
    options = (*CUNNING, "--option", "plot_breaks_ties=false")
    shown = ladder(arena, "king-4", 3, *KING, *options, "--seats", "4")
    assert (shown["pairs_done"], shown["ladder"]["seats"]) == (3, 4)
    played_by = {"variant": "cunning", "plot_breaks_ties": False}
    assert json.loads(shown["ladder"]["options_json"]) == played_by
    check_standings(shown["standings"], legs_of_each=12)
    matches = arena.read("replay", "list", "--ladder", "king-4")
    partners = set()
    for legs in seatings(matches).values():
        assert legs == [legs[0][leg:] + legs[0][:leg] for leg in range(4)]
        partners |= {frozenset(legs[0][0::2]), frozenset(legs[0][1::2])}
    assert partners == set(map(frozenset, combinations(BOTS, 2)))
    for match in matches:
        credits = [player["credit"] for player in match["players"]]
        assert credits[0] == credits[2]
        assert credits[1] == credits[3]
        assert credits[0] + credits[1] == 1
    documents = replays(arena, matches[:4], tmp_path)
    assert {document["seed"] for document in documents} == {documents[0]["seed"]}
    for document in documents:
        assert (document["options"], document["seats"]) == (played_by, 4)
        assert document["teams"] == TEAMS
        assert document["result"]["ranks"] in ([1, 2, 1, 2], [2, 1, 2, 1], [1, 1, 1, 1])
    told = arena.told("ladder", "show", "king-4")
    named = "(variant=cunning, plot_breaks_ties=false)"
    assert f"king-4: king_is_dead {named}, 4 seats; 3 of 3 pairs played" in told
    _look_at_teams(page, arena, matches[0], named)


def _look_at_teams(page: Page, arena: Arena, match: Any, named: str) -> None:
    visit(page, f"{arena.dashboard}/ladders?ladder=king-4")
    expect(page.get_by_text(f"The King Is Dead {named}, 4 seats, 3 pairs a slot")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(len(BOTS))
    page.get_by_role("link", name="Seats", exact=True).click()
    expect(page.get_by_role("heading", name="What the seats are worth")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(len(TEAMS))
    visit(page, f"{arena.dashboard}/match?replay={match['id']}")
    a, b, c, d = (f"ada/{player['bot']} v1" for player in match["players"])
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{a} and {c} against {b} and {d}")
    expect(page.get_by_text(f"The King Is Dead {named}, rules version 1")).to_be_visible()


def test_three_seats_play_each_for_itself(arena: Arena, tmp_path: Path) -> None:
    shown = ladder(arena, "king-3", 1, *KING, "--seats", "3")
    assert shown["pairs_done"] == 4  # every three of four bots
    check_standings(shown["standings"], legs_of_each=9)
    matches = arena.read("replay", "list", "--ladder", "king-3")
    for legs in seatings(matches).values():
        assert legs == [legs[0][leg:] + legs[0][:leg] for leg in range(3)]
    for document in replays(arena, matches[:2], tmp_path):
        assert (document["options"], document["seats"]) == ({}, 3)
        assert "teams" not in document
        assert sorted(document["result"]["ranks"])[0] == 1


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("king-2", (*KING, *CUNNING)),
        ("duel", ("--game", "hidden_leaders_duel", "--option", "hidden_factions=true")),
    ],
)
def test_a_tournament_of_two_seats(arena: Arena, name: str, terms: tuple[str, ...]) -> None:
    arena.told("tournament", "create", name, "--pairs", "1", *terms)
    for bot in BOTS:
        arena.told("tournament", "enter", name, bot)
    arena.told("tournament", "start", name)
    watched = arena.read("tournament", "watch", name)
    assert watched["tournament"]["state"] == "complete"
    assert terms[-1].partition("=")[0] in json.loads(watched["tournament"]["options_json"])
    check_standings(watched["standings"], legs_of_each=6)
    assert f"{terms[1]} ({terms[-1]})" in arena.told("tournament", "list")


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ((*KING, "--option", "variant=wild"), "'variant': expected basic or cunning"),
        ((*KING, "--option", "plot=1"), "one of variant, plot_breaks_ties"),
        ((*KING, "--seats", "5"), "seats: expected 2 or 3 or 4 for king_is_dead"),
        (("--game", "chess"), "claim, king_is_dead, hidden_leaders_duel"),
    ],
)
def test_what_a_game_does_not_have_is_refused_with_what_it_has(
    arena: Arena, terms: tuple[str, ...], said: str
) -> None:
    for kind in ("ladder", "tournament"):
        assert said in arena.refused(kind, "create", "wrong", *terms)
    if "--seats" not in terms:
        assert said in arena.refused("play", "random", "random", *terms)


def test_everything_that_was_played_holds(arena: Arena) -> None:
    assert "All proofs hold" in arena.told("doctor")
