import sys

import talk


def misbehave(turn):
    print("thinking", file=sys.stderr, flush=True)
    while True:
        pass


talk.play(misbehave)
