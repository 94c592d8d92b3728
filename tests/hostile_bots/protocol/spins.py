import talk


def misbehave(turn):
    while True:
        pass


talk.play(misbehave)
