"""Tables in terminals of any width: nothing is cut, and what is left out is named."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from cli.listing import BOUND, Listing
from cli.standings import seats_table, standings_table
from interrex.arena.v1.ladder_service_pb2 import Standing
from interrex.arena.v1.tournament_service_pb2 import SeatWorth

BOTS = ("ismcts", "first-legal", "a-bot-with-quite-a-long-name")


def drawn(listing: Listing, width: int) -> list[str]:
    console = Console(width=width, file=StringIO(), record=True)
    console.print(listing)
    return console.export_text().splitlines()


def standings(count: int, seats: int = 2) -> Listing:
    rows = (
        Standing(
            rank=rank + 1,
            owner="organiser",
            bot=bot,
            version=1,
            pairs=count,
            wins=count,
            losses=count,
            credit=0.5,
            credit_high=1.0,
            rating=-106.0,
            error=146.0,
            faults=7,
        )
        for rank, bot in enumerate(BOTS)
    )
    return standings_table(rows, seats)


@pytest.mark.parametrize("count", [16, 12_345])
@pytest.mark.parametrize("width", [60, 80, 100, 400])
def test_standings_are_readable_at_every_width(width: int, count: int) -> None:
    lines = drawn(standings(count), width)
    assert max(map(len, lines)) <= width
    told = " ".join(" ".join(lines).split())
    if width >= 80:
        for bot in BOTS:
            assert bot in told
    assert told.count("0.500 [0.000, 1.000]") == len(BOTS)
    assert told.count("-106 ± 146") == len(BOTS)
    assert told.count(f"{count}-0-{count}") == len(BOTS)
    left_out = lines[-1] if lines[-1].startswith("not shown: ") else ""
    for heading in ("version", "pairs", "faults"):
        assert (heading in lines[0] + lines[1] + lines[2]) != (heading in left_out)
    assert not (left_out and width == 400)


def test_with_room_nothing_is_broken() -> None:
    header, *rows = drawn(standings(16), 120)
    assert header.split() == "# bot version pairs won-drawn-lost credit rating faults".split()
    assert len(rows) == len(BOTS)


def test_among_three_the_record_tells_who_came_first() -> None:
    assert "first-shared-behind" in drawn(standings(16, seats=3), 120)[0]


def test_words_stay_whole_where_they_fit() -> None:
    players = f"ada/greedy{BOUND}1{BOUND}v. eve/first-legal{BOUND}1"
    listing = Listing(("players", "id"), [(players, "7")], folded=("players",))
    assert [line[:17].strip() for line in drawn(listing, 21)] == [
        "players",
        "ada/greedy 1 v.",
        "eve/first-legal 1",
    ]
    assert [line[:14].strip() for line in drawn(listing, 18)] == [
        "players",
        "ada/",
        "greedy 1 v.",
        "eve/",
        "first-legal 1",
    ]


def test_what_stands_in_a_cell_is_no_markup() -> None:
    assert "[red]x[/]" in drawn(Listing(("bot",), [("[red]x[/]",)]), 40)[1]


def test_no_rows_and_no_room_draw_what_there_is() -> None:
    assert drawn(Listing(("bot", "pairs"), []), 40)[0].split() == ["bot", "pairs"]
    narrow = drawn(Listing(("bot",), [("abcdefgh",)]), 4)
    assert "".join(line.strip() for line in narrow[1:]) == "abcdefgh"


def test_who_has_no_whole_pair_has_no_rank() -> None:
    rows = [Standing(rank=1, bot="one", pairs=1, credit=0.4), Standing(rank=2, bot="idle")]
    first, last = drawn(standings_table(rows, 3), 100)[-2:]
    assert "1" in first.split()
    assert last.split()[0] == "-"


def test_every_seat_has_a_line() -> None:
    worth = [SeatWorth(credit=0.5, credit_low=0.25, credit_high=0.75)] * 4
    lines = drawn(seats_table(worth), 60)
    told = [line.split(maxsplit=1) for line in lines if "0.500" in line]
    assert [seat for seat, _credit in told] == ["0", "1", "2", "3"]
    assert all("0.500 [0.250, 0.750]" in credit for _seat, credit in told)
