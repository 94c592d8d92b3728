"""The scoring situations of the rules, by their numbers."""

from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import pytest

from engine_service.games.hidden_leaders_duel import scoring
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, ordered
from engine_service.games.hidden_leaders_duel.scoring import judge, share_out
from engine_service.games.hidden_leaders_duel.state import Leader, Slot, State
from tests.engine_service.games.hidden_leaders_tables import after

RANKS = {0: (1, 2), 1: (2, 1), None: (1, 1)}


class Case(NamedTuple):
    """Rows, Councils and leaders by seat; then strength, heroes, discards and who wins."""

    number: str
    rows: tuple[str, str]
    councils: tuple[str, str]
    leaders: tuple[tuple[str, int], tuple[str, int]]
    strength: tuple[int, int]
    heroes: tuple[int, int]
    discarded: str
    winner: int | None


CASES = [
    # the leader in influence takes the row with more heroes, not the stronger one
    Case("S1", ("R1 R2", "R7"), ("R3", "R4"), (("K", 4), ("G", 4)), (7, 3), (1, 2), "", 0),
    # rows tie: nearest rows
    Case("S2", ("R1", "R7"), ("R6", "R2"), (("K", 4), ("G", 4)), (1, 7), (1, 1), "", 1),
    # influence ties through a leader: nearest rows
    Case("S3", ("R1", "R5 R6"), ("R3", "R2"), (("K", 4), ("R", 1)), (1, 11), (1, 2), "", 1),
    # nobody is present: all discarded, a draw
    Case("S4", ("R4", "R5"), ("G1", "G2"), (("K", 4), ("B", 4)), (0, 0), (0, 0), "R4 R5", None),
    # the share of an absent seat is discarded
    Case("S5", ("R4", "R5 R6"), ("R1", ""), (("K", 4), ("B", 4)), (11, 0), (2, 0), "R4", 0),
    # a tie of the rows goes before the lead
    Case("S6", ("R7", "R1"), ("", "R2"), (("K", 4), ("B", 4)), (0, 1), (0, 1), "R7", 1),
    # a leader alone gives presence and influence
    Case("S7", ("R1", "R2 R3"), ("", "R5"), (("R", 4), ("B", 4)), (1, 5), (1, 2), "", 1),
    # a leader of another faction adds nothing
    Case("S8", ("R1 R2", "R5"), ("R3", "R4"), (("G", 4), ("K", 4)), (5, 3), (1, 2), "", 0),
    # blocked and blocking heroes count
    Case("S9", ("R2 R3", "R7 G1"), ("R1", "R4"), (("K", 4), ("B", 4)), (7, 5), (1, 2), "G1", 0),
    # a blocker counts for its own faction
    Case(
        "S10",
        ("R2 G6", "G1 R1 R4"),
        ("R5 G2", "R3 G4"),
        (("K", 4), ("B", 4)),
        (11, 3),
        (3, 2),
        "",
        0,
    ),
    # equal strength: more heroes win
    Case("S11", ("R3 R4", "G7"), ("R1", "G1"), (("K", 4), ("B", 4)), (7, 7), (2, 1), "", 0),
    # equal strength and size: a draw
    Case("S12", ("R7", "G7"), ("R1", "G1"), (("K", 4), ("B", 4)), (7, 7), (1, 1), "", None),
    # a Council never scores
    Case("S13", ("G1", "G2"), ("R5 R6 R7", "G3"), (("K", 4), ("B", 4)), (0, 2), (0, 1), "G1", 1),
    # all heroes of a faction in one row: the other seat gets nothing
    Case("S14", ("R1 R2 R3", ""), ("R4", "R5"), (("K", 4), ("B", 4)), (0, 6), (0, 3), "", 1),
    # factions are shared out one by one, never a whole row
    Case(
        "S15",
        ("R1 R2 G6 G7", "R3 G1"),
        ("R5 G2", "R4 G3"),
        (("K", 4), ("B", 4)),
        (4, 16),
        (3, 3),
        "",
        1,
    ),
    # a leader counts in both its factions
    Case(
        "S16", ("R1 K2 K3", "R6 R7"), ("R2", "R5"), (("RK", 4), ("GB", 4)), (18, 1), (4, 1), "", 0
    ),
    # absent where a tie would have served: discarded all the same
    Case("S17", ("B5", "B6"), ("B1", "K1"), (("G", 4), ("R", 4)), (5, 0), (1, 0), "B6", 0),
    # the full example
    Case(
        "S18",
        ("G6 R4 B6 K2 R5 R2 K3 G1 B3 R6", "G3 R1 K4 B4 K7 B1 B5 B7 B2"),
        ("G4 G5 K1 K6", "G2 G7 K5 R3 R7"),
        (("RB", 4), ("RK", 4)),
        (32, 31),
        (10, 7),
        "B3 B6",
        0,
    ),
]


