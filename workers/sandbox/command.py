"""The bwrap line: namespaces, the file tree a bot sees, and the limits set inside them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from workers.sandbox.limits import OPEN_FILES, Limits

BOT_ID = 65534
BOTENV = "/botenv"
PRLIMIT = "/usr/bin/prlimit"
# The first program inside: it tells that the sandbox stands, waits for a line, and ends with its
# worker. By then it is bound to die with bwrap, which a program stopped earlier would not be.
READY = OPEN = b"\n"
_GATE = ("/bin/sh", "-c", 'echo; read -r _ || exit 1; exec "$@"', "sh")
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONPATH": BOTENV,
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_FILE_BYTES = 16 << 20
_TIMERS = 64  # memory of the kernel that no other limit counts


def namespaces() -> list[str]:
    """Every namespace of its own, no capabilities, nobody's ids, an environment we wrote.

    `--as-pid-1`: no reaper of bwrap's inside, whose own environment a bot could read. No /proc.
    """
    line = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--as-pid-1"]
    line += ["--uid", str(BOT_ID), "--gid", str(BOT_ID), "--hostname", "bot"]
    line += ["--cap-drop", "ALL", "--clearenv"]
    for name, value in ENVIRONMENT.items():
        line += ["--setenv", name, value]
    return line


def tree(bot_dir: Path, botenv: Path, prefixes: Sequence[str]) -> list[str]:
    """A read-only tree: /usr, the interpreter's prefixes, /botenv and /bot; nothing is writable."""
    line = ["--ro-bind", "/usr", "/usr"]
    for folder in ("/bin", "/lib", "/lib64"):
        if os.path.islink(folder):
            line += ["--symlink", os.readlink(folder), folder]
        else:
            line += ["--ro-bind-try", folder, folder]
    for path in ("/etc/ld.so.cache", "/etc/alternatives"):
        line += ["--ro-bind-try", path, path]
    for prefix in prefixes:
        line += ["--ro-bind", prefix, prefix]
    for device in _DEVICES:
        line += ["--dev-bind", device, device]
    line += ["--dir", "/tmp", "--ro-bind", str(botenv), BOTENV, "--ro-bind", str(bot_dir), "/bot"]
    # Last: the root that bwrap makes is a writable tmpfs, the host's memory.
    return [*line, "--chdir", "/bot", "--remount-ro", "/"]


def limited(argv: Sequence[str], limits: Limits, *, has_cgroup: bool) -> list[str]:
    """The program behind a gate and prlimit, which runs inside: there `nproc` counts one bot.

    With a cgroup the kernel bounds the memory in use, without one the address space.
    """
    line = [*_GATE, PRLIMIT, f"--nproc={limits.threads}", f"--nofile={OPEN_FILES}"]
    line += [f"--fsize={_FILE_BYTES}", "--core=0", "--memlock=0", "--msgqueue=0"]
    line.append(f"--sigpending={_TIMERS}")
    if not has_cgroup:
        line.append(f"--as={limits.memory_bytes}")
    return [*line, "--", *argv]
