"""The self-test's bot: tries what must fail and prints what it found. Runs inside, alone.

Only the standard library, and no import of the project: the file is copied into a bot's folder.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import sys
from collections.abc import Callable

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS, _FILTERED = 21, 39, 2
_OF_SHELL = {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}
_CLONE_NEWUSER = 0x10000000


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _can_write(folder: str) -> bool:
    return _succeeds(lambda: open(os.path.join(folder, "probe"), "w").close())


def _sees(pid: int) -> bool:
    """A signal that is refused tells as much as one that arrives: the process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_open(descriptor: int) -> bool:
    return _succeeds(lambda: os.fstat(descriptor))


def _lock() -> None:
    with open(sys.executable, "rb") as shared:
        fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def findings(facts: dict[str, object]) -> list[str]:
    """Everything that is wrong with this sandbox, in words; empty when it holds."""
    known, hidden = list(facts["environment"]), str(facts["hidden"])  # type: ignore[call-overload]
    checks = {
        "runs as root": os.getuid() == 0 or os.geteuid() == 0,
        "has no system call filter": _LIBC.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) != _FILTERED,
        "can gain privileges": _LIBC.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1,
        "sees foreign variables": sorted(set(os.environ) - set(known) - _OF_SHELL),
        "reads the worker's files": _succeeds(lambda: open(hidden).close()),
        "reads /etc/passwd": _succeeds(lambda: open("/etc/passwd").close()),
        "sees /proc": os.path.exists("/proc/self"),
        "sees another process": _sees(int(str(facts["pid"]))),
        "can make a socket": _succeeds(lambda: socket.socket().close()),
        "can make a process": _succeeds(_fork),
        "can make a namespace": _LIBC.unshare(_CLONE_NEWUSER) == 0,
        "can leave a lock": _succeeds(_lock),
        "can write": [f for f in ("/", "/bot", "/botenv", "/tmp", "/dev", "/usr") if _can_write(f)],
        "has open descriptors": [d for d in range(3, 64) if _is_open(d)],
        "lacks /botenv": not os.path.isfile("/botenv/engine_service/__init__.py"),
        "has a Python older than 3.11": sys.version_info < (3, 11),
    }
    return [
        f"{name}: {value}" if isinstance(value, list) else name
        for name, value in checks.items()
        if value
    ]


if __name__ == "__main__":
    print(json.dumps(findings(json.loads(sys.stdin.readline()))), flush=True)
    sys.stdin.readline()
    while True:  # the second question is never answered: the CPU clock must end it
        pass
