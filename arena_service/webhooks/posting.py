"""One POST to a webhook, signed, bounded in time; nothing of the answer but its status is read."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import secrets
import socket
import ssl
import threading

from arena_service.webhooks.addresses import RefusedError, Target, parse, resolve

SECONDS = 10.0  # for all of it, once the name is resolved
DELIVERY = "Interrex-Delivery"
SIGNATURE = "Interrex-Signature"


class PostError(Exception):
    """It has not arrived, in words for the owner of the tournament."""


def new_secret(url: str) -> str:
    """What signs the deliveries to an address; empty where there is none."""
    return secrets.token_urlsafe(32) if url else ""


def sign(secret: str, body: bytes) -> str:
    """What stands in the header SIGNATURE."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def post(
    url: str, delivery: str, body: bytes, secret: str, *, private: bool, seconds: float = SECONDS
) -> None:
    """Deliver it; raises PostError for all but an answer of 200 to 299, redirects too."""
    target = parse(url)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "interrex",
        DELIVERY: delivery,
        SIGNATURE: sign(secret, body),
    }
    try:
        status = _status(target, resolve(target, private=private), headers, body, seconds)
    except RefusedError as error:
        raise PostError(f"not sent: {error}") from error
    except (OSError, http.client.HTTPException) as error:
        said = str(error) or type(error).__name__
        raise PostError(f"no answer: {' '.join(said.split())[:200]}") from error
    if not 200 <= status <= 299:
        raise PostError(f"answered with status {status}")


def _status(
    target: Target, address: str, headers: dict[str, str], body: bytes, seconds: float
) -> int:
    with contextlib.ExitStack() as closing:
        connected = socket.create_connection((address, target.port), timeout=seconds)
        wire = closing.enter_context(_wrapped(connected, target))
        alarm = threading.Timer(seconds, _cut, [wire])
        alarm.daemon = True
        alarm.start()
        closing.callback(alarm.cancel)
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()
        connection = http.client.HTTPConnection(target.host, target.port)
        connection.sock = wire  # to the address that was looked at
        connection.request("POST", target.path, body, headers)
        return connection.getresponse().status


def _wrapped(connected: socket.socket, target: Target) -> socket.socket:
    if target.scheme == "http":
        return connected
    context = ssl.create_default_context()
    return context.wrap_socket(
        connected, server_hostname=target.host, do_handshake_on_connect=False
    )


def _cut(wire: socket.socket) -> None:
    """Who sends a byte now and then is not waited for."""
    with contextlib.suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)
