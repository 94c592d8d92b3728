"""What one account may have, and whose check is played next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_service.quotas import Quotas
from arena_service.scheduling.checks import Check
from arena_service.settings import SettingsError
from arena_service.store import accounts, bots
from arena_service.store.database import Database
from arena_service.store.errors import QuotaError
from arena_service.store.states import now_utc
from bots.manifest import Manifest
from tests.arena_service.store.arena import GAME, SmallArena, play

CHECKS = (Check(GAME, 1, {}, 2),)
MANIFEST = Manifest("bot", (GAME,), ("python3", "main.py"), "json")


def submit(
    db: Database, owner: str, name: str, archive: str, quotas: Quotas, checked: bool = False
) -> bots.BotVersionRow:
    checks = CHECKS if checked else ()
    return bots.submit(db, owner, name, archive.encode(), MANIFEST, checks, quotas)


def account(db: Database, name: str) -> str:
    user = accounts.by_token(db, accounts.create_user(db, name))
    assert user is not None
    return user.id


def test_so_many_bots_of_an_account_play(database: Database) -> None:
    owner, quotas = account(database, "ann"), Quotas(active_bots=2)
    first = submit(database, owner, "one", "a", quotas)
    submit(database, owner, "two", "a", quotas)
    with pytest.raises(QuotaError, match="quota is 2 active bots; it frees when every version"):
        submit(database, owner, "three", "a", quotas)
    assert submit(database, owner, "two", "b", quotas).version == 2
    bots.disable(database, first.id)
    submit(database, owner, "three", "a", quotas)
    with pytest.raises(QuotaError, match="active bots"):
        bots.check_again(database, first.id, (), quotas)
    submit(database, account(database, "bob"), "one", "a", quotas)


def test_so_many_versions_of_an_account_come_in_a_day(database: Database) -> None:
    owner, quotas = account(database, "ann"), Quotas(versions_a_day=2)
    for archive in ("a", "b"):
        submit(database, owner, "bot", archive, quotas)
    with pytest.raises(QuotaError, match=r"2 versions within 24 hours; it frees at 20\d\d-.* UTC"):
        submit(database, owner, "another", "c", quotas)
    assert not submit(database, owner, "bot", "a", quotas).created
    raised = replace(quotas, versions_a_day=3)
    assert submit(database, owner, "another", "c", raised).created


def test_accounts_take_turns_with_their_checks(database: Database) -> None:
    arena, quotas = SmallArena(database, entries=0), Quotas()
    ann, bob, eve = (account(database, name) for name in ("ann", "bob", "eve"))
    many = [submit(database, ann, "bot", str(n), quotas, True) for n in range(4)]
    later = submit(database, bob, "bot", "x", quotas, True)
    assert checked_in_turn(arena, 3) == [many[0].id, later.id, many[1].id]
    # Who comes now is not behind all that waits, nor before what is due.
    newest = submit(database, eve, "bot", "y", quotas, True)
    again = submit(database, bob, "bot", "z", quotas, True)
    assert checked_in_turn(arena, 4) == [many[2].id, newest.id, again.id, many[3].id]


def checked_in_turn(arena: SmallArena, count: int) -> list[str]:
    """The versions whose checks are leased one after the other."""
    found = []
    for _ in range(count):
        assignment = arena.work().lease("w", now=now_utc())
        assert assignment is not None
        found.append(assignment.matches[0].players[0])
        play(arena.work(), assignment, now_utc())
    return found


def test_quotas_are_read_from_variables() -> None:
    found = Quotas.from_environment({"INTERREX_QUOTA_CHALLENGES_A_DAY": "3"})
    assert found == Quotas(challenges_a_day=3)
    for text in ("many", "-1", "1.5", "9" * 30):
        with pytest.raises(SettingsError, match="INTERREX_QUOTA_ACTIVE_BOTS"):
            Quotas.from_environment({"INTERREX_QUOTA_ACTIVE_BOTS": text})
