"""Tables of The King Is Dead on which greedy's choice has one reason."""

from __future__ import annotations

from typing import Any

import pytest

from bots.baselines.greedy.king_is_dead.outlook import fall, outlook
from bots.baselines.greedy.king_is_dead.turns import decide
from bots.baselines.greedy.king_is_dead.worth import Judge, filled
from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.cards import KNOWN_SETS
from engine_service.games.king_is_dead.state import SUMMON, Dealt, Options, Table
from engine_service.games.king_is_dead.turns import laid

HAND = KNOWN_SETS["basic"]
LAST_REGION = b.REGIONS.index("devon")
CLOSED = "SSSWWEE"  # discs of the others


def table(courts: str, last: str, discs: str = CLOSED, **changes: Any) -> Table:
    """Seat 0 to decide with one struggle left, for the devon; nobody has a card."""
    dealt = Dealt((), ((),) * len(b.REGIONS), tuple(range(len(b.REGIONS))))
    return laid(dealt, b.gather("SSSWWWEEE"))._replace(
        courts=tuple(map(b.gather, courts.split())),
        regions=(*(0,) * LAST_REGION, b.gather(last)),
        discs=(*discs, b.OPEN),
        resolved=LAST_REGION,
        discards=(HAND,) * 2,
        last_cards=(1, 2),
        **changes,
    )


def choice(position: Table, *legal: int, plots: tuple[int, int] = (0, 0)) -> str:
    """What seat 0 does, by notation."""
    return a.NAMES[decide(position, legal, Judge(0, Options(), plots))[0]]


def holding(card: str, position: Table) -> Table:
    """The same with a card in the hand of seat 0."""
    played = [kept for kept in HAND if kept != card]
    return position._replace(discards=(tuple(played), HAND))


def test_the_last_card_is_not_kept_when_a_follower_more_wins() -> None:
    position = holding("negotiate", table("SSW SSE", "SSSWE"))
    assert choice(position, a.PASS, a.PLAY["negotiate"]) == "play negotiate"


def test_whoever_is_ahead_lets_the_struggle_come() -> None:
    position = holding("assemble", table("SSSS WW", "SSW"))
    assert decide(position, [a.PASS], Judge(0, Options(), (0, 0))) == (a.PASS, 1.0)


def test_a_follower_of_the_faction_that_will_rule_is_summoned() -> None:
    position = table("SW SE", "SSSSWE", stage=SUMMON)
    legal = [a.SUMMON[LAST_REGION, faction] for faction in b.FACTIONS]
    assert choice(position, *legal) == "summon devon S"


def test_on_the_eve_of_an_invasion_a_set_is_completed() -> None:
    position = table("SSWW SSE", "SSWWEE", discs="XXSSWWE", stage=SUMMON)
    legal = [a.SUMMON[LAST_REGION, faction] for faction in b.FACTIONS]
    assert choice(position, *legal) == "summon devon E"


def test_a_summons_can_prevent_the_invasion() -> None:
    position = table("SSSS SWE", "SSWWE", discs="XXSSWWS", stage=SUMMON)
    legal = [a.SUMMON[LAST_REGION, faction] for faction in b.FACTIONS]
    assert choice(position, *legal) == "summon devon W"


def test_plot_counts_as_a_follower() -> None:
    position = table("SS SSS", "SSW")
    without, holds = (Judge(0, Options(variant="cunning"), (plot, 0)) for plot in (0, 1))
    assert decide(position, [a.PASS], without)[1] == 0.0
    assert decide(position, [a.PASS], holds)[1] == 1.0


def test_of_two_partners_both_courts_count_the_better_one_more() -> None:
    """Seats 0 and 2 against 1 and 3: a follower for one of them, or for the other."""
    worths = [of_partners(courts) for courts in ("SS SS S S", "SS SS SS S", "SSS SS S S")]
    assert worths[0] == pytest.approx(0.5, abs=0.01)
    assert worths == sorted(set(worths))


def of_partners(courts: str) -> float:
    """What the table is worth to seat 0; nobody has a card."""
    position = table(courts, "SSW")._replace(discards=(HAND,) * 4, last_cards=(1, 2, 3, 4))
    return Judge(0, Options(), (0,) * 4).worth(position)


@pytest.mark.parametrize(
    ("followers", "likely"),
    [("SSSW", "S"), ("WWE", "W"), ("SSWW", "X"), ("", "X")],
)
def test_how_a_region_would_fall_now(followers: str, likely: str) -> None:
    chances = fall(b.gather(followers), 3.0)
    assert "SWEX"[chances.index(max(chances))] == likely
    assert sum(chances) == pytest.approx(1.0)


def test_the_later_a_struggle_the_less_is_known() -> None:
    followers = b.gather("SSSW")
    assert fall(followers, 3.0)[0] > fall(followers, 0.5)[0] > 1 / 4


def test_two_unstable_regions_and_a_tie_bring_the_invasion_near() -> None:
    tied, calm = (outlook(table("S S", last, "XXSSWWE")) for last in ("SSWW", "SSSW"))
    assert tied.invasion > 0.5 > calm.invasion


@pytest.mark.parametrize(
    ("counts", "spare", "level"), [([1, 1, 1], 0, 1), ([0, 2, 2], 1, 1), ([1, 2, 5], 3, 3)]
)
def test_followers_to_come_fill_up_the_lowest(counts: list[int], spare: int, level: int) -> None:
    assert filled(counts, spare) == level
