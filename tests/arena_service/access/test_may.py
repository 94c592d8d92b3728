"""Owner, stranger and spectator before every door."""

from __future__ import annotations

import pytest

from arena_service.access import (
    Action,
    BotSubject,
    EventSubject,
    LadderSubject,
    MatchSubject,
    SeatSubject,
    Subject,
    TournamentSubject,
    Viewer,
    may,
)

OWNER, STRANGER, SPECTATOR = Viewer("owner"), Viewer("stranger"), Viewer()
EVERYBODY = (OWNER, STRANGER, SPECTATOR)
SECRETS = (Action.SEE_SEED, Action.SEE_REPLAY, Action.SEE_SEAT_VIEW, Action.SEE_ALL_VIEW)
SUBJECTS: tuple[Subject, ...] = (
    MatchSubject(True, None),
    SeatSubject("owner", True),
    EventSubject(True),
    BotSubject("owner"),
    LadderSubject("owner"),
    TournamentSubject("owner"),
    None,
)


@pytest.mark.parametrize("action", SECRETS)
@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_secrets_of_a_pair_open_for_all_when_its_last_leg_ends(
    viewer: Viewer, action: Action
) -> None:
    assert not may(viewer, action, MatchSubject(False, None))
    assert may(viewer, action, MatchSubject(True, None))


@pytest.mark.parametrize("action", [Action.WATCH, *SECRETS])
def test_a_private_match_is_for_its_owner_alone(action: Action) -> None:
    match = MatchSubject(True, private_to="owner")
    assert [may(viewer, action, match) for viewer in EVERYBODY] == [True, False, False]


def test_not_even_its_owner_sees_a_private_match_to_the_end_before_it_ends() -> None:
    match = MatchSubject(False, private_to="owner")
    assert may(OWNER, Action.WATCH, match)
    assert not any(may(OWNER, action, match) for action in SECRETS)


@pytest.mark.parametrize("viewer", EVERYBODY)
@pytest.mark.parametrize("complete", [False, True])
def test_everybody_may_watch(viewer: Viewer, complete: bool) -> None:
    assert may(viewer, Action.WATCH, MatchSubject(complete, None))


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_key_is_public_when_the_event_is_complete(viewer: Viewer) -> None:
    assert not may(viewer, Action.SEE_KEY, EventSubject(complete=False))
    assert may(viewer, Action.SEE_KEY, EventSubject(complete=True))


def test_evidence_is_for_the_owner_alone() -> None:
    seat = SeatSubject("owner", pair_complete=True)
    assert [may(viewer, Action.SEE_EVIDENCE, seat) for viewer in EVERYBODY] == [True, False, False]


def test_not_even_the_owner_sees_evidence_while_a_leg_is_missing() -> None:
    assert not may(OWNER, Action.SEE_EVIDENCE, SeatSubject("owner", pair_complete=False))


@pytest.mark.parametrize(
    "action", [Action.SEE_SOURCE, Action.SEE_BOT, Action.MANAGE_BOT, Action.ENTER_BOT]
)
def test_a_bot_belongs_to_its_owner(action: Action) -> None:
    bot = BotSubject("owner")
    assert [may(viewer, action, bot) for viewer in EVERYBODY] == [True, False, False]


@pytest.mark.parametrize("challenges", [True, False])
def test_others_challenge_a_bot_where_its_owner_lets_them(challenges: bool) -> None:
    bot = BotSubject("owner", challenges)
    allowed = [may(viewer, Action.CHALLENGE_BOT, bot) for viewer in EVERYBODY]
    assert allowed == [True, challenges, False]


def test_a_ladder_is_run_by_its_owner() -> None:
    ladder = LadderSubject("owner")
    allowed = [may(viewer, Action.RUN_LADDER, ladder) for viewer in EVERYBODY]
    assert allowed == [True, False, False]


@pytest.mark.parametrize("action", [Action.START_TOURNAMENT, Action.CANCEL_TOURNAMENT])
def test_a_tournament_is_started_and_cancelled_by_its_owner(action: Action) -> None:
    tournament = TournamentSubject("owner")
    assert [may(viewer, action, tournament) for viewer in EVERYBODY] == [True, False, False]


@pytest.mark.parametrize(
    "action",
    [Action.CREATE_LADDER, Action.CREATE_TOURNAMENT, Action.SUBMIT_BOT, Action.SEE_PROCESSES],
)
def test_what_is_for_members_needs_an_account(action: Action) -> None:
    assert [may(viewer, action, None) for viewer in EVERYBODY] == [True, True, False]


@pytest.mark.parametrize("action", Action)
def test_an_action_opens_one_kind_of_subject_at_most(action: Action) -> None:
    assert sum(may(OWNER, action, subject) for subject in SUBJECTS) == 1
