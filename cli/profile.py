"""Where the arena is and who is calling: `<data>/addresses.json` and `<data>/profile.json`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.failures import Exit, Failure

ADDRESSES = "addresses.json"
PROFILE = "profile.json"

Data = Annotated[
    Path, typer.Option("--data", envvar="INTERREX_DATA", help="The arena's data folder.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
DEFAULT_DATA = Path(".interrex")
MOST = 2**31 - 1  # what a number in a message may be


@dataclass(frozen=True)
class Profile:
    """An account on this machine; the token is a secret."""

    user: str
    api: str
    token: str
    data: str


def read_profile(data: Path) -> Profile | None:
    """The profile in `data`, or None when there is none yet."""
    path = profile_path(data)
    if not path.exists():
        return None
    raw = _read_json(path)
    try:
        return Profile(raw["user"], raw["api"], raw["token"], raw["data"])
    except KeyError as error:
        raise Failure(f"{path} lacks {error}; remove it and make a new account") from error


def write_profile(data: Path, profile: Profile) -> Path:
    """Write the profile, readable by its owner alone."""
    path = profile_path(data)
    draft = path.with_suffix(".tmp")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as stream:
        json.dump(vars(profile), stream)
    draft.replace(path)
    return path


def profile_path(data: Path) -> Path:
    """`INTERREX_PROFILE`, else the file in the data folder."""
    named = os.environ.get("INTERREX_PROFILE")
    return Path(named) if named else data / PROFILE


def published_api(data: Path) -> str:
    """The API of the arena that runs on `data`, else `INTERREX_API_ADDRESS`, else nothing."""
    if (data / ADDRESSES).exists():
        addresses = _read_json(data / ADDRESSES)
        # What a killed arena left may be anybody's port by now: no token goes there.
        if Path("/proc", str(addresses.get("pid", "self"))).exists():
            return str(addresses.get("api", ""))
    return chosen_api()


def chosen_api() -> str:
    """`INTERREX_API_ADDRESS`, the only address that a profile remembers."""
    return os.environ.get("INTERREX_API_ADDRESS", "")


def api_address(data: Path) -> str:
    """Where to call; raises Failure when no arena is known."""
    profile = read_profile(data)
    address = published_api(data) or (profile.api if profile else "")
    if not address:
        raise Failure(
            f"no arena runs on {data}; start it with: interrex up --data {data}", Exit.UNREACHABLE
        )
    return address


def _read_json(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Failure(f"{path} cannot be read: {error}") from error
    if not isinstance(raw, dict):
        raise Failure(f"{path} holds no JSON object")
    return raw
