"""Bots on this machine: the sandbox of the arena, and what to say when it cannot be had."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cli.failures import Failure
from workers.match.clock import HostStall
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.staging import Runtime


@contextlib.contextmanager
def home_runtime() -> Iterator[Runtime]:
    """A staged sandbox; what this machine cannot do becomes a Failure."""
    with tempfile.TemporaryDirectory(prefix="interrex-home-") as run_dir:
        try:
            runtime = Runtime.prepare(Path(run_dir))
            try:
                yield runtime
            finally:
                runtime.close()
        except SandboxRefused as error:
            raise Failure(f"bots cannot be run safely on this machine: {error}") from error
        except HostStall as error:
            raise Failure(f"this machine is too busy to time bots fairly: {error}") from error
