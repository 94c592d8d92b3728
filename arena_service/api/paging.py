"""Pages of a list: how many rows, from where on, and the token of the page after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from arena_service.api.errors import invalid

DEFAULT_PAGE = 50
MAX_PAGE = 200
Row = TypeVar("Row")


class Paged(Protocol):
    """A request for a page."""

    page_size: int
    page_token: str


@dataclass(frozen=True)
class Page(Generic[Row]):
    """The rows that are shown; the token is empty when there are no more."""

    rows: Sequence[Row]
    next_token: str


@dataclass(frozen=True)
class Cut:
    """Where a page begins and ends; `limit` is one more than is shown, to know of another page."""

    offset: int
    size: int

    @property
    def limit(self) -> int:
        """How many rows to read."""
        return self.size + 1

    def page(self, rows: Sequence[Row]) -> Page[Row]:
        """The page of what was read."""
        more = len(rows) > self.size
        return Page(rows[: self.size], str(self.offset + self.size) if more else "")


def cut(request: Paged) -> Cut:
    """What a request asks for; raises ApiError."""
    size, token = request.page_size, request.page_token
    if not 0 <= size <= MAX_PAGE:
        raise invalid("BAD_VALUE", "page_size", f"page_size: expected 0 to {MAX_PAGE}")
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise invalid("BAD_VALUE", "page_token", "page_token: expected one from an answer before")
    return Cut(int(token or 0), size or DEFAULT_PAGE)
