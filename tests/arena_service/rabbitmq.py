"""A RabbitMQ server for the tests, from the package of the system; nothing is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from amqp.exceptions import NotFound
from kombu.connection import Connection

from workers.lifetime import die_with_parent

START_SECONDS = 120.0
SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
# One thread that sleeps when idle: a machine of two processors has matches to play.
QUIET_ERLANG = "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none"


class RabbitMQ:
    """One node at a port of its own; it can be stopped, killed, emptied and started again."""

    def __init__(self, home: Path) -> None:
        """Its files lie in `home`; nothing runs before `start`."""
        assert SERVER.exists(), "the tests of faults need RabbitMQ: apt-get install rabbitmq-server"
        self.home = home
        self.port, self._distribution, self._names = _free_ports(3)
        self._node: subprocess.Popen[bytes] | None = None
        self._registry: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The setting of an arena."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    @property
    def pid(self) -> int:
        """Of the running node."""
        assert self._node is not None
        return self._node.pid

    def start(self) -> None:
        """Start the node on what it kept; returns when it answers."""
        if self._registry is None:
            self._registry = self._run("epmd", "-address", "127.0.0.1")
        # As under systemd the script becomes the node: what is killed then is the broker itself.
        self._node = self._run(str(SERVER), NOTIFY_SOCKET="/dev/null")
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._node.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"RabbitMQ did not start:\n{(self.home / 'log').read_text()}")
            time.sleep(0.1)

    def kill(self) -> None:
        """kill -9, as if the power went."""
        assert self._node is not None
        self._node.kill()
        self._node.wait()

    def empty(self) -> None:
        """Forget all that a node that does not run has kept: the next is another broker."""
        shutil.rmtree(self.home / "kept", ignore_errors=True)

    def purge(self, *queues: str) -> int:
        """Take every message out of the queues; returns how many."""
        with Connection(self.url) as broker:  # type: ignore[no-untyped-call]
            return sum(_purged(broker, queue) for queue in queues)

    def close(self) -> None:
        """End it all."""
        for each in (self._node, self._registry):
            if each is not None:
                each.send_signal(signal.SIGCONT)
                each.kill()
                each.wait()

    def _answers(self) -> bool:
        try:
            with Connection(self.url, connect_timeout=2) as broker:  # type: ignore[no-untyped-call]
                broker.connect()
        except OSError:
            return False
        return True

    def _run(self, *argv: str, **extra: str) -> subprocess.Popen[bytes]:
        kept = self.home / "kept"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "ERL_EPMD_PORT": str(self._names),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": str(self.home / "none"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": "/dev/null",
            "RABBITMQ_NODENAME": f"interrex{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self._distribution),
            "RABBITMQ_MNESIA_BASE": str(kept),
            "RABBITMQ_LOG_BASE": str(self.home),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": QUIET_ERLANG,
        }
        with (self.home / "log").open("ab") as log:
            return subprocess.Popen(
                argv,
                cwd=self.home,
                env={**environment, **extra},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )


@contextmanager
def server() -> Iterator[RabbitMQ]:
    """A node that answers, until the block ends."""
    home = Path(tempfile.mkdtemp(prefix="ixmq-", dir="/tmp"))
    broker = RabbitMQ(home)
    try:
        broker.start()
        yield broker
    finally:
        broker.close()
        shutil.rmtree(home, ignore_errors=True)


def _purged(broker: Connection, queue: str) -> int:
    """A broker that has just been replaced has no queue before somebody asks for one."""
    try:
        with broker.channel() as channel:
            return int(channel.queue_purge(queue))
    except NotFound:
        return 0


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports
