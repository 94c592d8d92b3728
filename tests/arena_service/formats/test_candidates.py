"""What match-making is told follows from earlier slots, and what does not is named."""

from __future__ import annotations

from dataclasses import replace

from arena_service.formats.candidates import Candidate, Past, Slot, contradictions


def test_pairs_and_first_opponents_add_up() -> None:
    past = Past()
    assert past.candidate("a", 1, None, None) == Candidate()
    entered = dict.fromkeys("abcdefg", Candidate())
    past.add(1, entered, [("a", "b"), ("b", "a"), ("c", "a"), ("d", "e")])
    known = past.candidate("a", 2, 10.0, 30.0)
    assert known == Candidate(10.0, 30.0, 3, 0, ("b", "c"))
    past.add(2, {"a": known}, [("a", each) for each in "defg"])
    assert past.candidate("a", 3, None, None) == Candidate(pairs=7, met=tuple("bcdef"))


def test_who_has_no_group_waits_and_who_is_away_does_not() -> None:
    past = Past()
    for slot in (1, 2):
        entered = {each: past.candidate(each, slot, None, None) for each in "abc"}
        past.add(slot, entered, [("a", "b")])
        assert past.candidate("c", slot + 1, None, None).waited == slot
    assert past.candidate("a", 3, None, None).waited == 0
    past.add(3, {}, [])
    assert past.candidate("c", 4, None, None) == Candidate()


def slots() -> list[Slot]:
    """A slot, one of which nobody was rated, and one of new rules."""
    first = Slot(1, 1, dict.fromkeys("abc", Candidate()), [("a", "b")], {"a": (5.0, 9.0)})
    second = Slot(
        2,
        1,
        {
            "a": Candidate(5.0, 9.0, 1, 0, ("b",)),
            "b": Candidate(pairs=1, met=("a",)),
            "c": Candidate(waited=1),
        },
        [("a", "c")],
        {},
    )
    return [first, second, Slot(3, 2, dict.fromkeys("abc", Candidate()), [], {})]


def test_slots_that_follow_contradict_nothing() -> None:
    assert list(contradictions(slots())) == []


def test_what_does_not_follow_is_named() -> None:
    first, second, third = slots()
    told = {**second.entered, "a": Candidate(7.0, 9.0, 1, 0, ("b",)), "c": Candidate(waited=2)}
    assert list(contradictions([first, replace(second, entered=told), third])) == [
        (2, "a", "its rating is recorded as 7.0, from the slots before follows 5.0"),
        (2, "c", "its waited is recorded as 2, from the slots before follows 1"),
    ]


def test_what_rests_on_missing_slots_is_left_out() -> None:
    _first, second, _third = slots()
    further = {"a": Candidate(pairs=2, met=("b", "c")), "d": Candidate(pairs=99)}
    assert list(contradictions([second, Slot(3, 1, further, [], {})])) == []
    wrong = {"a": Candidate(pairs=3, met=("b", "c"))}
    assert len(list(contradictions([second, Slot(3, 1, wrong, [], {})]))) == 1
