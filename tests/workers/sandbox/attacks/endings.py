"""Bots that hold up or flood the worker: each comes to the one ending its fault has."""

from __future__ import annotations

from tests.workers.sandbox.attacks.attack import Attack, Expected

_CPU = Expected(ending="timeout", detail="CPU time")
_WALL = Expected(ending="timeout", detail="wall time", wall=True)
_SLEEP = "time.sleep(99)\n"
_SPIN_IN_THREADS = """
def spin():
    while True: pass
for _ in range(4): threading.Thread(target=spin).start()
"""


def _crash(detail: str) -> Expected:
    return Expected(ending="crash", detail=detail)


def _illegal(detail: str) -> Expected:
    return Expected(ending="illegal_action", detail=detail)


ATTACKS = [
    Attack("spins", "while True: pass\n", _CPU, cpu_ms=200),
    Attack("spins_in_threads", _SPIN_IN_THREADS, _CPU, cpu_ms=200),
    Attack("spins_at_start", "while True: pass\n", _CPU, cpu_ms=200, deaf=True),
    Attack("sleeps", _SLEEP, _WALL, wall_ms=300),
    Attack("deaf", _SLEEP, _WALL, wall_ms=300, deaf=True, question=b"x" * 1_000_000),
    Attack("closes_stdout", "os.close(1)\n" + _SLEEP, _WALL, wall_ms=300),
    Attack("closes_everything", "os.closerange(0, 64)\n" + _SLEEP, _WALL, wall_ms=300),
    Attack("answers_half", "os.write(1, b'half')\n" + _SLEEP, _WALL, wall_ms=300),
    Attack("stops_itself", "os.kill(1, 19); time.sleep(99)\n", _WALL, wall_ms=300),
    Attack("exits", "os._exit(3)\n", _crash("exit code 3")),
    Attack("ends_quietly", "pass\n", _crash("exit code 0")),
    Attack("raises", "raise SystemError('x')\n", _crash("exit code 1")),
    Attack("segfaults", "ctypes.string_at(0)\n", _crash("SIGSEGV")),
    Attack("floods_stdout", "while True: os.write(1, b'x' * 65536)\n", _illegal("65536 bytes")),
    Attack("floods_lines", "while True: os.write(1, b'x\\n' * 9999)\n", _illegal("second line")),
    Attack("floods_stderr", "while True: os.write(2, b'x' * 65536)\n", _crash("stderr")),
    Attack("two_lines", "os.write(1, b'a\\nb\\n')\n" + _SLEEP, _illegal("second line")),
    Attack("line_and_a_half", "os.write(1, b'a\\nb')\n" + _SLEEP, _illegal("second line")),
    Attack("long_line", "os.write(1, b'x' * 65537 + b'\\n')\n" + _SLEEP, _illegal("65536 bytes")),
]
