import talk

talk.play(lambda turn: talk.say(talk.action(turn, turn=turn["turn"] + 1)))