def outcome(case: Case) -> scoring.Outcome:
    rows, councils = (tuple(text.split() for text in pair) for pair in (case.rows, case.councils))
    leaders = [Leader(*leader) for leader in case.leaders]
    return share_out(
        (tuple(rows[0]), tuple(rows[1])), (tuple(councils[0]), tuple(councils[1])), leaders
    )


def mirrored(case: Case) -> Case:
    """Seats and rows the other way round."""
    winner = None if case.winner is None else 1 - case.winner
    pairs = {
        name: getattr(case, name)[::-1]
        for name in ("rows", "councils", "leaders", "strength", "heroes")
    }
    return case._replace(winner=winner, **pairs)


def renamed(case: Case, letters: str) -> Case:
    """Other letters for R, G, B and K."""

    def rename(text: str) -> str:
        return text.translate(str.maketrans(FACTIONS, letters))

    first, second = case.leaders
    return case._replace(
        rows=(rename(case.rows[0]), rename(case.rows[1])),
        councils=(rename(case.councils[0]), rename(case.councils[1])),
        leaders=((rename(first[0]), first[1]), (rename(second[0]), second[1])),
        discarded=rename(case.discarded),
    )


def check(case: Case) -> None:
    found = outcome(case)
    result = judge(found)
    assert result.score["strength"] == list(case.strength)
    assert result.score["heroes"] == list(case.heroes)
    assert result.score["discarded"] == len(found.discarded)
    assert found.discarded == ordered(case.discarded.split())
    assert result.ranks == RANKS[case.winner]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring_with_seats_and_rows_swapped(case: Case) -> None:
    check(mirrored(case))


@pytest.mark.parametrize("letters", ["GBKR", "KBGR", "BKRG"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_scoring_with_the_factions_renamed(case: Case, letters: str) -> None:
    check(renamed(case, letters))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_the_order_of_the_factions_does_not_matter(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    for order in permutations(FACTIONS):
        monkeypatch.setattr(scoring, "FACTIONS", "".join(order))
        check(case)


def test_presence_is_worth_what_the_example_says() -> None:
    """With a leader that covers B too, if only for 1, seat 1 would have won the full example."""
    (first, _), last = CASES[-1].leaders, CASES[-1]
    check(
        last._replace(
            leaders=(first, ("RBK", 1)), strength=(32, 40), heroes=(10, 9), discarded="", winner=1
        )
    )


def slots(text: str) -> tuple[Slot, ...]:
    """A row as in the example: `R5u<K2` is a face-up R5 under a K2."""
    found = []
    for lying in text.split():
        hero, _, blocker = lying.partition("<")
        found.append(Slot(hero[:2], hero[2:] == "u", blocker, 0 if blocker else -1))
    return tuple(found)


def test_the_full_example_from_its_table() -> None:
    """As it lies there, with blockers, through the result and the last view of a match."""
    table = slots("G6u R4u<B6 K2u<R5 R2u K3u G1u B3d<R6 G3u R1u<K4 B4u K7u B1u B5d<B7 B2u")
    state: State = replace(
        after(0, 42),
        slots=table,
        councils=(("G4", "G5", "K1", "K6"), ("R3", "R7", "G2", "G7", "K5")),
        leaders=(Leader("RB", 4), Leader("RK", 4)),
    )
    result = GAME.result(state)
    assert result is not None
    assert result.ranks == (1, 2)
    assert result.score == {"strength": [32, 31], "heroes": [10, 7], "discarded": 2}
    view = GAME.view(state, "spectator")
    assert view.armies == (
        ordered("R1 G6 G1 B4 B1 B5 B7 B2 K2 K3".split()),
        ordered("R4 R5 R2 R6 G3 K4 K7".split()),
    )
    assert view.discarded == ("B3", "B6")


def test_presence_without_influence() -> None:
    """A leader of value 0, or a hero of strength 0, is there all the same."""
    leaders = (("R", 0), ("B", 4))
    check(Case("", ("R4", "R5"), ("", ""), leaders, (4, 0), (1, 0), "R5", 0))
    check(Case("", ("R4", "R5"), ("R0", "G1"), (("K", 1), ("B", 4)), (4, 0), (1, 0), "R5", 0))
