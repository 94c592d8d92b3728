"""What the golden replays of The King Is Dead are about."""

from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from engine_service.core import replay
from engine_service.core.errors import ReplayError
from engine_service.core.game import Plain
from engine_service.games.king_is_dead.game import GAME
from interrex.games.king_is_dead.v1.king_is_dead_pb2 import Score

FOLDER = Path(__file__).parents[2] / "golden"


def read(name: str) -> Plain:
    return replay.read((FOLDER / f"{name}.replay.json").read_bytes())


def test_equal_sets_go_by_the_more_recent_card() -> None:
    result = read("king_is_dead-2-invasion-tie")["result"]
    assert result["score"]["ending"] == "invasion"
    assert len(set(result["score"]["sets"])) == 1
    assert sorted(result["ranks"]) == [1, 2]


def test_nobody_who_played_no_card_is_behind_another() -> None:
    assert read("king_is_dead-3-passed")["result"]["ending"] == "completed"
    assert all(ply["action"] == "pass" for ply in read("king_is_dead-3-passed")["plies"])


def test_spy_leaves_an_exchange_without_a_disc() -> None:
    texts = [ply["action"] for ply in read("king_is_dead-2-spied-negotiation")["plies"]]
    assert any(text.startswith("exchange") and "disc" not in text for text in texts)


def test_a_team_wins_and_loses_together() -> None:
    won = read("king_is_dead-4-invasion")
    assert won["teams"] == [0, 1, 0, 1]
    assert sorted(won["result"]["ranks"]) == [1, 1, 2, 2]
    late = read("king_is_dead-4-timeout")["result"]
    assert late["ranks"] == [2 if seat % 2 == late["at_fault"] % 2 else 1 for seat in range(4)]
    assert read("king_is_dead-4-failed-start")["result"]["ranks"] == [2, 1, 2, 1]


def test_a_replay_without_partners_names_no_teams() -> None:
    assert "teams" not in read("king_is_dead-3-plot")


def test_teams_may_be_left_out_but_not_be_wrong() -> None:
    document = read("king_is_dead-4-invasion")
    without = {key: document[key] for key in document if key != "teams"}
    assert replay.verify(without, lambda name: GAME).actor is None
    with pytest.raises(ReplayError, match="wrong teams: the seats play as \\[0, 1, 0, 1\\]"):
        replay.verify(read("refused/king_is_dead-wrong-teams"), lambda name: GAME)


@pytest.mark.parametrize("teams", [[], [0, 1], [0, 0, 0, 0], [0, 1, 0, True], {"0": 1}])
def test_what_names_no_teams_is_no_replay(teams: object) -> None:
    document = read("king_is_dead-4-invasion") | {"teams": teams}
    with pytest.raises(ReplayError, match="teams is a list"):
        replay.read(replay.write(document))


def test_scores_of_both_endings_are_messages() -> None:
    for name in ("king_is_dead-4-invasion", "king_is_dead-2-coronation-tie"):
        score = read(name)["result"]["score"]
        found = MessageToDict(
            ParseDict(score, Score()),
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        )
        assert found == score
