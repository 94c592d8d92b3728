"""Random numbers anybody can repeat: SHA-256 in counter mode, and the seeds of an event."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, MutableSequence
from typing import TypeVar

T = TypeVar("T")

WORD = 1 << 64
SEED_BYTES = 32
BOT_SEED_BYTES = 16
KEY_BYTES = 32


class Stream:
    """The numbers of one label of a seed, in order."""

    def __init__(self, seed: bytes, label: str) -> None:
        """`seed` is 32 bytes, `label` ASCII."""
        self._words = _words(seed + label.encode("ascii"))

    def word(self) -> int:
        """The next number, 0 to 2^64 - 1."""
        return next(self._words)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        limit = WORD - WORD % n
        while (number := self.word()) >= limit:
            pass
        return number % n

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place, from the back."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _words(prefix: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(prefix + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def commitment(key: bytes) -> str:
    """What is published of an event's key before its entries close."""
    return hashlib.sha256(key).hexdigest()


def entrants_digest(entrants: Iterable[tuple[str, str]]) -> str:
    """Of pairs (bot id, artifact SHA-256 in hex), in any order."""
    lines = sorted(f"{bot}:{artifact}\n" for bot, artifact in entrants)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def deal_seed(
    key: bytes, event: str, entrants: str, pair: int, attempt: int | None = None
) -> bytes:
    """Shared by all legs of the pair; `attempt` only with a remote bot or a person, from 1."""
    further = "" if attempt is None else f"|{attempt}"
    return _mac(key, f"interrex/deal/1|{event}|{entrants}|{pair}{further}")


def bot_seed(key: bytes, event: str, entrants: str, pair: int, leg: int, seat: int) -> str:
    """For the bot's own use: 32 hex digits."""
    return _mac(key, f"interrex/bot/1|{event}|{entrants}|{pair}|{leg}|{seat}")[
        :BOT_SEED_BYTES
    ].hex()


def draw_seed(key: bytes, event: str, entrants: str, purpose: str) -> bytes:
    """For one purpose of pairing or seating: the numbers of `Stream(seed, "draw")`."""
    return _mac(key, f"interrex/draw/1|{event}|{entrants}|{purpose}")


def _mac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode("ascii"), "sha256")
