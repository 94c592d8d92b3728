"""Honest and diligent: 10 ms of CPU time for every decision, or as many as it is told."""

import sys
import time

import talk

CPU_S = float(sys.argv[1] if len(sys.argv) > 1 else 10) / 1000


def think(turn):
    until = time.process_time() + CPU_S
    while time.process_time() < until:
        pass
    talk.say(talk.action(turn))


talk.HONEST_TURNS = 0
talk.play(think)
