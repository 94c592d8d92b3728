"""Webhooks: told at least once, signed, in their own time, and nowhere inside."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from arena_service.settings import SettingsError
from arena_service.store import deliveries, tournaments
from arena_service.store.database import Database
from arena_service.store.deliveries import PAUSES
from arena_service.store.errors import InvalidError
from arena_service.webhooks.addresses import check_url, is_inside
from arena_service.webhooks.posting import DELIVERY, SIGNATURE, PostError, post
from arena_service.webhooks.settings import WebhookSettings
from tests.arena_service.store.cup import LATER, Cup
from tests.arena_service.webhooks.receiver import Receiver, receiving
from workers.control import Control
from workers.courier import Courier

ALLOWED = WebhookSettings(private=True, dashboard="https://arena.example")
PATIENCE_SECONDS = 60.0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as told:
        yield told


@dataclass
class Told(Cup):
    """A tournament with a webhook."""

    url: str = ""

    def create(self, name: str, **changes: object) -> tournaments.TournamentRow:
        """With the address."""
        return super().create(name, **{"webhook_url": self.url, **changes})


def ended(db: Database, url: str) -> Told:
    cup = Told(db, entries=2, pairs=1, url=url)
    cup.start()
    cup.play_to_the_end()
    return cup


def test_it_is_told_signed_once_the_receiver_is_well(
    database: Database, receiver: Receiver
) -> None:
    receiver.statuses = [500, 302]
    cup, courier, now = ended(database, receiver.url), Courier(ALLOWED), LATER
    assert deliveries.announce(database, now, ALLOWED.dashboard) == 1
    assert deliveries.announce(database, now, ALLOWED.dashboard) == 0
    for attempt, error in ((1, "status 500"), (2, "status 302")):
        assert courier.deliver(database, now)
        assert not courier.deliver(database, now)
        row = deliveries.of_tournament(database, cup.id)
        assert row is not None
        assert (row.state, row.attempts) == ("waiting", attempt)
        assert error in row.error
        assert row.due_at == now + PAUSES[attempt - 1]
        now = row.due_at
    assert courier.deliver(database, now)
    assert not courier.deliver(database, now + timedelta(days=9))
    row = deliveries.of_tournament(database, cup.id)
    assert row is not None
    assert (row.state, row.attempts, row.error) == ("delivered", 3, "")
    assert len({headers[DELIVERY] for headers, _ in receiver.got}) == 1
    headers, body = receiver.got[-1]
    secret = deliveries.secret_of(database, cup.id).encode()
    signed = hmac.new(secret, body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={signed}"
    told = json.loads(body)
    assert told["delivery"] == headers[DELIVERY]
    assert told["link"] == "https://arena.example/tournaments?tournament=cup"
    assert (told["tournament"]["name"], told["tournament"]["state"]) == ("cup", "complete")
    assert [row["bot"] for row in told["standings"]] == ["bot-0", "bot-1"]


def test_a_tick_tells_it_without_waiting(database: Database, receiver: Receiver) -> None:
    cup = Told(database, entries=2, pairs=1, url=receiver.url)
    cup.start()
    cup.cancel()
    control = Control(database, ALLOWED)
    control.tick(LATER)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _is_delivered(database, cup.id):
        assert time.monotonic() < deadline, deliveries.of_tournament(database, cup.id)
        time.sleep(0.05)
    assert json.loads(receiver.got[0][1])["tournament"]["state"] == "cancelled"
    control.close()


def _is_delivered(db: Database, tournament: str) -> bool:
    row = deliveries.of_tournament(db, tournament)
    return row is not None and row.state == "delivered"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_it_is_given_up_after_so_many_attempts(database: Database) -> None:
    cup, courier, now = ended(database, "http://127.0.0.1:1/"), Courier(ALLOWED), LATER
    deliveries.announce(database, now, "")
    for _ in range(len(PAUSES) + 1):
        assert courier.deliver(database, now)
        now += timedelta(days=1)
    assert not courier.deliver(database, now)
    row = deliveries.of_tournament(database, cup.id)
    assert row is not None
    assert (row.state, row.attempts) == ("failed", len(PAUSES) + 1)
    assert "no answer" in row.error


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_dies_while_it_tells_leaves_the_rest_to_others(
    database: Database, receiver: Receiver
) -> None:
    ended(database, receiver.url)
    deliveries.announce(database, LATER, "")
    assert deliveries.claim(database, LATER) is not None  # and nothing more is heard of it
    assert not Courier(ALLOWED).deliver(database, LATER)
    assert Courier(ALLOWED).deliver(database, LATER + PAUSES[0])
    assert len(receiver.got) == 1


def test_it_leads_nowhere_inside(receiver: Receiver) -> None:
    with pytest.raises(PostError, match=r"not sent: 127\.0\.0\.1 leads into the arena's own"):
        post(receiver.url, "1", b"{}", "secret", private=False)
    port = receiver.url.split(":")[2].split("/")[0]
    with pytest.raises(PostError, match="not sent"):
        post(f"http://localhost:{port}/", "1", b"{}", "secret", private=False)
    assert receiver.got == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    ],
)
def test_what_is_inside(address: str) -> None:
    assert is_inside(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111"])
def test_what_is_outside(address: str) -> None:
    assert not is_inside(ipaddress.ip_address(address))


def test_who_answers_a_byte_at_a_time_is_not_waited_for() -> None:
    enough = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            peer, _ = listener.accept()
            with peer:
                while not enough.wait(0.1):
                    try:
                        peer.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        port = listener.getsockname()[1]
        with pytest.raises(PostError, match="no answer"):
            post(f"http://127.0.0.1:{port}/", "1", b"{}", "x", private=True, seconds=0.5)
        enough.set()
        thread.join()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "//example.com/",
        "http://user:word@example.com/",
        "http://example.com/#part",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://exa mple.com/",
        "http://example.com/\r\nX: y",
        "http://ex\u00e4mple.com/",
        "http://example.com/" + "x" * 500,
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidError, match="webhook_url"):
        check_url(url)


def test_settings_are_read_from_variables() -> None:
    found = WebhookSettings.from_environment({"INTERREX_DASHBOARD_URL": "https://x/"})
    assert found == WebhookSettings(False, "https://x")
    with pytest.raises(SettingsError, match="INTERREX_WEBHOOK_PRIVATE"):
        WebhookSettings.from_environment({"INTERREX_WEBHOOK_PRIVATE": "yes"})
