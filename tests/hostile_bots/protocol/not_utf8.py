import sys

import talk


def misbehave(turn):
    sys.stdout.buffer.write(talk.action(turn, note="~").encode().replace(b"~", b"\xff") + b"\n")
    sys.stdout.buffer.flush()


talk.play(misbehave)
