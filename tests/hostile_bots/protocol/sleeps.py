import time

import talk

talk.play(lambda turn: time.sleep(600))
