"""Bids: for each prize every seat bids one card, face down; the best bid takes it.

Cards and prizes are numbered from 1 to `cards`. Prizes are turned up one by one, and each seat bids
in turn. The bids are shown when all are made; equal best bids take nothing. Most points win.
"""

from interrex_bids.game import GAME

__all__ = ["GAME"]
