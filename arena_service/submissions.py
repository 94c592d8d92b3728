"""Archives that strangers send: judged in a process of their own, which has limits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from bots.manifest import FILE, Manifest
from bots.packing import MAX_PACKED_BYTES
from engine_service.catalogue import names

MEMORY_BYTES = 256 * 2**20
CPU_SECONDS = 15
DEADLINE_SECONDS = 45.0  # for a busy machine; within that of an upload
OUT_OF_MEMORY = 70  # how that process ends when its memory is not enough
_COMMAND = (sys.executable, "-I", "-m", "arena_service.admission")


class SubmissionError(ValueError):
    """An archive that is refused: `reason` for programs, `field` it concerns, text for people."""

    def __init__(self, reason: str, field: str, message: str) -> None:
        """Keep the three parts; the text is the message alone."""
        super().__init__(message)
        self.reason, self.field, self.message = reason, field, message


@dataclass(frozen=True)
class Submission:
    """An accepted archive: its manifest, and its files packed anew in the arena's own form."""

    manifest: Manifest
    archive: bytes


def admit(archive: bytes) -> Submission:
    """Check an archive and pack its files anew, so that workers never read a stranger's tar.

    Raises SubmissionError, and RuntimeError when the process that judges fails by itself.
    """
    if len(archive) > MAX_PACKED_BYTES:
        raise too_large()
    try:
        judged = subprocess.run(
            [*_COMMAND, str(MEMORY_BYTES), str(CPU_SECONDS)],
            input=archive,
            capture_output=True,
            env={},
            timeout=DEADLINE_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise too_costly(f"more than {DEADLINE_SECONDS:.0f} s") from error
    if judged.returncode != 0:
        raise _failure(judged.returncode, judged.stderr)
    head, _, packed = judged.stdout.partition(b"\n")
    answer = json.loads(head)
    if "refusal" in answer:
        raise SubmissionError(**answer["refusal"])
    manifest = _manifest(answer["manifest"])
    _check_games(manifest.games)
    return Submission(manifest, packed)


def too_large() -> SubmissionError:
    """The refusal of an archive over the packed limit."""
    limit = f"{MAX_PACKED_BYTES // 2**20} MiB"
    return SubmissionError("PACKED_TOO_LARGE", "archive", f"the archive is larger than {limit}")


def too_costly(what: str) -> SubmissionError:
    """The refusal of an archive that takes more to read than any honest one; `what` says how."""
    return SubmissionError("TOO_COSTLY", "archive", f"the archive takes {what} to read")


def _failure(code: int, output: bytes) -> Exception:
    # An interpreter that has no memory even for its error ends by SIGABRT.
    if code in (OUT_OF_MEMORY, -signal.SIGABRT):
        return too_costly(f"more than {MEMORY_BYTES // 2**20} MiB")
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return too_costly(f"more than {CPU_SECONDS} s of CPU time")
    if code < 0:
        name = signal.Signals(-code).name
        text = f"the archive cannot be read: its reader was ended by {name}"
        return SubmissionError("NOT_AN_ARCHIVE", "archive", text)
    return RuntimeError(f"the check of an archive failed:\n{output.decode(errors='replace')}")


def _check_games(games: tuple[str, ...]) -> None:
    # Here: the process that reads the archive is isolated, it sees no games of PYTHONPATH.
    for game in games:
        if game not in names():
            known = ", ".join(names())
            raise SubmissionError(
                "UNKNOWN_GAME", "games", f"{FILE}: games: expected only {known}, got {game[:80]!r}"
            )


def _manifest(plain: dict[str, Any]) -> Manifest:
    """A manifest from its JSON, where tuples are lists."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()}
    return Manifest(**fields)
