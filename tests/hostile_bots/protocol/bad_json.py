import talk

talk.play(lambda turn: talk.say("{not json"))
