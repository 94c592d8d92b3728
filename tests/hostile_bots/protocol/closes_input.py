"""Closes its input and lives on."""

import os
import time

import talk


def misbehave(turn):
    os.close(0)
    time.sleep(600)


talk.play(misbehave)
