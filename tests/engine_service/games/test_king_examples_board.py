"""The worked examples of the rules 1 to 12: set-up, cards, struggles. Followers as S, W, E."""

import pytest

from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import Options
from tests.engine_service.games.king_tables import (
    closed_but,
    followers,
    legal,
    play,
    position,
    targets,
    ways,
)


@pytest.mark.parametrize(("seats", "whole", "supply"), [(2, 16, 12), (3, 18, 16), (4, 18, 14)])
def test_example_01_totals(seats: int, whole: int, supply: int) -> None:
    for seed in range(20):
        table = GAME.deal(bytes([seed]) * 32, Options(), seats).table
        assert sum(b.counts(table.supply)) == supply
        assert b.counts(sum(table.regions) + sum(table.courts) + table.supply) == (whole,) * 3
        assert [sum(b.counts(region)) for region in table.regions] == [4] * 8
        assert [sum(b.counts(court)) for court in table.courts] == [2] * seats


def test_example_02_support_at_start() -> None:
    start = position()
    assert targets(start, "support-s") == {"strathclyde"}
    assert targets(start, "support-w") == {"devon", "lancaster", "warwick"}
    assert targets(start, "support-e") == {"devon", "northumbria", "warwick"}


def test_example_03_support_later() -> None:
    def found(discs: dict[str, str], card: str = "support-s") -> set[str]:
        return targets(position(discs=discs), card)

    assert found({"strathclyde": "S"}) == {"lancaster", "moray", "northumbria"}
    assert found({"strathclyde": "S", "moray": "X"}) == {"lancaster", "northumbria"}
    assert found({"moray": "E"}) == set()
    assert found({"moray": "S"}) == {"strathclyde"}
    assert found({"moray": "S", "strathclyde": "W"}) == set()
    late = {"essex": "W", "warwick": "E"}
    assert found(late, "support-e") == {"devon", "gwynedd", "lancaster", "northumbria"}
    after = play(position(discs={"moray": "E"}), "play support-s")
    assert all(text.startswith("summon ") for text in legal(after))


def test_example_04_scarce_supply() -> None:
    assert ways(position(supply="SW"), "support-w") == [
        "place W devon",
        "place W lancaster",
        "place W warwick",
    ]
    assert ways(position(supply="SSEE"), "support-w") == []
    texts = ways(position(supply="SSSEEEEE"), "assemble")
    assert len(texts) == 8 * 8
    assert all(text.split()[1::2] == ["S", "E"] for text in texts)


@pytest.mark.parametrize(
    ("fought", "disc"),
    [("SSSWWEE", "S"), ("SSWW", "X"), ("S", "S"), ("SSWWEE", "X"), ("", "X"), ("SWWWEEE", "X")],
)
def test_example_05_struggles(fought: str, disc: str) -> None:
    before = position(
        {"essex": fought, "devon": "W"},
        supply="SWE",
        row="essex devon moray warwick gwynedd lancaster northumbria strathclyde",
    )
    after = play(before, "pass", "pass").table
    assert after.discs[b.REGIONS.index("essex")] == disc
    assert after.regions[b.REGIONS.index("essex")] == 0
    assert after.supply == b.gather("SWE" + fought)
    assert after.resolved == 1


def test_example_06_trigger() -> None:
    turn = ("play negotiate", "exchange devon essex disc devon", "summon devon W")
    three = position(seats=3)
    played = play(three, "pass", "pass", *turn)
    assert (played.table.passes, played.table.resolved) == (0, 0)
    again = play(played, "pass", "pass")
    assert again.table.resolved == 0
    fought = play(again, "pass")
    assert (fought.table.resolved, fought.table.passes) == (1, 0)
    assert GAME.actor(fought) == 0
    two = play(position(), "pass", *turn, "pass", "pass")
    assert two.table.resolved == 1
    assert GAME.actor(two) == 0


def test_example_07_pass_and_return() -> None:
    turn = ("play negotiate", "exchange devon essex disc devon", "summon devon W")
    state = play(position(seats=3), "pass", *turn, "pass")
    assert GAME.actor(state) == 0
    assert "play assemble" in legal(state)


def test_example_08_negotiate() -> None:
    row = "essex devon moray warwick gwynedd lancaster northumbria strathclyde"
    first = play(position(row=row), "play negotiate", "exchange essex moray disc essex")
    names = [b.REGIONS[region] for region in first.table.row]
    assert names[:4] == ["moray", "devon", "essex", "warwick"]
    assert first.table.negotiated[b.REGIONS.index("essex")] == 0
    offered = ways(play(first, "summon moray S"), "negotiate")
    assert "exchange devon moray disc moray" in offered
    assert not any("essex" in text for text in offered)
    last = position(row=row, resolved=6, negotiated=(-1, -1, -1, -1, -1, -1, 0, -1), seat=1)
    ending = position(
        row="moray warwick gwynedd lancaster northumbria strathclyde essex devon",
        discs=closed_but("essex", "devon"),
        resolved=6,
        negotiated=last.table.negotiated,
        seat=1,
    )
    assert ways(ending, "negotiate") == []


def test_example_09_outmanoeuvre_duty() -> None:
    discs = closed_but("essex", "devon", "moray")
    short = position({"essex": "S", "devon": "E", "moray": "WWW"}, discs)
    assert ways(short, "outmanoeuvre") == ["swap E devon S essex"]
    full = position({"essex": "S", "devon": "WE", "moray": "WWW"}, discs)
    assert ways(full, "outmanoeuvre") == ["swap S essex WE devon"]
    after = play(full, "play outmanoeuvre", "swap S essex WE devon")
    assert followers(after, "essex") == (0, 1, 1)
    assert followers(after, "devon") == (1, 0, 0)


def test_example_10_manoeuvre_no_undo() -> None:
    regions = {"moray": "SS", "devon": "WWE", "essex": "WSE"}
    row = "warwick essex devon moray gwynedd lancaster northumbria strathclyde"
    start = position(regions, row=row, seats=3)
    swapped = play(start, "play manoeuvre", "swap W devon S moray", "summon essex E")
    undoing = "swap S devon W moray"
    offered = ways(swapped, "manoeuvre")
    assert undoing not in offered
    assert "swap E devon W moray" in offered
    assert "swap S essex W moray" in offered
    assert undoing not in ways(play(swapped, "pass"), "manoeuvre")
    assembled = play(swapped, "play assemble", "place S essex W essex E essex", "summon essex W")
    assert undoing in ways(assembled, "manoeuvre")
    fought = play(swapped, "pass", "pass", "pass")
    assert fought.table.resolved == 1
    assert undoing not in ways(fought, "manoeuvre")


def test_example_11_outmanoeuvre_no_undo_by_net_change() -> None:
    start = position({"warwick": "SWW", "devon": "SWE"})
    moved = play(start, "play outmanoeuvre", "swap S warwick SE devon", "summon devon W")
    offered = ways(moved, "outmanoeuvre")
    assert "swap S devon SE warwick" not in offered
    assert "swap S devon SW warwick" in offered
    third = position({"warwick": "SWW", "devon": "SWWE"})
    moved = play(third, "play outmanoeuvre", "swap S warwick SE devon", "summon devon W")
    assert "swap W devon WE warwick" not in ways(moved, "outmanoeuvre")


def test_example_12_summon_freely() -> None:
    start = position({"warwick": "S", "gwynedd": "W", "moray": "SE"})
    offered = legal(play(start, "play support-e", "place EE warwick"))
    assert offered == [
        "summon moray S",
        "summon moray E",
        "summon gwynedd W",
        "summon warwick S",
        "summon warwick E",
    ]
