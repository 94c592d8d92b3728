"""`interrex user`: accounts, made by the operator on the arena's own database."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from arena_service.settings import Settings, SettingsError
from cli.addresses import chosen_api
from cli.failures import Commands, Exit, Failure, server_missing
from cli.output import say
from cli.profile import (
    DEFAULT_DATA,
    Data,
    Profile,
    profile_path,
    read_profile,
    write_profile,
)

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Accounts (for the operator).")


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Name of the account.")],
    data: Data = DEFAULT_DATA,
) -> None:
    """Make an account and keep its token in the profile (INTERREX_PROFILE names another file)."""
    existing = read_profile(data)
    if existing is not None:
        raise Failure(
            f"{profile_path(data)} already holds the token of {existing.user}; "
            "name another file with INTERREX_PROFILE",
            Exit.REFUSED,
        )
    path = _create(data, name)
    say(f"{name} is ready; the token is in {path}")


def ensure_profile(data: Path, name: str) -> None:
    """The profile of the data folder, made with a new account when there is none."""
    if read_profile(data) is None:
        _create(data, name)


def _create(data: Path, name: str) -> Path:
    # Only the operator needs the database; the other commands run without its packages.
    if find_spec("sqlmodel") is None:
        raise server_missing()
    from arena_service.store.accounts import create_user
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
        db = open_migrated(_settings(data).database_url)
    except SettingsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    try:
        token = create_user(db, name)
    except StoreError as error:
        raise Failure(str(error), Exit.REFUSED) from error
    finally:
        db.close()
    return write_profile(data, Profile(name, chosen_api(), token, str(data.absolute())))


def _settings(data: Path) -> Settings:
    return Settings.from_environment({**os.environ, "INTERREX_DATA": str(data)})
