"""The entry of the command `interrex`: Ctrl-C ends it quietly from its first moment on."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # as a shell says it: 128 and the number of SIGINT


def run() -> None:
    """Entry point of the script."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    if os.environ.get("COLUMNS") == "0":  # nobody knows how wide it is: nothing would be drawn
        del os.environ["COLUMNS"]
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)
    from cli.commands import app  # takes a moment, in which there is nothing to clear up

    signal.signal(signal.SIGINT, before)
    app()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
