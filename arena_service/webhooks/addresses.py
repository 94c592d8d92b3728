"""Where webhooks may lead: http or https, and by default nowhere into the arena's own network."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from arena_service.store.errors import InvalidError

MAX_LENGTH = 500
PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_EXPECTED = f"http:// or https:// with a host, at most {MAX_LENGTH} printable ASCII characters"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RefusedError(Exception):
    """A webhook leads where the arena does not go."""


@dataclass(frozen=True)
class Target:
    """An address in parts; `path` with its query."""

    scheme: str
    host: str
    port: int
    path: str


def check_url(url: str) -> None:
    """Raises InvalidError for what is no address of a webhook; empty: there is none."""
    if url:
        parse(url)


def parse(url: str) -> Target:
    """The parts of an address; raises InvalidError."""
    if len(url) > MAX_LENGTH or not all("!" <= letter <= "~" for letter in url):
        raise InvalidError("webhook_url", _EXPECTED)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidError("webhook_url", _EXPECTED) from error
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise InvalidError("webhook_url", _EXPECTED)
    if "@" in parts.netloc or parts.fragment:
        raise InvalidError("webhook_url", f"{_EXPECTED}, no user and no fragment")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname, port or PORTS[parts.scheme], path)


def resolve(target: Target, *, private: bool) -> str:
    """The address to connect to; the name is looked up once, so that it cannot change its mind.

    Raises RefusedError when one that the name stands for is of this machine or its network, unless
    `private` ones are allowed, and OSError when it stands for none.
    """
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not private:
        for each in addresses:
            if is_inside(ipaddress.ip_address(each.partition("%")[0])):
                raise RefusedError(
                    f"{target.host[:100]} leads into the arena's own network; the address must be "
                    "public, or the arena's operator sets INTERREX_WEBHOOK_PRIVATE=1"
                )
    return addresses[0]


def is_inside(address: Address) -> bool:
    """Whether an address is not of the public internet, or is one of this very machine."""
    if isinstance(address, ipaddress.IPv6Address):
        within = address.ipv4_mapped or address.sixtofour
        if within is None and address in _NAT64:
            within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if within is not None and is_inside(within):
            return True
        if address.teredo is not None:
            return True
    if not address.is_global or address.is_multicast or address.is_reserved:
        return True
    return _is_of_this_machine(address)


def _is_of_this_machine(address: Address) -> bool:
    """Nobody can listen at the address of another machine."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
