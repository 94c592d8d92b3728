"""Other hosts on this machine: network namespaces, each with an address and a link of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Host:
    """A host named `name`, reached at `address`; it reaches this machine at `gateway`."""

    name: str
    space: str
    link: str
    gateway: str
    address: str

    def on(self, *command: str) -> list[str]:
        """The command line that runs a command there, under the host's own name."""
        named = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name]
        return ["nsenter", f"--net=/run/netns/{self.space}", "--", *named, *command]

    def cut_off(self) -> None:
        """Its link goes down: packets are lost, connections stay open at both ends."""
        _ip("link", "set", self.link, "down")

    def connect(self) -> None:
        """Its link comes up again."""
        _ip("link", "set", self.link, "up")


@contextmanager
def host(name: str, number: int) -> Iterator[Host]:
    """A host until the block ends; `number` (0 to 62) sets its addresses apart from others'."""
    assert os.geteuid() == 0, "other hosts are network namespaces: run these tests as root"
    space, link = f"ix-{os.getpid()}-{number}", f"ix{os.getpid() % 10**7}v{number}"
    # A network of two addresses, from the block that is kept for benchmarks (RFC 2544).
    base = f"198.{18 + os.getpid() % 2}.{os.getpid() // 2 % 256}"
    gateway, address = f"{base}.{4 * number + 1}", f"{base}.{4 * number + 2}"
    _ip("netns", "add", space)
    try:
        _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
        _ip("address", "add", f"{gateway}/30", "dev", link)
        _ip("link", "set", link, "up")
        for words in (
            ["address", "add", f"{address}/30", "dev", "eth0"],
            ["link", "set", "eth0", "up"],
            ["link", "set", "lo", "up"],
        ):
            _ip("-netns", space, *words)
        yield Host(name, space, link, gateway, address)
    finally:
        _ip("netns", "delete", space)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"
