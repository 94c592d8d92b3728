"""The worked examples of the rules 13 to 19: invasion, coronation, ties. Courts as S, W, E."""

from dataclasses import replace

from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import CARD
from tests.engine_service.games.king_tables import final, play, ranks, score

INVADED = "SXXX"


def test_example_13_invasion() -> None:
    level = [(4, 2, 1), (1, 1, 3)]
    assert ranks(final(level, INVADED, last=(8, 9))) == (2, 1)
    assert ranks(final(level, INVADED, last=(9, 8))) == (1, 2)
    assert ranks(final(level, INVADED)) == (1, 1)
    better = final([(2, 2, 2), (1, 1, 3)], INVADED, last=(8, 9))
    assert ranks(better) == (1, 2)
    assert score(better)["sets"] == [2, 1]


def test_example_14_invasion_beats_coronation() -> None:
    before = final([(5, 0, 0), (1, 1, 1)], "SSSWEXX")
    table = before.table._replace(stage=CARD, regions=(0,) * 8)
    after = play(replace(before, table=table), "pass", "pass")
    assert after.table.resolved == 8
    assert score(after)["ending"] == "invasion"
    assert ranks(after) == (2, 1)


def test_example_15_ranking() -> None:
    state = final([(2, 3, 5), (4, 3, 0)], "SSWWSEWX")
    assert score(state) == {
        "ending": "coronation",
        "regions": {"S": 3, "W": 3, "E": 1},
        "ranking": ["W", "S", "E"],
        "courts": [[2, 3, 5], [4, 3, 0]],
    }
    assert ranks(state) == (2, 1)


def test_example_16_final_tie() -> None:
    def end(last: tuple[int, int], played: tuple[int, int]) -> tuple[int, ...]:
        return ranks(final([(3, 3, 0), (3, 3, 5)], "SSWWSEWX", last, played))

    assert end((15, 14), (8, 7)) == (1, 2)
    assert end((15, 16), (8, 8)) == (1, 2)
    assert end((12, 13), (6, 6)) == (1, 2)
    assert end((0, 0), (0, 0)) == (1, 1)


def test_example_17_team_coronation() -> None:
    north_east_south_west = [(0, 0, 5), (0, 0, 4), (9, 9, 0), (0, 0, 4)]
    assert ranks(final(north_east_south_west, "EEESSWWX")) == (1, 2, 1, 2)


def test_example_18_team_invasion() -> None:
    state = final([(3, 0, 0), (2, 2, 2), (0, 3, 3), (0, 0, 0)], INVADED, last=(1, 9, 2, 8))
    assert score(state)["sets"] == [3, 2, 3, 2]
    assert ranks(state) == (1, 2, 1, 2)


def test_example_19_one_faction_only() -> None:
    state = final([(3, 5, 5), (3, 0, 0)], "SSSSSSXX", last=(9, 10), played=(7, 8))
    assert score(state)["ranking"] == ["S", "W", "E"]
    assert ranks(state) == (2, 1)  # seat 1 has exhausted its hand


def test_three_seats_are_ranked_one_by_one() -> None:
    assert ranks(final([(3, 0, 0), (3, 0, 0), (4, 0, 0)], "SSSSSSXX", (5, 6, 7))) == (2, 3, 1)
    assert ranks(final([(3, 0, 0), (3, 0, 0), (2, 0, 0)], "SSSSSSXX")) == (1, 1, 3)


def test_teams() -> None:
    options = GAME.parse_options({})
    assert [GAME.teams(options, seats) for seats in (2, 3, 4)] == [(0, 1), (0, 1, 2), (0, 1, 0, 1)]


def test_a_team_is_exhausted_when_both_its_hands_are() -> None:
    courts = [(3, 0, 0), (3, 0, 0), (0, 0, 0), (0, 0, 0)]
    last = (30, 31, 28, 29)
    assert ranks(final(courts, "SSSSSSXX", last, (8, 8, 7, 8))) == (2, 1, 2, 1)
    assert ranks(final(courts, "SSSSSSXX", last, (8, 8, 8, 8))) == (1, 2, 1, 2)
