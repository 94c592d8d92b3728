"""The worked examples of the rules 20 to 25 and more: cunning cards. Followers as S, W, E."""

import pytest

from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.game import GAME
from tests.engine_service.games.king_tables import (
    final,
    followers,
    legal,
    play,
    position,
    ranks,
    score,
    targets,
    ways,
)

HANDS = (("muster", "ambush", "suppress"), ("plot", "spy", "aid"))


def test_example_20_muster() -> None:
    state = position({"strathclyde": "SWWE"}, supply="SWE", secrets=HANDS)
    assert targets(play(state, "pass"), "muster") == {"strathclyde"}
    returned = play(state, "play muster", "return S strathclyde place SS")
    assert followers(returned, "strathclyde") == (2, 2, 1)
    without = position({"strathclyde": "WWE"}, supply="SWE", secrets=HANDS)
    assert ways(without, "muster") == [
        "place SE strathclyde",
        "place SW strathclyde",
        "place WE strathclyde",
    ]


def test_example_21_ambush() -> None:
    state = position({"devon": "WWEE", "essex": "S"}, supply="SS", secrets=HANDS)
    after = play(state, "play ambush", "place SS devon return W")
    assert followers(after, "devon") == (2, 1, 2)
    assert "place SS moray return S" in ways(state, "ambush")
    assert len(ways(state, "ambush")) == 6 + 1 + 3
    empty = position({"devon": "WWEE", "essex": "S"}, supply="WE", secrets=HANDS)
    assert ways(empty, "ambush") == ["return E devon", "return S essex", "return W devon"]


def test_example_22_suppress() -> None:
    state = position({"warwick": "WEE", "devon": "WW"}, supply="S", secrets=HANDS)
    after = play(state, "play suppress", "return E warwick return W place S")
    assert followers(after, "warwick") == (1, 0, 1)


def test_example_23_aid() -> None:
    texts = ways(position(supply="SSSSSWWWWWEE"), "aid")
    assert len(texts) == 2 * 8
    assert {text.split()[1] for text in texts} == {"SS", "WW"}


def test_example_24_plot() -> None:
    courts = [(0, 3, 1), (0, 2, 1)]
    wins = "WWWEEXXS"
    assert ranks(final(courts, wins, (5, 6), secrets=HANDS)) == (2, 1)
    assert ranks(final(courts, wins, (5, 6), secrets=HANDS, breaks=False)) == (1, 2)
    assert ranks(final([(0, 3, 2), (0, 2, 1)], wins, (5, 6), secrets=HANDS)) == (1, 2)
    invaded = final([(1, 1, 1), (2, 1, 2)], "WXXX", (6, 5), secrets=HANDS)
    assert score(invaded)["sets"] == [1, 2]
    assert score(invaded)["courts"] == [[1, 1, 1], [2, 1, 2]]
    assert ranks(invaded) == (2, 1)


def test_example_25_spy() -> None:
    discards = (("support-w",), ())
    state = position(secrets=HANDS, seat=1, discards=discards, last_cards=(1, 0))
    spied = play(state, "play spy", "spy 0")
    assert spied.table.card == "support-w"
    assert targets(spied, "support-w") == {"devon", "lancaster", "warwick"}
    placed = play(spied, "place WW devon")
    assert placed.table.discards == (("support-w",), ("spy",))
    summoned = play(placed, "summon devon W")
    assert GAME.actor(summoned) == 0
    assert sum(b.counts(summoned.table.courts[1])) == 3


def test_spy_without_discards_has_no_effect() -> None:
    state = play(position(secrets=HANDS, seat=1), "play spy")
    assert all(text.startswith("summon") for text in legal(state))


def test_spy_may_copy_a_card_without_effect() -> None:
    state = position(
        {"moray": "S", "essex": "W"},
        supply="",
        secrets=HANDS,
        seat=1,
        discards=(("support-w",), ()),
    )
    assert legal(play(state, "play spy")) == ["spy 0"]
    assert legal(play(state, "play spy", "spy 0")) == ["summon moray S", "summon essex W"]


def test_a_swap_through_spy_is_bound_by_the_no_undo_rule_both_ways() -> None:
    start = position({"moray": "SS", "devon": "WW", "essex": "E"}, secrets=HANDS)
    swapped = play(start, "play manoeuvre", "swap W devon S moray", "summon essex E")
    spied = play(swapped, "play spy", "spy 0")
    assert "swap S devon W moray" not in legal(spied)
    other = play(spied, "swap S devon S moray", "summon moray S")
    assert "swap W devon W moray" in ways(other, "manoeuvre")
    own = play(spied, "swap W devon S moray", "summon devon S")
    assert "swap S devon W moray" not in ways(own, "manoeuvre")


def test_an_own_swap_may_be_undone() -> None:
    regions = {"moray": "SS", "devon": "WW", "essex": "E"}
    start = position(regions, secrets=HANDS[::-1], discards=((), ("manoeuvre",)))
    swapped = play(start, "play manoeuvre", "swap W devon S moray", "summon essex E", "pass")
    assert "swap S devon W moray" in legal(play(swapped, "play spy", "spy 1"))


