import sys

import talk


def misbehave(turn):
    while True:
        sys.stdout.write("x\n" * 4096)


talk.play(misbehave)
