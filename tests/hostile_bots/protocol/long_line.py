import talk

talk.play(lambda turn: talk.say(talk.action(turn, note="x" * 70000)))
