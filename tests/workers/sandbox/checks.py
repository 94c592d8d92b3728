"""Named checks beside the attacks: what the kernel says of a bot, and what a bot cannot tell."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.workers.sandbox.aftermath import lives
from tests.workers.sandbox.hostile import Arena, start
from workers.sandbox.command import BOT_ID
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import LINE_BYTES, OPEN_FILES, UNREAD_BYTES

_BUDGET = (5000.0, 20_000.0)
_WAITS = "import sys\nfor line in sys.stdin: print('ok', flush=True)\n"
_PONDERS = """
import sys, threading
def spin():
    while True: pass
for line in sys.stdin:
    threading.Thread(target=spin, daemon=True).start()
    print('ok', flush=True)
"""
_LATE = """
import sys, time
sys.stdin.readline()
until = time.process_time() + .1
while time.process_time() < until: pass
print('late', flush=True)
sys.stdin.readline()
"""
_TALKS = "import os\ninput(); os.write(1, b'a\\n')\nwhile True: os.write(1, b'b\\n' * 30_000)\n"
_EAGER = """
import os, time
input(); os.write(1, b'a\\n'); time.sleep(.02); os.write(1, b'b\\n'); os.write(2, b'said')
input(); time.sleep(60)
"""
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
_LIMITS = {
    "Max processes": 32,
    "Max open files": OPEN_FILES,
    "Max file size": 16 << 20,
    "Max core file size": 0,
    "Max locked memory": 0,
    "Max msgqueue size": 0,
    "Max pending signals": 64,
}


def the_kernels_account(arena: Arena) -> str | None:
    """Namespaces, ids, capabilities, limits, session, environment and group of a running bot."""
    with start(arena.runtime, _WAITS, arena.limits) as bot:
        bot.exchange(b"", *_BUDGET)
        found = [*_status(bot), *_spaces(bot), *_limits(bot, arena), *_session(bot, arena)]
        found += _group(bot, arena)
    return "; ".join(found) or None


def _status(bot: BotProcess) -> Iterator[str]:
    lines = Path(f"/proc/{bot.pid}/status").read_text().splitlines()
    status = {key: value.split() for key, _, value in (line.partition(":") for line in lines)}
    kernel_id = str(BOT_ID if os.geteuid() == 0 else os.geteuid())
    wanted = {"Uid": [kernel_id] * 4, "Gid": [kernel_id] * 4, "NoNewPrivs": ["1"]}
    wanted |= {"Seccomp": ["2"], "Groups": []}
    wanted |= {f"Cap{name}": ["0" * 16] for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")}
    yield from (f"{k} is {status[k]}" for k, value in wanted.items() if status[k] != value)


def _spaces(bot: BotProcess) -> Iterator[str]:
    for name in _NAMESPACES:
        theirs = os.readlink(f"/proc/{bot.pid}/ns/{name}")
        if theirs == os.readlink(f"/proc/self/ns/{name}"):
            yield f"shares the {name} namespace"


def _limits(bot: BotProcess, arena: Arena) -> Iterator[str]:
    wanted = dict(_LIMITS)
    if arena.runtime.cgroups is None:
        wanted["Max address space"] = arena.limits.memory_bytes
    for line in Path(f"/proc/{bot.pid}/limits").read_text().splitlines():
        for name, most in wanted.items():
            if line.startswith(name) and line[len(name) :].split()[:2] != [str(most)] * 2:
                yield line


def _session(bot: BotProcess, arena: Arena) -> Iterator[str]:
    outside = int(Path(f"/proc/{bot.pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    if os.getsid(bot.pid) in (os.getsid(outside), os.getsid(0)):
        yield "shares a session with bwrap"
    if os.getpgid(outside) == os.getpgid(0):
        yield "bwrap is in the worker's process group"
    for name, pid in (("bot", bot.pid), ("bwrap", outside)):
        if arena.victim.secret.encode() in _environment(pid):
            yield f"the {name}'s environment holds the secret"


def _environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def _group(bot: BotProcess, arena: Arena) -> Iterator[str]:
    cgroups = arena.runtime.cgroups
    if cgroups is None:
        return
    groups = [group for folder in cgroups.folders for group in folder.glob(f"bot-{os.getpid()}-*")]
    names = ("pids.max", "memory.max" if cgroups.version == 2 else "memory.limit_in_bytes")
    wanted = (36, arena.limits.memory_bytes)
    for name, most in zip(names, wanted, strict=True):
        (file,) = (group / name for group in groups if (group / name).exists())
        if file.read_text().strip() != str(most):
            yield f"{name} is {file.read_text().strip()}"
    for group in groups:
        if str(bot.pid) not in (group / "cgroup.procs").read_text().split():
            yield f"not in {group}"


def does_nothing_before_it_is_asked(arena: Arena) -> str | None:
    """A bot is stopped before its first instruction."""
    with start(arena.runtime, "while True: pass\n") as bot:
        before = bot.cpu_ms()
        bot.pump(0.1)
        used = bot.cpu_ms() - before
    return f"used {used:.1f} ms" if used > 1 else None


def does_not_ponder(arena: Arena) -> str | None:
    """A bot stands still with all its threads while it is not its turn.

    On a busy machine its threads hear only after a while that they are stopped.
    """
    with start(arena.runtime, _PONDERS) as bot:
        bot.exchange(b"", *_BUDGET)
        for _ in range(20):
            before = bot.cpu_ms()
            time.sleep(0.1)
            used = bot.cpu_ms() - before
            if used <= 1:
                return None
    return f"used {used:.1f} ms"


def loses_by_a_late_answer(arena: Arena) -> str | None:
    """An answer that cost more than its budget is none, however fast the clock on the wall."""
    with start(arena.runtime, _LATE) as bot:
        fault = bot.exchange(b"", 60, 20_000).fault
    return None if fault and (fault.ending, fault.wall) == ("timeout", False) else str(fault)


def keeps_little_of_what_is_unread(arena: Arena) -> str | None:
    """A bot that could talk on while nobody reads fills no more than a mebibyte."""
    with start(arena.runtime, _TALKS) as bot:
        bot.exchange(b"", *_BUDGET)
        bot.resume()
        until = time.monotonic() + 5
        for _ in range(2 * UNREAD_BYTES // LINE_BYTES):
            if time.monotonic() < until:
                bot.pump(0.05)
        fault = bot.exchange(b"", *_BUDGET).fault
    return (
        None
        if fault and (fault.ending, "unread" in fault.detail) == ("crash", True)
        else str(fault)
    )


def takes_no_answer_from_before_the_question(arena: Arena) -> str | None:
    """What a bot wrote while nobody had asked is no answer to the next question."""
    with start(arena.runtime, _EAGER) as bot:
        bot.exchange(b"", *_BUDGET)
        bot.resume()
        until = time.monotonic() + 2
        while bot.cpu_ms() and b"said" not in bot.stderr_tail and time.monotonic() < until:
            bot.pump(0.01)
        fault = bot.exchange(b"", *_BUDGET).fault
    return None if fault and fault.ending == "illegal_action" else str(fault)


def dies_with_its_worker(arena: Arena) -> str | None:
    """Of a worker that is killed with -9 no bot lives on."""
    bots_out, bots_in = os.pipe()
    worker = os.fork()
    if worker == 0:
        bot = start(arena.runtime, "while True: pass\n")
        bot.ask(b"", 60_000, 60_000)
        os.write(bots_in, b"%d\n" % bot.pid)
        time.sleep(60)
        os._exit(0)
    os.close(bots_in)
    with os.fdopen(bots_out) as told:
        pid = int(told.readline())
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    until = time.monotonic() + 2
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.01)
    survived = lives(pid)
    if survived:
        os.kill(pid, signal.SIGKILL)
    left = _swept(arena)
    return "the bot lives on" if survived else left


def _swept(arena: Arena) -> str | None:
    """What the next worker's sweep leaves of a killed worker's groups."""
    cgroups = arena.runtime.cgroups
    if cgroups is None:
        return None
    until = time.monotonic() + 2
    while time.monotonic() < until:
        cgroups.sweep()
        if not any(group.is_dir() for folder in cgroups.folders for group in folder.iterdir()):
            return None
        time.sleep(0.01)
    return "its cgroup is left"


CHECKS: dict[str, Callable[[Arena], str | None]] = {
    check.__name__: check
    for check in (
        the_kernels_account,
        does_nothing_before_it_is_asked,
        does_not_ponder,
        loses_by_a_late_answer,
        takes_no_answer_from_before_the_question,
        keeps_little_of_what_is_unread,
        dies_with_its_worker,
    )
}
