import sys

import talk


def misbehave(turn):
    print("my last words", file=sys.stderr)
    sys.exit(3)


talk.play(misbehave)
