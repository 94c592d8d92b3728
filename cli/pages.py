"""Whole lists from an API that answers in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

AT_ONCE = 200


class Paged(Protocol):
    """A request for a page."""

    page_size: int
    page_token: str


class Answered(Protocol):
    """A page."""

    @property
    def next_page_token(self) -> str:
        """Empty: there are no more."""


Request = TypeVar("Request", bound=Paged)
Answer = TypeVar("Answer", bound=Answered)


def pages(call: Callable[[Request], Answer], request: Request) -> Iterator[Answer]:
    """Every page, one call each."""
    request.page_size = AT_ONCE
    while True:
        answer = call(request)
        yield answer
        if not answer.next_page_token:
            return
        request.page_token = answer.next_page_token
