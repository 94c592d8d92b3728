"""Tie a process to the one that started it: a kill -9 of the parent leaves nothing behind."""

from __future__ import annotations

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> None:
    """Ask the kernel for SIGKILL when the process `parent` ends; called in the forked child.

    The kernel watches the *thread* that forked: parents start their children from the main thread.
    Raises OSError when the kernel refuses.
    """
    if _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) was refused")
    if os.getppid() != parent:  # it ended before the request reached the kernel
        os.kill(os.getpid(), signal.SIGKILL)
