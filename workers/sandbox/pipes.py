"""The three pipes of a bot: never blocking, and never more kept than the limits say."""

from __future__ import annotations

import os
import select

from workers.sandbox.faults import Fault
from workers.sandbox.limits import LINE_BYTES, STDERR_BYTES, STDERR_KEPT_BYTES, UNREAD_BYTES

_CHUNK = 1 << 16


class Pipes:
    """Buffers around a bot's stdin, stdout and stderr."""

    def __init__(self, stdin: int, stdout: int, stderr: int, process: int) -> None:
        """Take the descriptors, which stay the caller's to close; `process` is a pidfd."""
        self.stdin, self.stdout, self.stderr, self.process = stdin, stdout, stderr, process
        self.unsent = bytearray()
        self.unread = bytearray()
        self.log = bytearray()
        self.log_bytes = 0
        self.ended = False
        self._stdout_open = self._stderr_open = True
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)

    def pump(self, timeout_s: float) -> None:
        """Wait until something can be moved, the bot ends or the time is over; move it."""
        readers = [self.process] if not self.ended else []
        readers += [self.stdout] if self._stdout_open else []
        readers += [self.stderr] if self._stderr_open else []
        writers = [self.stdin] if self.unsent and not self.ended else []
        poll = select.poll()
        for descriptor in readers:
            poll.register(descriptor, select.POLLIN)
        for descriptor in writers:
            poll.register(descriptor, select.POLLOUT)
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, timeout_s) * 1000)}
        if self.stdin in ready:
            self._write()
        if self.stderr in ready:
            self._read_stderr()
        if self.stdout in ready:
            self._read_stdout()
        if self.process in ready:
            self._drain()

    def take_line(self) -> bytes | None:
        """The first whole line that waits, without its newline."""
        end = self.unread.find(b"\n")
        if end < 0:
            return None
        line = bytes(self.unread[:end])
        del self.unread[: end + 1]
        return line

    def fault(self) -> Fault | None:
        """What the amounts alone say against the bot."""
        if self.log_bytes > STDERR_BYTES:
            return Fault("crash", f"more than {STDERR_BYTES} bytes on stderr")
        if len(self.unread) > UNREAD_BYTES:
            return Fault("crash", f"more than {UNREAD_BYTES} bytes of unread output")
        end = self.unread.find(b"\n")
        if (end if end >= 0 else len(self.unread)) > LINE_BYTES:
            return Fault("illegal_action", f"a line of more than {LINE_BYTES} bytes")
        return None

    def forget_log(self) -> None:
        """Start the log and its count anew."""
        self.log.clear()
        self.log_bytes = 0

    def _write(self) -> None:
        try:
            del self.unsent[: os.write(self.stdin, self.unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the bot closed its input: what it does not read is its own affair
            self.unsent.clear()

    def _read_stdout(self) -> None:
        data = _read(self.stdout)
        if data == b"":
            self._stdout_open = False
        self.unread += data or b""

    def _read_stderr(self) -> None:
        data = _read(self.stderr)
        if data == b"":
            self._stderr_open = False
        self.log_bytes += len(data or b"")
        self.log += data or b""
        del self.log[:-STDERR_KEPT_BYTES]

    def _drain(self) -> None:
        """The bot is gone: what it left in the pipes is all there will be."""
        self.ended = True
        for read in (self._read_stdout, self._read_stderr):
            for _ in range(UNREAD_BYTES // _CHUNK + 1):
                before = len(self.unread) + self.log_bytes
                read()
                if len(self.unread) + self.log_bytes == before:
                    break


def _read(descriptor: int) -> bytes | None:
    """What waits; empty at the end of the stream, None when nothing waits."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
