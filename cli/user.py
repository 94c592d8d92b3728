"""`interrex user`: accounts, made by the operator on the arena's own database."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena_service.settings import SettingsError
from cli.addresses import chosen_api
from cli.failures import Commands, Exit, Failure, server_missing
from cli.operator import settings_of
from cli.output import say
from cli.profile import (
    DEFAULT_DATA,
    Data,
    Profile,
    profile_path,
    read_profile,
    write_profile,
)

if TYPE_CHECKING:
    from arena_service.store.database import Database

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Accounts (for the operator).")


Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the account.")]


@app.command()
def create(name: Name, data: Data = DEFAULT_DATA) -> None:
    """Make an account and keep its token in the profile (INTERREX_PROFILE names another file)."""
    _check_profile(data)
    path = _create(data, name)
    say(f"{name} is ready; the token is in {path}")


@app.command()
def renew(name: Name, data: Data = DEFAULT_DATA) -> None:
    """Give an account a new token; the old one and all visits to the dashboard end."""
    _check_profile(data, name)
    _need_the_server()
    from arena_service.store.accounts import renew_token

    path = _issue(data, name, renew_token)
    say(f"the old token of {name} is worth nothing now; the new one is in {path}")


def ensure_profile(data: Path, name: str) -> None:
    """The profile of the data folder, made with a new account when there is none."""
    if read_profile(data) is None:
        _create(data, name)


def _check_profile(data: Path, mine: str = "") -> None:
    """Raises Failure where a token would be written over that is not of this account."""
    existing = read_profile(data)
    if existing is not None and existing.user != mine:
        raise Failure(
            f"{profile_path(data)} already holds the token of {existing.user}; "
            "name another file with INTERREX_PROFILE",
            Exit.REFUSED,
        )


def _create(data: Path, name: str) -> Path:
    _need_the_server()
    from arena_service.store.accounts import create_user

    return _issue(data, name, create_user)


def _need_the_server() -> None:
    """Only the operator needs the database; the other commands run without its packages."""
    if find_spec("sqlmodel") is None:
        raise server_missing()


def _issue(data: Path, name: str, issue: Callable[[Database, str], str]) -> Path:
    """Have the arena's database issue a token; the profile that holds it."""
    from arena_service.store.database import open_migrated
    from arena_service.store.errors import StoreError

    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Failure(f"--data {data}: not a usable folder ({error.strerror})") from error
    home = profile_path(data).parent
    if not os.access(home, os.W_OK):
        raise Failure(f"INTERREX_PROFILE: {home} is no folder that can be written to", Exit.USAGE)
    try:
        db = open_migrated(settings_of(data).database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    try:
        token = issue(db, name)
    except StoreError as error:
        raise Failure(str(error), Exit.REFUSED) from error
    finally:
        db.close()
    return write_profile(data, Profile(name, chosen_api(), token, str(data.absolute())))
