"""Wants to be stopped when its time is measured; where it cannot be, it sleeps."""

import os
import signal
import time

import talk


def misbehave(turn):
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.01)


talk.play(misbehave)
