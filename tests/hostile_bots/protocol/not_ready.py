import talk

talk.hear()
talk.say('{"type":"steady"}')
talk.hear()
