"""A bot that takes its time, so that kills land inside matches; the same in every attempt."""

import sys
import time

from bots.sdk import Bot, Turn, run

CPU_SECONDS = 0.002
STRIDE = int(sys.argv[1])


class Slow(Bot):
    """Burns a little CPU, sleeps a little, and answers what only the turn decides."""

    def choose(self, turn: Turn) -> str:
        """An action of the list, by ply."""
        until = time.process_time() + CPU_SECONDS
        while time.process_time() < until:
            pass
        time.sleep(float(sys.argv[2]))
        return turn.legal[STRIDE * turn.ply % len(turn.legal)]


if __name__ == "__main__":
    run(Slow)
