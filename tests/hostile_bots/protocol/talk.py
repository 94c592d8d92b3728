"""The honest half of a hostile bot: it plays first-legal for a while, then does its worst."""

import json
import sys

HONEST_TURNS = 2


def hear():
    """The next message; ends with the input."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def say(text):
    """Write one line, whatever it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def action(asked, **changes):
    """A legal answer, with changes."""
    return json.dumps(
        {"type": "action", "turn": asked["turn"], "action": asked["legal"][0], **changes}
    )


def play(misbehave):
    """Honest for two turns of every match; then `misbehave(turn)` answers."""
    turns = 0
    while True:
        message = hear()
        if message["type"] == "hello":
            turns = 0
            say('{"type":"ready"}')
        elif message["type"] == "turn":
            turns += 1
            if turns > HONEST_TURNS:
                misbehave(message)
            else:
                say(action(message))
