"""A process that holds a secret in all the ways a bot might reach for it: `lair.py FOLDER SECRET`.

It tells its facts in one line and then its state for every line it is sent. Copied before it is
run, so it needs nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import secrets
import selectors
import signal
import socket
import sys
from pathlib import Path
from types import FrameType

MARK = "interrex-secret-"
_SEGMENT_BYTES, _IPC_CREATE_EXCLUSIVELY, _IPC_REMOVE = 4096, 0o3000, 0
_ALLOW_ANY_TRACER = (0x59616D61, -1)  # where Yama would otherwise protect it
_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p


class _Lair:
    """The victim from within."""

    def __init__(self, folder: Path, secret: str) -> None:
        self._secret, self._folder = secret.encode(), folder
        self._signals = self._visits = 0
        self._memory = ctypes.create_string_buffer(self._secret)
        _libc.prctl(*_ALLOW_ANY_TRACER, 0, 0, 0)
        for number in (signal.SIGUSR1, signal.SIGURG):
            signal.signal(number, self._count)
        self._files()
        self._listen()
        self._segment()

    def _count(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1

    def _files(self) -> None:
        for name, mode in (("private", 0o600), ("public", 0o644)):
            (self._folder / name).write_bytes(self._secret)
            (self._folder / name).chmod(mode)

    def _listen(self) -> None:
        self._abstract = f"\0victim-{os.getpid()}"
        self._tcp, self._udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        self._unix, self._hidden = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self._tcp.bind(("127.0.0.1", 0))
        self._udp.bind(("127.0.0.1", 0))
        self._unix.bind(str(self._folder / "socket"))
        self._hidden.bind(self._abstract)
        for listener in (self._tcp, self._unix, self._hidden):
            listener.listen()

    def _segment(self) -> None:
        self._key = secrets.randbits(26) << 4
        flags = _IPC_CREATE_EXCLUSIVELY | 0o666
        self._shm = _libc.shmget(self._key, _SEGMENT_BYTES, flags)
        ctypes.memmove(_libc.shmat(self._shm, None, 0), self._secret, len(self._secret))

    def facts(self) -> dict[str, object]:
        """All that an attacker could wish to know."""
        return {
            "pid": os.getpid(),
            "private": str(self._folder / "private"),
            "public": str(self._folder / "public"),
            "socket": str(self._folder / "socket"),
            "abstract": self._abstract,
            "tcp": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "address": ctypes.addressof(self._memory),
            "key": self._key,
            "mark": MARK,
            "length": len(self._secret),
            "host": socket.gethostname(),
        }

    def serve(self) -> None:
        """Give every visitor the secret, until stdin ends."""
        selector = selectors.DefaultSelector()
        for source in (sys.stdin, self._tcp, self._udp, self._unix, self._hidden):
            selector.register(source, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is sys.stdin:
                    if not sys.stdin.readline():
                        return self._leave()
                    print(json.dumps(self._state()), flush=True)
                else:
                    self._receive(key.fileobj)

    def _receive(self, visited: object) -> None:
        self._visits += 1
        assert isinstance(visited, socket.socket)
        if visited is self._udp:
            _, sender = visited.recvfrom(99)
            visited.sendto(self._secret, sender)
            return
        visitor, _ = visited.accept()
        with visitor:
            visitor.sendall(self._secret)

    def _state(self) -> dict[str, object]:
        return {
            "signals": self._signals,
            "visits": self._visits,
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
            "processors": sorted(os.sched_getaffinity(0)),
            "files": resource.getrlimit(resource.RLIMIT_NOFILE),
        }

    def _leave(self) -> None:
        _libc.shmctl(self._shm, _IPC_REMOVE, None)


if __name__ == "__main__":
    lair = _Lair(Path(sys.argv[1]), sys.argv[2])
    print(json.dumps(lair.facts()), flush=True)
    lair.serve()
