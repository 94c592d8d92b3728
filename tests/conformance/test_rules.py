"""What the rules of every game owe the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_service.catalogue import game, names
from engine_service.core import referee
from engine_service.core.errors import IllegalActionError, RulesError
from engine_service.core.game import Plain


def test_legal_actions_ascend_and_are_there_until_the_end(case) -> None:
    for position in case.match():
        legal = case.game.legal_actions(position.state)
        assert legal == sorted(set(legal))
        assert all(type(action) is int and action >= 0 for action in legal)
        assert bool(legal) == (position.actor is not None)
        assert bool(legal) == (case.game.result(position.state) is None)


def test_the_list_of_legal_actions_is_the_callers_own(case) -> None:
    for position in case.match():
        expected = list(case.game.legal_actions(position.state))
        case.game.legal_actions(position.state).clear()
        assert case.game.legal_actions(position.state) == expected


def test_apply_is_pure(case) -> None:
    for position in case.match():
        state, legal = position.state, case.game.legal_actions(position.state)
        before, number = case.game.state_to_plain(state), hash(state)
        after = [case.game.apply(state, action) for action in legal]
        assert case.game.state_to_plain(state) == before
        assert hash(state) == number
        assert [case.game.apply(state, action) for action in legal] == after


def test_a_refused_action_changes_nothing(case) -> None:
    for position in case.match():
        if position.actor is None:
            continue
        before = case.game.state_to_plain(position.state)
        illegal = max(case.game.legal_actions(position.state)) + 1
        for action in (illegal, -1, "no such action"):
            with pytest.raises(IllegalActionError) as caught:
                referee.step(position, action)
            assert caught.value.ply == len(position.plies)
            assert caught.value.seat == position.actor
        assert case.game.state_to_plain(position.state) == before


def test_states_cannot_be_changed(case) -> None:
    state = case.first().state
    name = next(iter(state.__dataclass_fields__))
    with pytest.raises(AttributeError):
        setattr(state, name, None)


def test_no_card_or_piece_is_lost(case, components: Callable[[Plain], Counter[str]]) -> None:
    first, *later = (case.game.view(position.state, "all") for position in case.match())
    expected = components(case.game.view_to_plain(first))
    assert expected
    assert all(components(case.game.view_to_plain(view)) == expected for view in later)


def test_the_deal_stays_the_same(case) -> None:
    for position in case.match():
        assert case.game.deal_to_plain(position.state) == position.deal


def test_a_match_has_no_more_plies_than_announced(case) -> None:
    *_, last = case.match()
    assert 0 < len(last.plies) <= case.game.max_plies
    assert last.actor is None


def test_ranks_are_one_per_seat_and_without_gaps(case) -> None:
    *_, last = case.match()
    result = case.game.result(last.state)
    assert result is not None
    teams = case.game.teams(last.options, case.seats)
    assert len(result.ranks) == len(teams) == case.seats
    by_team = dict(zip(teams, result.ranks, strict=True))
    assert result.ranks == tuple(by_team[team] for team in teams)
    for rank in by_team.values():
        assert rank == 1 + sum(other < rank for other in by_team.values())


def test_notation_is_a_bijection(case) -> None:
    seen: dict[str, int] = {}
    for position in case.match():
        for action in case.game.legal_actions(position.state):
            text = case.game.notation(action)
            assert case.game.parse(text) == action
            assert seen.setdefault(text, action) == action
            assert text.isascii()
            assert text == " ".join(text.split())
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("text", ["", " ", "no such action", "\N{PILE OF POO}", "1" * 5000])
def test_what_is_no_notation_is_refused(name: str, text: str) -> None:
    with pytest.raises(RulesError):
        game(name).parse(text)


@pytest.mark.parametrize("name", names())
def test_the_first_option_that_is_unknown_is_named(name: str) -> None:
    with pytest.raises(RulesError, match="no_such_option"):
        game(name).parse_options({"no_such_option": 1})


@pytest.mark.parametrize("name", names())
@given(seed=st.binary(min_size=32, max_size=32))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_any_seed_makes_a_deal_that_reads_back(name: str, seed: bytes) -> None:
    found = game(name)
    for seats in found.seat_counts:
        options = found.parse_options({})
        state = found.deal(seed, options, seats)
        assert found.deal(seed, options, seats) == state
        assert found.deal_from_plain(found.deal_to_plain(state), options, seats) == state