def test_spy_on_negotiate_uses_up_the_disc() -> None:
    start = position(secrets=HANDS)
    first = play(start, "play negotiate", "exchange devon essex disc devon", "summon devon W")
    second = play(first, "play spy", "spy 0", "exchange essex moray disc moray", "summon devon E")
    third = play(second, "pass", "play negotiate")
    assert "exchange essex warwick" in legal(third)
    assert not any("disc" in text for text in legal(third))
    swapped = play(third, "exchange essex warwick")
    assert swapped.table.negotiated == third.table.negotiated


def test_plot_is_never_played_and_alone_counts_as_an_empty_hand() -> None:
    state = position(secrets=HANDS, seat=1)
    assert "play plot" not in legal(state)
    courts = [(3, 0, 0), (2, 0, 0)]
    tied = final(courts, "SSSSSSXX", (15, 16), (7, 7), secrets=HANDS, breaks=False)
    assert ranks(tied) == (2, 1)


def test_plot_breaks_a_tie_from_one_of_the_best_courts_alone() -> None:
    secrets = (HANDS[0], ("dispute",) * 3, HANDS[1], ("march", "edict", "quell"))
    best_without = [(3, 0, 0), (3, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert ranks(final(best_without, "SSSSSSXX", (8, 7, 6, 5), secrets=secrets)) == (2, 1, 2, 1)
    best_with = [(0, 0, 0), (3, 0, 0), (2, 0, 0), (0, 0, 0)]
    assert ranks(final(best_with, "SSSSSSXX", (8, 7, 6, 5), secrets=secrets)) == (1, 2, 1, 2)


def test_plot_fills_the_smallest_colour_of_a_team() -> None:
    secrets = (("plot", "spy", "aid"), HANDS[0], ("march", "edict", "quell"), ("dispute",) * 3)
    courts = [(3, 0, 0), (2, 2, 2), (0, 3, 2), (0, 0, 0)]
    assert score(final(courts, "SXXX", secrets=secrets))["sets"] == [3, 2, 3, 2]


PARTS = [
    ("march", {"moray": "S", "devon": "WE"}, "SWE", "move WE devon essex"),
    ("march", {"moray": "S", "devon": "W"}, "SWE", "move S moray strathclyde"),
    ("influence", {"moray": "E", "devon": "SW"}, "", "swap E moray SW devon"),
    ("influence", {"moray": "E", "devon": "S"}, "", "swap E moray S devon"),
    ("dispute", {"gwynedd": "W", "devon": "E"}, "", "swap W gwynedd E devon"),
    ("edict", {"warwick": "SS", "devon": "WE"}, "", "swap SS warwick WE devon"),
    ("edict", {"warwick": "SS", "devon": "W"}, "", "swap SS warwick W devon"),
    ("edict", {"warwick": "S", "devon": "WE"}, "", "swap S warwick WE devon"),
    ("edict", {"warwick": "S", "devon": "E"}, "", "swap S warwick E devon"),
    ("resist", {}, "SWE", "place WE strathclyde"),
    ("resist", {}, "SW", "place W strathclyde"),
    ("quell", {"lancaster": "W", "devon": "E"}, "SE", "return W lancaster place SE"),
    ("quell", {"lancaster": "W", "devon": "E"}, "", "return W lancaster place W"),
    ("quell", {"devon": "E"}, "SE", "place SE lancaster"),
    ("quell", {"devon": "E"}, "S", "place S lancaster"),
    ("suppress", {"warwick": "E"}, "S", "return E warwick place S"),
    ("suppress", {"warwick": "W"}, "S", "return W warwick place S"),
    ("suppress", {"gwynedd": "W"}, "S", "place S warwick"),
    ("aid", {}, "S", "place S devon"),
    ("ambush", {"devon": "W"}, "SW", "place S devon return W"),
]


@pytest.mark.parametrize(("card", "regions", "supply", "text"), PARTS)
def test_the_fullest_way_that_is_possible_anywhere(
    card: str, regions: dict[str, str], supply: str, text: str
) -> None:
    found = ways(position(regions, supply=supply), card)
    assert text in found
    moved = {sum(len(word) for word in each.split() if word.isupper()) for each in found}
    assert len(moved) == 1  # all are as full as this one


def test_parts_of_suppress_go_by_the_order_of_its_steps() -> None:
    state = position({"warwick": "E", "devon": "W"}, supply="S", secrets=HANDS)
    assert ways(state, "suppress") == ["return E warwick place E", "return E warwick place S"]


def test_parts_of_edict_that_move_as_many_are_both_possible() -> None:
    regions = {"warwick": "SS", "devon": "W", "moray": "S", "strathclyde": "WE"}
    expected = ["swap S moray WE strathclyde", "swap SS warwick W devon"]
    assert ways(position(regions), "edict") == expected


NONE = [
    ("march", {"moray": "S"}, {"strathclyde": "W"}),
    ("influence", {"moray": "E", "devon": "EE"}, {}),
    ("dispute", {"moray": "W"}, {}),
    ("edict", {"moray": "SS", "devon": "WW"}, {}),
    ("quell", {"moray": "W"}, {"gwynedd": "E"}),
    ("manoeuvre", {"moray": "SW"}, {}),
    ("outmanoeuvre", {"moray": "SW", "devon": "SW"}, {}),
]


@pytest.mark.parametrize(("card", "regions", "discs"), NONE)
def test_a_card_without_any_effect(
    card: str, regions: dict[str, str], discs: dict[str, str]
) -> None:
    assert ways(position(regions, discs, supply="SW"), card) == []
