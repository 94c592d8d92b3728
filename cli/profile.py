"""Who is calling: `<data>/profile.json`, and the options that name the data folder."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.failures import Failure
from cli.files import named_path

ADDRESSES = "addresses.json"
STARTING = "starting"  # the pid of an `up` that has not published its addresses yet
PROFILE = "profile.json"

Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="INTERREX_DATA",
        metavar="FOLDER",
        parser=named_path,
        help="The arena's data folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
DEFAULT_DATA = Path(".interrex")
MOST = 2**31 - 1  # what a number in a message may be
TOKEN = re.compile(r"[A-Za-z0-9_-]+")
PROFILE_FIELDS = ("user", "api", "token", "data")
ANOTHER_PROFILE = "move it away and make another account, or name another file: INTERREX_PROFILE"


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
    raw = read_json(path, ANOTHER_PROFILE)
    for name in PROFILE_FIELDS:
        if not isinstance(raw.get(name), str):
            raise Failure(f"{path}: {name}: expected a string; {ANOTHER_PROFILE}")
    if raw["token"] and not TOKEN.fullmatch(raw["token"]):
        raise Failure(f"{path}: token: expected letters, digits, - and _; {ANOTHER_PROFILE}")
    return Profile(**{name: raw[name] for name in PROFILE_FIELDS})


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


def read_json(path: Path, remedy: str) -> dict[str, Any]:
    """The object in a JSON file; raises Failure, with the `remedy` as the next step."""
    try:
        raw = json.loads(path.read_bytes())
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path}: expected JSON ({error}); {remedy}") from error
    if not isinstance(raw, dict):
        raise Failure(f"{path}: expected a JSON object; {remedy}")
    return raw
