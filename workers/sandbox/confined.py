"""A process behind bwrap: started stopped, signalled, timed, and killed with all it has."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from workers.sandbox import command
from workers.sandbox.cgroup import Cgroup
from workers.sandbox.faults import SandboxRefused
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

_START_S = 10.0
_KILL_S = 5.0
_SPARE_TASKS = 4  # bwrap's own, before it becomes the program


class Confined:
    """The first and only process of a sandbox; threads it may have, children not."""

    def __init__(
        self, bot_dir: Path, argv: Sequence[str], runtime: Runtime, limits: Limits
    ) -> None:
        """Start it, stopped before its first instruction; raises SandboxRefused."""
        if threading.current_thread() is not threading.main_thread():
            # bwrap dies with the thread that started it, not with its process.
            raise RuntimeError("bots are started from the main thread")
        self.pid = self._pidfd = -1
        self._cpu_ns = 0
        self._cgroup: Cgroup | None = None
        self._bwrap: subprocess.Popen[bytes] | None = None
        self._status: IO[bytes] | None = None
        try:
            self._start(bot_dir, argv, runtime, limits)
        except (OSError, ValueError, KeyError) as error:
            self.close()
            raise SandboxRefused(f"a bot cannot be started: {error}") from error
        except BaseException:
            self.close()
            raise

    def _start(self, bot_dir: Path, argv: Sequence[str], runtime: Runtime, limits: Limits) -> None:
        if runtime.cgroups is not None:
            tasks = limits.threads + _SPARE_TASKS
            self._cgroup = Cgroup.create(runtime.cgroups, limits.memory_bytes, tasks)
        line = [str(runtime.bwrap), *command.namespaces()]
        line += command.tree(bot_dir, runtime.botenv, runtime.python.prefixes)
        has_cgroup = self._cgroup is not None
        program = command.limited(runtime.python.argv(argv), limits, has_cgroup=has_cgroup)
        self._spawn(line, program, runtime.program)
        self._pass_gate()

    def _pass_gate(self) -> None:
        """Wait until the sandbox stands, then limit and stop what will become the program."""
        stdin, stdout, _, _ = self.descriptors
        self.pid = int(json.loads(self._first_line(self._status_fd()))["child-pid"])
        self._pidfd = os.pidfd_open(self.pid)
        if self._first_line(stdout) != command.READY:
            raise SandboxRefused("something speaks before the bot was started")
        if self._cgroup is not None:
            self._cgroup.add(self.pid)
        self.signal(signal.SIGSTOP)
        os.write(stdin, command.OPEN)

    def _spawn(self, line: list[str], program: list[str], bpf: bytes) -> None:
        """Start bwrap, with its status on a pipe that stays open: it reports the end there too."""
        filter_fd = os.memfd_create("seccomp")
        status_out, status_in = os.pipe()
        self._status = os.fdopen(status_out, "rb", 0)
        try:
            os.write(filter_fd, bpf)
            os.lseek(filter_fd, 0, os.SEEK_SET)
            line += ["--seccomp", str(filter_fd), "--json-status-fd", str(status_in)]
            self._bwrap = self._popen([*line, "--", *program], (filter_fd, status_in))
        finally:
            os.close(filter_fd)
            os.close(status_in)

    def _popen(self, line: list[str], descriptors: Sequence[int]) -> subprocess.Popen[bytes]:
        """Never as root, and with nothing in bwrap's own environment, which a bot might read."""
        as_root = os.geteuid() == 0
        return subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env={},
            start_new_session=True,  # an interrupt from the terminal must not look like a crash
            pass_fds=descriptors,
            user=command.BOT_ID if as_root else None,
            group=command.BOT_ID if as_root else None,
            extra_groups=[] if as_root else None,
        )

    def _first_line(self, descriptor: int) -> bytes:
        """The first line there, newline included; without one SandboxRefused with bwrap's words."""
        said, until = b"", time.monotonic() + _START_S
        while select.select([descriptor], [], [], max(0.0, until - time.monotonic()))[0]:
            byte = os.read(descriptor, 1)
            said += byte
            if byte == b"\n":
                return said
            if not byte:
                break
        bwrap = self._require()
        bwrap.kill()
        words = bwrap.communicate()[1].decode(errors="replace").strip()
        raise SandboxRefused(f"bubblewrap cannot make a sandbox here: {words or 'no reply'}")

    def _status_fd(self) -> int:
        assert self._status is not None
        return self._status.fileno()

    def _require(self) -> subprocess.Popen[bytes]:
        if self._bwrap is None:
            raise RuntimeError("nothing was started")
        return self._bwrap

    @property
    def descriptors(self) -> tuple[int, int, int, int]:
        """Our ends of stdin, stdout and stderr, and a pidfd that is readable after the end."""
        bwrap = self._require()
        assert bwrap.stdin is not None
        assert bwrap.stdout is not None
        assert bwrap.stderr is not None
        return bwrap.stdin.fileno(), bwrap.stdout.fileno(), bwrap.stderr.fileno(), self._pidfd

    def cpu_ns(self) -> int:
        """CPU time of all its threads since its birth; keeps the last value after the end."""
        try:
            # The POSIX CPU clock of another process: exact, half a microsecond a reading.
            self._cpu_ns = time.clock_gettime_ns((~self.pid << 3) | 2)
        except OSError:
            pass
        return self._cpu_ns

    def signal(self, number: signal.Signals) -> None:
        """Signal it; one that ended is left alone."""
        if self._pidfd < 0:
            return
        try:
            signal.pidfd_send_signal(self._pidfd, number)
        except ProcessLookupError:
            pass

    def death(self) -> str:
        """How it ended, in words; raises SandboxRefused when bwrap was killed instead."""
        try:
            code = self._require().wait(_KILL_S)
        except subprocess.TimeoutExpired:
            return "the process ended"
        if code < 0:
            raise SandboxRefused(f"bubblewrap was killed by {signal.Signals(-code).name}")
        if self._cgroup is not None and self._cgroup.out_of_memory():
            return "the process was killed: out of memory"
        if code > 128 and code - 128 in set(signal.Signals):
            return f"the process ended by {signal.Signals(code - 128).name} (exit code {code})"
        return f"the process ended with exit code {code}"

    def close(self) -> None:
        """Kill everything inside and free what it held; may be called again."""
        self.signal(signal.SIGKILL)  # of a namespace's first process: the kernel kills the others
        if self._bwrap is not None:
            self._reap(self._bwrap)
        if self._status is not None:
            self._status.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        group, self._cgroup = self._cgroup, None
        if group is not None:
            _remove(group)

    def _reap(self, bwrap: subprocess.Popen[bytes]) -> None:
        try:
            bwrap.wait(_KILL_S if self._pidfd >= 0 else 0.01)
        except subprocess.TimeoutExpired:
            bwrap.kill()
            bwrap.wait()
        for stream in (bwrap.stdin, bwrap.stdout, bwrap.stderr):
            if stream is not None:
                stream.close()


def _remove(group: Cgroup) -> None:
    try:
        group.remove()
    except OSError as error:
        raise SandboxRefused(f"something outlives its bot: {error}") from error
