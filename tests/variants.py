"""Options beyond the defaults that every game is tried with."""

from engine_service.core.game import Plain

# By game; one without an entry is tried on its defaults.
VARIANTS: dict[str, list[Plain]] = {
    "claim": [{"blind_peek": True}],
    "king_is_dead": [{"variant": "cunning"}],
    "hidden_leaders_duel": [{"hidden_factions": True}],
    "bids": [{"cards": 3}],  # the example of another distribution, where it is installed
}
