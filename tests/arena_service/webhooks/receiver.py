"""A server that is told of tournaments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """Answers with the `statuses` in turn, then with what `otherwise` gives; keeps what it got."""

    statuses: list[int] = field(default_factory=list)
    otherwise: Callable[[], int] = lambda: 204
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""

    def answer(self) -> int:
        """The next status."""
        return self.statuses.pop(0) if self.statuses else self.otherwise()


@contextmanager
def receiving() -> Iterator[Receiver]:
    """On a free port of this machine."""
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.got.append((dict(self.headers), body))
            self.send_response(told.answer())
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quietly."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}/told?by=arena"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
