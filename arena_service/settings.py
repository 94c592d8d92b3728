"""The one set of settings of every server process, read from `INTERREX_*` variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

DEFAULT_DATA = ".interrex"
DEFAULT_BROKER = "redis://127.0.0.1:6379/0"
BROKERS = ("amqp", "amqps", "redis", "rediss", "redis+socket")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,200}")


class SettingsError(ValueError):
    """A variable holds something that cannot be used; the message names it."""


@dataclass(frozen=True)
class Settings:
    """Where the parts of an arena find each other; addresses are `host:port` or `unix:PATH`.

    With a `work_address` a match worker asks the API there for work, with the token in its file;
    without one it asks the database.
    """

    data: Path
    database_url: str
    broker_url: str
    engine_address: str
    api_address: str
    dashboard_port: int
    lease_seconds: float
    lease_at_most: float
    run_dir: Path
    work_address: str
    work_token_file: Path | None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings; raises SettingsError that names the faulty variable."""
        data = Path(environment.get("INTERREX_DATA") or DEFAULT_DATA).absolute()
        return cls(
            data=data,
            database_url=environment.get("INTERREX_DATABASE_URL")
            or f"sqlite:///{data / 'interrex.db'}",
            broker_url=_broker(environment.get("INTERREX_BROKER_URL") or DEFAULT_BROKER),
            engine_address=environment.get("INTERREX_ENGINE_ADDRESS", "127.0.0.1:50061"),
            api_address=environment.get("INTERREX_API_ADDRESS", "127.0.0.1:50062"),
            dashboard_port=to_port(
                "INTERREX_DASHBOARD_PORT", environment.get("INTERREX_DASHBOARD_PORT") or "8501"
            ),
            lease_seconds=_seconds(environment, "INTERREX_LEASE_SECONDS", 60.0),
            lease_at_most=_seconds(environment, "INTERREX_LEASE_AT_MOST_SECONDS", 86_400.0),
            run_dir=Path(environment.get("INTERREX_RUN_DIR") or data / "run"),
            work_address=environment.get("INTERREX_WORK_ADDRESS", ""),
            work_token_file=_file(environment, "INTERREX_WORK_TOKEN_FILE"),
        )

    def work_token(self) -> str:
        """The token of this worker; raises SettingsError."""
        if self.work_token_file is None:
            raise SettingsError("INTERREX_WORK_TOKEN_FILE: expected a file with the worker's token")
        return read_token(self.work_token_file)


def read_token(path: Path) -> str:
    """The token of a worker in a file of its own; raises SettingsError."""
    try:
        text = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"INTERREX_WORK_TOKEN_FILE: {path} cannot be read: {error}") from error
    if not _TOKEN.fullmatch(text):
        raise SettingsError(
            f"INTERREX_WORK_TOKEN_FILE: {path}: expected one token of letters, digits, - and _"
        )
    return text


def to_port(name: str, text: str) -> int:
    """The port that is given as `name`; raises SettingsError."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise SettingsError(f"{name}: expected a port from 1 to 65535, got {text[:80]!r}")
    return int(text)


def _broker(url: str) -> str:
    """The message of its error never quotes the address, which may hold a password."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in BROKERS and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError(
            "INTERREX_BROKER_URL: expected amqp://USER:PASSWORD@HOST// or redis://HOST/NUMBER"
        )
    return url


def _file(environment: Mapping[str, str], name: str) -> Path | None:
    return Path(environment[name]) if environment.get(name) else None


def _seconds(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name) or str(default)
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 1.0 <= value <= 86_400.0:
        raise SettingsError(f"{name}: expected seconds from 1 to 86400, got {text!r}")
    return value
