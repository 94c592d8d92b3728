"""What the browser tests do on every page: sign in, wait until it is drawn, listen to the wire."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocket, expect

from tests.dashboard.seeded import Seeded


def every_page(arena: Seeded) -> list[str]:
    """An address of every kind of page, with the bots and matches that are special."""
    match, bot = arena.matches, arena.bots
    return [
        "",
        "ladders?ladder=claim-daily&show=versus",
        "ladders?ladder=claim-daily&show=ratings",
        "ladders?ladder=claim-daily&show=slots",
        "tournaments",
        "tournaments?tournament=spring-cup",
        "tournaments?tournament=winter-cup&show=versus",
        "tournaments?tournament=winter-cup&show=strength",
        "tournaments?tournament=winter-cup&show=fairness",
        "matches",
        f"match?replay={match['timeout']}&view=all",
        f"match?replay={match['half']}",
        "bots",
        f"bot?id={bot['hostile']}",
        f"bot?id={bot['broken']}",
        "status",
    ]


def visit(page: Page, address: str) -> None:
    """Open a page and wait until it is drawn; an exception on it fails the test."""
    page.goto(address)
    expect(page.locator("header.ix-top")).to_be_visible()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    expect(page.locator(".stException")).to_have_count(0)


def stays_text(page: Page, address: str) -> None:
    """No name and no stderr became an element of the page."""
    assert page.locator("img[src=x]").count() == 0, address
    assert page.locator("script", has_text="alert(").count() == 0, address


def sign_in(page: Page, dashboard: str, token: str) -> None:
    """Sign in by the form."""
    page.goto(f"{dashboard}/sign-in")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="My bots")).to_be_visible()


class Wire:
    """Everything that the server sent to a page over its sockets, and how often the page asked."""

    def __init__(self, page: Page) -> None:
        """Listens from the next page on."""
        self.received: list[bytes] = []
        self.asked = 0
        page.on("websocket", self._listen)

    def says(self, text: str) -> bool:
        """Whether the text came over the wire, anywhere."""
        return any(text.encode() in frame for frame in self.received)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._keep)
        socket.on("framesent", self._count)

    def _keep(self, frame: str | bytes) -> None:
        self.received.append(frame.encode() if isinstance(frame, str) else frame)

    def _count(self, _frame: str | bytes) -> None:
        self.asked += 1
