import json

import talk

talk.play(lambda turn: talk.say(json.dumps({"type": "resign", "turn": turn["turn"]})))
