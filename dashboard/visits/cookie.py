"""The cookie that stands for a visit: a secret of its own, never the token."""

from __future__ import annotations

from starlette.responses import Response

from arena_service.store.sign_ins import LIFETIME

NAME = "interrex_visit"


def put(response: Response, secret: str, secure: bool) -> None:
    """No script can read it, and no other site's page can make the browser send it."""
    response.set_cookie(
        NAME,
        secret,
        max_age=int(LIFETIME.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=secure,
    )


def take(response: Response) -> None:
    """Let the browser forget it."""
    response.delete_cookie(NAME, httponly=True, samesite="strict")
