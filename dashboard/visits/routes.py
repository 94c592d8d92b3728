"""Signing in and out by plain HTTP beside the pages: no page's state ever holds the token."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from arena_service.store import sign_ins
from arena_service.store.database import Database
from dashboard.i18n import text
from dashboard.i18n.reader import PARAMETER
from dashboard.i18n.text import _
from dashboard.visits import cookie, form
from dashboard.visits.throttle import Throttle
from engine_service.logs import get_logger

log = get_logger("interrex.dashboard")

MAX_BODY = 4096
HOME = "bots"
PAGES = ("ladders", "tournaments", "matches", "match", "bots", "bot", "status")
_PLACE = re.compile(r"[a-z]{1,20}(\?[A-Za-z0-9_.~%&=+/-]{0,500})?")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Visits:
    """The routes; `database` is asked for at the first use, in the server's own process."""

    def __init__(self, database: Callable[[], Database]) -> None:
        """Nobody has tried a wrong token yet."""
        self._database, self._throttle = database, Throttle()

    def routes(self) -> list[Route]:
        """GET /sign-in shows the form; POST to it opens a visit, POST to /sign-out ends it.

        What lies below a page is none: Streamlit would answer with one that stays blank.
        """
        return [
            Route("/sign-in", self.show_form, methods=["GET"]),
            Route("/sign-in", self.sign_in, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            *(Route(f"/{page}/{{below:path}}", _nothing_there) for page in PAGES),
        ]

    async def show_form(self, request: Request) -> Response:
        """The empty form."""
        _listen(request)
        return _page(form.html(place(request.query_params.get("next", ""))))

    async def sign_in(self, request: Request) -> Response:
        """Open a visit and go where the reader wanted to; or say plainly why not.

        A right token is never refused: behind a proxy all readers share one address.
        """
        fields = await _fields(request)
        _listen(request, fields.get(PARAMETER, ""))
        wanted = place(fields.get("next", ""))
        address = request.client.host if request.client else ""
        if not _from_here(request):
            return _page(form.html(wanted, _("Please sign in from this page itself.")), 403)
        secret = await run_in_threadpool(
            sign_ins.sign_in, self._database(), fields.get("token", "").strip()
        )
        if secret is None:
            return self._refuse(address, wanted)
        response = RedirectResponse(f"/{wanted}", 303, _HEADERS)
        cookie.put(response, secret, secure=_is_encrypted(request))
        return response

    def _refuse(self, address: str, wanted: str) -> Response:
        """Say that the token is unknown; to an address that guesses, no more than to wait."""
        if not self._throttle.allows(address):
            said = _("Too many wrong tokens. Wait a minute, then try again.")
            return _page(form.html(wanted, said), 429)
        self._throttle.note_wrong(address)
        log.warning("a token that is not known was shown", address=address)
        said = _("This token is not known here. Copy it once more, whole.")
        return _page(form.html(wanted, said), 401)

    async def sign_out(self, request: Request) -> Response:
        """End the visit of the cookie, if there is one."""
        if not _from_here(request):
            return Response(status_code=403)
        secret = request.cookies.get(cookie.NAME)
        if secret:
            await run_in_threadpool(sign_ins.sign_out, self._database(), secret)
        response = RedirectResponse(_home(request), 303, _HEADERS)
        cookie.take(response)
        return response


def place(wanted: str) -> str:
    """A page of the dashboard with its parameters, or the reader's own bots: never another site."""
    return wanted if _PLACE.fullmatch(wanted) else HOME


async def _nothing_there(request: Request) -> Response:
    """Lead from below a page to the page; the browser's own look for a server there finds none."""
    if not request.path_params["below"].startswith("_stcore"):
        return RedirectResponse(f"/{request.url.path.split('/')[1]}", 303)
    return Response(status_code=404)


def _home(request: Request) -> str:
    """The first page, in the language of the page that one leaves."""
    language = text.known(request.query_params.get(PARAMETER, ""))
    return f"/ladders?{PARAMETER}={language}" if language else "/"


def _listen(request: Request, chosen: str = "") -> None:
    browser = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]
    wanted = chosen or request.query_params.get(PARAMETER, "")
    text.speak(
        text.known(wanted) or text.fixed_language() or text.known(browser.strip()) or text.SOURCE
    )


def _is_encrypted(request: Request) -> bool:
    """Whether the browser came by TLS; where a proxy ends it, only the browser can say."""
    origin = request.headers.get("origin", "")
    return "https" in (request.url.scheme, urlsplit(origin).scheme)


def _from_here(request: Request) -> bool:
    """Browsers name the page that posts; a form of another site may sign nobody in or out."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a small form; one that is too long has none."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return {}
    found = parse_qs(body.decode("latin-1"), max_num_fields=10)
    return {name: values[0] for name, values in found.items()}


def _page(html: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(html, status, _HEADERS)
