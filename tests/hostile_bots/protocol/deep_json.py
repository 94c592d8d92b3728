import talk

talk.play(lambda turn: talk.say(talk.action(turn)[:-1] + ',"x":' + "[" * 30000))
