import sys

import talk


def misbehave(turn):
    while True:
        sys.stderr.write("x" * 4096)


talk.play(misbehave)
