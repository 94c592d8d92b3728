"""Golden replays: matches of a kind that must not change within a rules version."""

from pathlib import Path

import pytest

from engine_service.catalogue import game
from engine_service.core import replay
from engine_service.core.errors import ReplayError
from engine_service.core.game import Plain

FOLDER = Path(__file__).parents[2] / "golden"
GOLDEN = sorted(FOLDER.glob("*.replay.json"))


def read(name: str) -> Plain:
    return replay.read((FOLDER / f"{name}.replay.json").read_bytes())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.split(".")[0])
def test_a_golden_replay_is_true(path: Path) -> None:
    document = replay.read(path.read_bytes())
    replay.verify(document, game)
    assert replay.write(document) == path.read_bytes()


def test_every_kind_is_there() -> None:
    endings = {replay.read(path.read_bytes())["result"]["ending"] for path in GOLDEN}
    assert endings == {"completed", "timeout", "crash", "no_contest"}


def test_drawn_with_an_uncast_vote() -> None:
    result = read("claim-drawn")["result"]
    assert result["score"]["votes"] == [2, 2]
    assert result["ranks"] == [1, 1]


def test_five_undead_each_go_by_the_nine() -> None:
    document = read("claim-undead-tie")
    assert document["result"]["score"]["cards"]["U"] == [5, 5]
    position = replay.verify(document, game)
    view = position.game.view_to_plain(position.game.view(position.state, "spectator"))
    owner = 0 if "U9" in view["scored"][0] else 1
    assert view["votes"][2] == owner


def test_the_dwarf_of_the_last_trick_goes_to_its_loser() -> None:
    position = replay.verify(read("claim-last-trick-dwarf"), game)
    view = position.game.view_to_plain(position.game.view(position.state, "spectator"))
    last = view["tricks"][-1]
    (dwarf,) = [card for card in last["cards"] if card[0] == "D"]
    assert dwarf in view["scored"][1 - last["winner"]]


def test_a_wrong_digest_is_refused() -> None:
    with pytest.raises(ReplayError, match="wrong digest") as caught:
        replay.verify(read("refused/claim-wrong-digest"), game)
    assert caught.value.ply is None


def test_an_illegal_action_is_refused_at_its_ply() -> None:
    with pytest.raises(ReplayError, match="illegal action") as caught:
        replay.verify(read("refused/claim-illegal-action"), game)
    assert caught.value.ply == 30


def test_the_last_free_hero_is_taken_by_itself() -> None:
    last = read("hidden_leaders_duel-blocked-to-the-last")["plies"][-3]
    assert (len(last["action"].split()), last["forced"]) == (2, True)


def test_equal_armies_are_a_draw_and_of_equal_strength_the_larger_wins() -> None:
    drawn = read("hidden_leaders_duel-drawn")["result"]
    larger = read("hidden_leaders_duel-won-by-numbers")["result"]
    assert (len(set(drawn["score"]["heroes"])), drawn["ranks"]) == (1, [1, 1])
    strength, heroes = larger["score"]["strength"], larger["score"]["heroes"]
    assert strength[0] == strength[1]
    assert larger["ranks"] == [1 + (heroes[0] < heroes[1]), 1 + (heroes[1] < heroes[0])]


def test_a_blocked_hero_is_not_taken() -> None:
    with pytest.raises(ReplayError, match="illegal action 'take") as caught:
        replay.verify(read("refused/hidden_leaders_duel-takes-a-blocked-hero"), game)
    assert caught.value.ply == 3
