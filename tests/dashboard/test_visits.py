"""Signing in and out over HTTP, on the routes themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette

from arena_service.store import accounts, sign_ins
from arena_service.store.database import Database, open_database
from dashboard.visits import cookie
from dashboard.visits.routes import MAX_BODY, Visits, place
from dashboard.visits.throttle import MAX_ADDRESSES, TRIES, WITHIN_SECONDS, Throttle


class Site:
    """The routes on a fresh database, asked without a socket."""

    def __init__(self, db: Database) -> None:
        self.db, self.token = db, accounts.create_user(db, "ann")
        self.app = Starlette(routes=Visits(lambda: db).routes())

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of the answer, from a thread without the browser's own loop."""
        with start_blocking_portal() as portal:
            return portal.call(self._ask, method, path, body, headers)

    def sign_in(self, token: str, **more: str) -> tuple[int, dict[str, str], str]:
        return self.ask("POST", "/sign-in", urlencode({"token": token, **more}).encode())

    async def _ask(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], str]:
        said: list[dict[str, Any]] = []
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [
                (name.replace("_", "-").encode(), value.encode())
                for name, value in {"host": "arena.test", **headers}.items()
            ],
            "client": ("10.0.0.1", 1),
            "scheme": "http",
            "server": ("arena.test", 80),
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            said.append(message)

        await self.app(scope, receive, send)
        answered = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        text = b"".join(message.get("body", b"") for message in said[1:]).decode()
        return said[0]["status"], answered, text


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    database = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    database.migrate()
    yield Site(database)
    database.close()


def secret_of(headers: dict[str, str]) -> str:
    return headers["set-cookie"].partition(f"{cookie.NAME}=")[2].partition(";")[0]


def test_a_token_gives_a_strict_cookie_with_a_secret_of_its_own(site: Site) -> None:
    status, headers, _text = site.sign_in(site.token)
    assert (status, headers["location"]) == (303, "/bots")
    attributes = headers["set-cookie"].lower()
    assert "httponly" in attributes
    assert "samesite=strict" in attributes
    assert secret_of(headers) not in site.token
    found = sign_ins.visitor(site.db, secret_of(headers))
    assert found is not None
    assert found.name == "ann"


def test_signing_out_ends_the_visit_for_good(site: Site) -> None:
    secret = secret_of(site.sign_in(site.token)[1])
    status, headers, _text = site.ask("POST", "/sign-out", cookie=f"{cookie.NAME}={secret}")
    assert status == 303
    assert "max-age=0" in headers["set-cookie"].lower()
    assert sign_ins.visitor(site.db, secret) is None


def test_the_form_takes_the_token_by_post_alone_and_shows_it_to_nobody(site: Site) -> None:
    status, headers, text = site.ask("GET", "/sign-in")
    assert status == 200
    assert 'type="password"' in text
    assert 'method="post"' in text
    assert "no-store" in headers["Cache-Control".lower()]
    assert site.ask("GET", "/sign-out")[0] == 405


def test_what_lies_below_a_page_leads_to_the_page(site: Site) -> None:
    status, headers, _text = site.ask("GET", "/ladders/foo")
    assert (status, headers["location"]) == (303, "/ladders")
    assert site.ask("GET", "/ladders/_stcore/health")[0] == 404


def test_a_wrong_token_is_told_plainly_and_not_repeated(site: Site) -> None:
    status, headers, text = site.sign_in("ix_wrong")
    assert status == 401
    assert "not known here" in text
    assert "ix_wrong" not in text
    assert "set-cookie" not in headers


def test_wrong_tokens_are_bounded_and_keep_nobody_with_a_right_one_out(site: Site) -> None:
    for _try in range(TRIES):
        assert site.sign_in("ix_wrong")[0] == 401
    assert site.sign_in("ix_wrong")[0] == 429
    assert site.sign_in(site.token)[0] == 303


def test_the_language_stays_through_a_wrong_token_and_out_again(site: Site) -> None:
    text = site.ask("GET", "/sign-in?lang=de")[2]
    assert 'name="lang" value="de"' in text
    assert "Anmelden" in text
    text = site.sign_in("ix_wrong", lang="de")[2]
    assert '<html lang="de">' in text
    secret = secret_of(site.sign_in(site.token, lang="de")[1])
    left = site.ask("POST", "/sign-out?lang=de", cookie=f"{cookie.NAME}={secret}")
    assert left[1]["location"] == "/ladders?lang=de"


def test_a_form_of_another_site_signs_nobody_in_or_out(site: Site) -> None:
    body = urlencode({"token": site.token}).encode()
    assert site.ask("POST", "/sign-in", body, origin="http://evil.test")[0] == 403
    assert site.ask("POST", "/sign-in", body, origin="null")[0] == 403
    plain, encrypted = (
        site.ask("POST", "/sign-in", body, origin=f"{scheme}://arena.test")
        for scheme in ("http", "https")
    )
    assert plain[0] == encrypted[0] == 303
    assert "secure" not in plain[1]["set-cookie"].lower()
    assert "secure" in encrypted[1]["set-cookie"].lower()
    secret = secret_of(site.sign_in(site.token)[1])
    kept = f"{cookie.NAME}={secret}"
    assert site.ask("POST", "/sign-out", cookie=kept, origin="http://evil.test")[0] == 403
    assert sign_ins.visitor(site.db, secret) is not None


@pytest.mark.parametrize(
    ("wanted", "goes"),
    [
        ("match?replay=abc&ply=3", "match?replay=abc&ply=3"),
        ("", "bots"),
        ("//evil.test", "bots"),
        ("http://evil.test", "bots"),
        ("/\\evil.test", "bots"),
        ("match?replay=a\r\nx: y", "bots"),
    ],
)
def test_after_signing_in_one_never_leaves_the_dashboard(wanted: str, goes: str) -> None:
    assert place(wanted) == goes


def test_a_body_that_is_too_long_or_no_form_is_a_wrong_token(site: Site) -> None:
    assert site.ask("POST", "/sign-in", b"token=" + b"x" * MAX_BODY)[0] == 401
    assert site.ask("POST", "/sign-in", b"\xff\x00=&&;token")[0] == 401


def test_wrong_tries_are_forgotten_after_a_while_and_bounded_in_number() -> None:
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    for _try in range(TRIES):
        assert throttle.allows("a")
        throttle.note_wrong("a")
    assert not throttle.allows("a")
    assert throttle.allows("b")
    now[0] = WITHIN_SECONDS
    assert throttle.allows("a")
    for number in range(2 * MAX_ADDRESSES):
        throttle.note_wrong(str(number))
    assert len(throttle._wrong) == MAX_ADDRESSES
