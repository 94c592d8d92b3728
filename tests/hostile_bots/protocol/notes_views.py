"""Honest, but ends the process as soon as it holds a hand that it has seen at any seat before."""

import sys

import talk

known = set()
seat = None
opening = True
while True:
    message = talk.hear()
    if message["type"] == "hello":
        seat, opening = message["seat"], True
        talk.say('{"type":"ready"}')
    elif message["type"] == "turn":
        view = message["view"]
        if opening:
            opening = False
            hand = tuple(view["hands"][seat])
            if hand in known:
                sys.exit("I know this deal")
            known.add(hand)
        tricks = [trick for trick in view["tricks"] if trick["phase"] == 1]
        if len(tricks) == 13:
            theirs = [t["cards"][0 if t["leader"] != seat else 1] for t in tricks]
            known.add(tuple(sorted(theirs, key=lambda card: ("GKUDX".index(card[0]), card[1:]))))
        talk.say(talk.action(message))
