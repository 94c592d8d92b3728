"""Walking and verifying replays, the same over every engine."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from engine_service.client import Engine, Finished, LocalEngine, MatchStart
from engine_service.core import replay
from engine_service.core.errors import ReplayError, RulesError, UnknownGameError

Change = Callable[[dict[str, Any]], object]
VIEWERS = ["0", "1", "spectator", "all"]


def cut_plies(document: dict[str, Any]) -> None:
    del document["plies"][-1]


def swap_action(document: dict[str, Any]) -> None:
    document["plies"][5]["action"] = document["plies"][4]["action"]


def wrong_winner(document: dict[str, Any]) -> None:
    document["result"]["ranks"] = [1, 1]


def other_seed(document: dict[str, Any]) -> None:
    document["seed"] = "1" * 64


def wrong_digest(document: dict[str, Any]) -> None:
    document["digest"] = "0" * 64


def unknown_game(document: dict[str, Any]) -> None:
    document["game"] = "chess\ud800"


def later_rules(document: dict[str, Any]) -> None:
    document["rules_version"] = 2


def wrong_seat(document: dict[str, Any]) -> None:
    document["plies"][0]["seat"] = 1


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_walk_has_the_deal_and_a_frame_per_ply(
    engine: Engine, played: Finished, viewer: str
) -> None:
    data = replay.write(played.replay)
    frames = list(engine.walk(data, viewer))
    assert frames == list(LocalEngine().walk(data, viewer))
    assert [frame["ply"] for frame in frames] == list(range(53))
    assert (frames[0]["seat"], frames[0]["action"], frames[0]["actor"]) == (None, None, 0)
    assert (frames[-1]["actor"], frames[-1]["view"]["actor"]) == (None, -1)
    for frame, ply in zip(frames[1:], played.replay["plies"], strict=True):
        assert (frame["seat"], frame["action"]) == (ply["seat"], ply["action"])
        assert frame["forced"] == ply.get("forced", False)


@pytest.mark.parametrize(
    ("viewer", "seen"), list(zip(VIEWERS, [[0], [1], [], [0, 1]], strict=True))
)
def test_a_walk_shows_only_the_hands_of_its_viewer(
    engine: Engine, played: Finished, viewer: str, seen: list[int]
) -> None:
    for frame in engine.walk(replay.write(played.replay), viewer):
        hands = frame["view"]["hands"]
        for seat in range(2):
            size = frame["view"]["hand_sizes"][seat]
            assert len(hands[seat]) == (size if seat in seen else 0)
        assert viewer == "all" or frame["view"]["deck"] == []


def test_a_walk_can_be_left_early(engine: Engine, played: Finished) -> None:
    frames = engine.walk(replay.write(played.replay), "all")
    assert next(frames)["ply"] == 0
    del frames
    assert engine.games()


def test_a_true_replay_is_confirmed(engine: Engine, played: Finished) -> None:
    verdict = engine.verify(replay.write(played.replay))
    assert (verdict.ok, verdict.game, verdict.plies) == (True, "claim", 52)
    assert (verdict.digest, verdict.problem, verdict.ply) == (played.replay["digest"], "", None)


@pytest.mark.parametrize(
    ("change", "ply", "problem"),
    [
        (cut_plies, 51, "missing"),
        (swap_action, 5, "illegal action"),
        (wrong_winner, None, "ranks"),
        (other_seed, None, "wrong deal"),
        (wrong_digest, None, "wrong digest"),
        (unknown_game, None, "game: expected one of claim"),
        (later_rules, None, "rules version 2"),
        (wrong_seat, 0, "seat 1 is not to move"),
    ],
)
def test_a_broken_replay_is_refused_with_ply_and_cause(
    engine: Engine, played: Finished, change: Change, ply: int | None, problem: str
) -> None:
    document = copy.deepcopy(played.replay)
    change(document)
    verdict = engine.verify(replay.write(document))
    assert (verdict.ok, verdict.ply) == (False, ply)
    assert problem in verdict.problem


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\xff", b'{"format":"replay/9"}', b"[" * 100_000, b" " * 5_000_000]
)
def test_what_is_no_replay_is_a_verdict_and_no_walk(engine: Engine, data: bytes) -> None:
    verdict = engine.verify(data)
    assert not verdict.ok
    assert verdict.problem
    with pytest.raises(ReplayError):
        next(engine.walk(data, "all"))


def test_a_walk_of_an_unknown_game_names_it(engine: Engine, played: Finished) -> None:
    data = json.dumps(played.replay | {"game": "chess"}).encode()
    with pytest.raises(UnknownGameError) as refused:
        next(engine.walk(data, "all"))
    assert refused.value.name == "chess"


def test_a_walk_stops_at_an_illegal_ply(engine: Engine, played: Finished) -> None:
    document = copy.deepcopy(played.replay)
    swap_action(document)
    frames = engine.walk(replay.write(document), "all")
    seen = [next(frames)["ply"] for _ in range(6)]
    with pytest.raises(ReplayError) as refused:
        next(frames)
    assert (seen[-1], refused.value.ply) == (5, 5)


def test_a_walk_for_nobody_is_refused(engine: Engine, played: Finished) -> None:
    endless = json.dumps(played.replay | {"seats": 10**12}).encode()
    with pytest.raises(RulesError):
        next(engine.walk(endless, "nobody"))


def test_annotations_of_an_exporter_do_not_matter(
    engine: Engine, played: Finished, start: Callable[..., MatchStart]
) -> None:
    document = copy.deepcopy(played.replay) | {"comment": "for people"}
    document["plies"][0]["legal"] = ["U6"]
    assert engine.verify(replay.write(document)).ok
