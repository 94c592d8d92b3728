"""A challenge: one group of bots, unrated."""

from __future__ import annotations

from arena_service.formats.format import Extends
from arena_service.formats.round_robin import RoundRobin


class Challenge(RoundRobin):
    """Everybody named sits in the one group there is, in a drawn order, for all pairs."""

    rated = False
    extends = Extends.NOTHING
