"""Actions as they are told: what each seat sees of one, and the words that others share."""

from __future__ import annotations

from typing import Any

from engine_service.core.game import Game

Key = int | str  # the action for a seat that sees all of it, else what it sees
Words = tuple[int, ...]  # a number for each word of a notation at its place


class Notation:
    """Asks the rules once for each action."""

    def __init__(self, game: Game, options: Any, seats: int) -> None:
        """Nothing asked yet."""
        self._game = game
        self._options = options
        self._seats = range(seats)
        self._keys: dict[tuple[int, int], tuple[Key, ...]] = {}
        self._words: dict[int, Words] = {}
        self._numbers: dict[tuple[int, str], int] = {}

    def keys(self, action: int, actor: int) -> tuple[Key, ...]:
        """By seat; actions that a seat cannot tell apart have one key for it."""
        found = self._keys.get((action, actor))
        if found is None:
            found = tuple(self._key(action, actor, seat) for seat in self._seats)
            self._keys[action, actor] = found
        return found

    def words(self, action: int) -> Words:
        """`take 0 4` and `take 0 9` share two of three."""
        found = self._words.get(action)
        if found is None:
            placed = enumerate(self._game.notation(action).split())
            numbers = self._numbers
            found = tuple(numbers.setdefault(word, len(numbers)) for word in placed)
            self._words[action] = found
        return found

    def _key(self, action: int, actor: int, seat: int) -> Key:
        told = self._game.event_notation(action, actor, seat, self._options)
        return action if told == self._game.notation(action) else told
