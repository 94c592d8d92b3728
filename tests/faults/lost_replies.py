"""A wire to PostgreSQL on which the answer to a COMMIT can be lost, after the server has obeyed."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import struct
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEASE, ACCEPT, SIGN, PROGRESS = "lease", "result", "sign of life", "progress"
# What a transaction writes tells what it was for; the first that fits.
_MARKS = {
    LEASE: re.compile(rb"INSERT INTO attempt "),
    ACCEPT: re.compile(rb"INSERT INTO result "),
    SIGN: re.compile(rb"UPDATE process "),
    PROGRESS: re.compile(rb"UPDATE series SET lease_until=[^=]+ renewed_at="),
}
KINDS = tuple(_MARKS)
SOCKET = ".s.PGSQL.5432"
_PROTOCOL = 3 << 16


class Wire:
    """Passes on what is said between the arena and the server; `lost` counts by kind."""

    def __init__(self, folder: Path, target: Path) -> None:
        """Listens in `folder` as a server would; `target` is the server's socket."""
        self.where = f"?host={folder}"
        self.lost: Counter[str] = Counter()
        self._target = str(target)
        self._wanted: set[str] = set()
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self, kind: str) -> None:
        """Lose the answer to the next transaction of a kind."""
        self._wanted.add(kind)

    def close(self) -> None:
        """Let nobody else in; whoever talks goes on until one of the two ends it."""
        self._listener.close()

    def is_unheard(self, transaction: bytes) -> bool:
        """Whether the answer to this one shall be lost; asked once for each."""
        with self._lock:
            kind = next((k for k, mark in _MARKS.items() if mark.search(transaction)), "")
            if kind not in self._wanted:
                return False
            self._wanted.remove(kind)
            self.lost[kind] += 1
            return True

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._target)
            except OSError:  # nobody is there
                near.close()
                continue
            talk = _Talk(self, near, far)
            for direction in (talk.ask, talk.answer):
                threading.Thread(target=direction, daemon=True).start()


class _Talk:
    """One connection."""

    def __init__(self, wire: Wire, near: socket.socket, far: socket.socket) -> None:
        self._wire, self._near, self._far = wire, near, far
        self._unheard = threading.Event()
        self._statements: dict[bytes, bytes] = {}
        self._transaction = b""

    def ask(self) -> None:
        """Pass on message by message what the arena says, until one of the two ends."""
        with contextlib.suppress(OSError, EOFError), self._near, self._far:
            while not self._greet():
                pass
            while True:
                kind, size = struct.unpack("!cI", _exactly(self._near, 5))
                body = _exactly(self._near, size - 4)
                if self._ends_transaction(kind, body):
                    self._unheard.set()
                self._far.sendall(struct.pack("!cI", kind, size) + body)

    def answer(self) -> None:
        """Pass on what the server says, until it is the answer that is to be lost."""
        with contextlib.suppress(OSError), self._near, self._far:
            while (data := self._far.recv(2**16)) and not self._unheard.is_set():
                self._near.sendall(data)
            for each in (self._near, self._far):
                each.shutdown(socket.SHUT_RDWR)

    def _greet(self) -> bool:
        """Pass on a request for a protocol; True when it is the one to stay with."""
        head = _exactly(self._near, 8)
        size, protocol = struct.unpack("!II", head)
        self._far.sendall(head + _exactly(self._near, size - 8))
        return protocol >> 16 == _PROTOCOL >> 16

    def _ends_transaction(self, kind: bytes, body: bytes) -> bool:
        """Take notice of a message; True: it is a COMMIT whose answer shall be lost."""
        match kind:
            case b"Q":
                said = body.partition(b"\0")[0]
            case b"P":
                name, said, *_ = body.split(b"\0", 2)
                self._statements[name] = said
                return False
            case b"B":
                said = self._statements.get(body.split(b"\0", 2)[1], b"")
            case _:
                return False
        if said.startswith((b"COMMIT", b"ROLLBACK")):
            whole, self._transaction = self._transaction, b""
            return said.startswith(b"COMMIT") and self._wire.is_unheard(whole)
        self._transaction += said
        return False


@contextmanager
def wire(target: Path) -> Iterator[Wire]:
    """A wire to the server with this socket, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="ixwire-", dir="/tmp"))
    opened = Wire(folder, target)
    try:
        yield opened
    finally:
        opened.close()
        shutil.rmtree(folder)


def _exactly(source: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = source.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)
