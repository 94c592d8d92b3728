"""What an exported replay can carry beside its plies: the legal actions and what each seat saw."""

from __future__ import annotations

from typing import Any

from engine_service.catalogue import game as find_game


def annotate(replay: dict[str, Any], *, legal: bool, views: bool) -> dict[str, Any]:
    """The replay with `legal` and `views` at every ply, as they were before it; same digest.

    `views` are by seat. The replay must have been verified.
    """
    if not (legal or views):
        return replay
    game = find_game(replay["game"])
    options = game.parse_options(replay["options"])
    state = game.deal_from_plain(replay["deal"], options, replay["seats"])
    plies = []
    for ply in replay["plies"]:
        extra: dict[str, Any] = {}
        if legal:
            extra["legal"] = [game.notation(action) for action in game.legal_actions(state)]
        if views:
            seats = range(replay["seats"])
            extra["views"] = [game.view_to_plain(game.view(state, seat)) for seat in seats]
        plies.append({**ply, **extra})
        state = game.apply(state, game.parse(ply["action"]))
    return {**replay, "plies": plies}
