import talk


def misbehave(turn):
    hoard = []
    while True:
        hoard.append(bytearray(64 << 20))


talk.play(misbehave)
