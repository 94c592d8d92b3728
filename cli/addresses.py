"""Where the arena is: what a variable says, `<data>/addresses.json` while one runs, the profile."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.failures import Exit, Failure
from cli.output import warn
from cli.profile import ADDRESSES, STARTING, Profile, profile_path, read_json

VARIABLE = "INTERREX_API_ADDRESS"
PATIENCE_SECONDS = 60.0
FORM = re.compile(r"(unix:|[!-~]+:)[!-~]+")


@dataclass(frozen=True)
class Address:
    """Where to call and what says so; `lives`: the `up` that published it still runs."""

    api: str
    said_by: str
    lives: bool = False


def chosen_api() -> str:
    """`INTERREX_API_ADDRESS`, the only address that a profile remembers."""
    return os.environ.get(VARIABLE, "")


def api_address(data: Path, profile: Profile | None) -> Address:
    """Where to call; waits for an arena that is starting, raises Failure when none is known."""
    chosen = Address(chosen_api(), VARIABLE)
    remembered = Address(profile.api if profile else "", str(profile_path(data)))
    address = chosen if chosen.api else _published(data) or _awaited(data) or remembered
    if not address.api:
        raise Failure(
            f"no arena runs on {data}; start it with: interrex up --data {data}", Exit.UNREACHABLE
        )
    if not FORM.fullmatch(address.api):
        raise Failure(
            f"{address.said_by}: expected host:port or unix:PATH, got {address.api[:80]!r}",
            Exit.USAGE,
        )
    return address


def dashboard_address(data: Path) -> str:
    """Where the dashboard of the arena is that is called; empty: it is not known.

    Of an arena that `INTERREX_API_ADDRESS` names, nobody here wrote down where its pages are.
    """
    return "" if chosen_api() else str((_living(data) or {}).get("dashboard", ""))


def _published(data: Path) -> Address | None:
    """Where the arena that runs on `data` wrote that its API is."""
    living = _living(data)
    if living is None:
        return None
    return Address(
        str(living.get("api", "")), str(data / ADDRESSES), lives=living.get("pid") is not None
    )


def _living(data: Path) -> dict[str, Any] | None:
    """What the arena that runs on `data` wrote down."""
    path = data / ADDRESSES
    if not path.exists():
        return None
    published = read_json(path, f"start the arena again with: interrex up --data {data}")
    # What a killed arena left may be anybody's port by now: no token goes there.
    pid = published.get("pid")
    return published if Path("/proc", str(pid or "self")).exists() else None


def _awaited(data: Path) -> Address | None:
    """What an `up` that is still starting on `data` writes down, once it has."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    if _is_starting(data):
        warn(f"The arena on {data} is starting; waiting for it.")
    while _is_starting(data) and time.monotonic() < deadline:
        time.sleep(0.1)
    return _published(data)


def _is_starting(data: Path) -> bool:
    """Whether the `up` that noted its start still runs; the note goes when it has started."""
    try:
        pid = (data / STARTING).read_text(errors="replace").strip()
    except OSError:
        return False
    return pid.isdecimal() and Path("/proc", pid).exists()
