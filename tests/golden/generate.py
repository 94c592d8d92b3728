"""Writes the golden replays again: `python tests/golden/generate.py`.

Only together with a new `rules_version`. Each match is the first random one of its kind.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import claim_matches
import hidden_leaders_matches
import king_matches

from engine_service.core import replay

FOLDER = Path(__file__).parent


def main() -> None:
    (FOLDER / "refused").mkdir(exist_ok=True)
    games = (claim_matches, king_matches, hidden_leaders_matches)
    for name, document in chain.from_iterable(game.replays() for game in games):
        (FOLDER / f"{name}.replay.json").write_bytes(replay.write(document))


if __name__ == "__main__":
    main()
