"""A wire between a worker and the API that can be cut, or keep what the arena answers."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wire:
    """Passes bytes on between who connects to `address` and `target` (HOST:PORT)."""

    def __init__(self, target: str) -> None:
        """Listens at a free port of this machine."""
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._answers = threading.Event()
        self._answers.set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where a worker connects."""
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def keep_answers(self) -> None:
        """From now on nothing that the arena says arrives."""
        self._answers.clear()

    def cut(self) -> None:
        """End every connection, with what is under way; later ones work."""
        for each in self._open[:]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._answers.set()

    def close(self) -> None:
        """End it all."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target)
            except OSError:  # nobody is there
                near.close()
                continue
            self._open += [near, far]
            for source, sink, held in ((near, far, None), (far, near, self._answers)):
                threading.Thread(target=_pass_on, args=(source, sink, held), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket, held: threading.Event | None) -> None:
    """What comes while it is held goes nowhere."""
    with contextlib.suppress(OSError), source, sink:
        while data := source.recv(2**16):
            if held is None or held.is_set():
                sink.sendall(data)
        sink.shutdown(socket.SHUT_RDWR)
