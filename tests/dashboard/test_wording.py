"""Results and endings in words."""

from __future__ import annotations

import pytest

from arena_service.ratings.elo import Elo
from arena_service.store.match_rows import PlayerRow
from dashboard.views.wording import chance, elo, ending, result, schedule, short_names, signed

NAMES = ["north", "south"]


@pytest.mark.parametrize(
    ("ranks", "said"),
    [([1, 2], "north won"), ([2, 1], "south won"), ([1, 1], "A draw"), (None, "No result")],
)
def test_the_result_names_the_winner(ranks: list[int] | None, said: str) -> None:
    assert result(ranks, NAMES) == said


def test_a_team_wins_together() -> None:
    assert result([1, 2, 1, 2], ["a", "b", "c", "d"]) == "a and c won"


@pytest.mark.parametrize(
    ("kind", "seat", "said"),
    [
        ("completed", None, ""),
        ("timeout", 0, "north ran out of time"),
        ("illegal_action", 1, "south gave an illegal answer"),
        ("crash", 0, "north crashed"),
        ("resigned", 1, "south resigned"),
        ("no_contest", None, "No contest: more than one bot failed to start"),
    ],
)
def test_an_ending_names_the_seat_at_fault(kind: str, seat: int | None, said: str) -> None:
    assert ending(kind, seat, NAMES) == said


def player(owner: str, bot: str, version: int = 1) -> PlayerRow:
    return PlayerRow(bot, owner, version, "v", None, None, None)


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ((player("ann", "fox"), player("ben", "owl")), ("fox", "owl")),
        ((player("ann", "fox"), player("ben", "fox")), ("ann/fox", "ben/fox")),
        ((player("ann", "fox"), player("ann", "fox", 2)), ("ann/fox v1", "ann/fox v2")),
        ((player("ann", "fox"), player("ann", "fox")), ("fox on seat 0", "fox on seat 1")),
    ],
)
def test_players_are_told_apart_by_the_shortest_names_that_do(
    players: tuple[PlayerRow, ...], names: tuple[str, ...]
) -> None:
    assert short_names(players) == names


@pytest.mark.parametrize(
    ("cron", "said"),
    [
        ("0 * * * *", "every hour at minute 0"),
        ("5 9 * * *", "every day at 09:05"),
        ("0 9 * * 1", "by 0 9 * * 1"),
        ("*/5 * * * *", "by */5 * * * *"),
    ],
)
def test_a_simple_schedule_is_told_in_words(cron: str, said: str) -> None:
    assert schedule(cron) == said


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (Elo(35.2, -10.4, 80.0), "+35 [-10, +80]"),
        (Elo(None, 257.3, None), "at least +257"),
        (Elo(None, None, -257.3), "at most -257"),
        (Elo(120.0, 12.0, None), "at least +12"),
        (Elo(None, None, None), "unknown"),
        (Elo(0.2, -0.4, 0.4), "0 [0, 0]"),
    ],
)
def test_an_elo_difference_has_an_interval_or_a_bound(difference: Elo, said: str) -> None:
    assert elo(difference) == said


def test_a_chance_is_never_certain() -> None:
    assert [chance(likely) for likely in (0.0, 0.5, 0.973, 1.0)] == [
        "less than 0.1 %",
        "50.0 %",
        "97.3 %",
        "more than 99.9 %",
    ]


def test_a_number_has_its_sign() -> None:
    assert [signed(1.254, 2), signed(-0.3), signed(0.0, 2)] == ["+1.25", "0", "0"]
