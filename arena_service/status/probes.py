"""Engine and broker keep no row in the database: whoever reports asks them, briefly."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import grpc
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc
from kombu.connection import Connection

from arena_service.settings import Settings
from arena_service.status.report import LOST_SECONDS, ProcessRow

DEADLINE_SECONDS = 1.0
KEPT_SECONDS = 2.0


@dataclass
class _Service:
    """One service and when it answered last; before its first answer it counts as long lost."""

    kind: str
    place: str
    answers: Callable[[], bool]
    answered_at: float = field(default_factory=lambda: time.monotonic() - LOST_SECONDS)

    def ask(self) -> ProcessRow:
        asked = time.monotonic()
        if self.answers():
            self.answered_at = time.monotonic()
            took = (self.answered_at - asked) * 1000
            return ProcessRow(self.kind, self.place, 0, 0.0, None, f"answered in {took:.0f} ms")
        # Silence is certain here, however young the last answer is.
        silent = max(LOST_SECONDS, time.monotonic() - self.answered_at)
        return ProcessRow(self.kind, self.place, 0, silent, None, "does not answer")


class Probes:
    """Asks engine and broker, both at once; answers are kept for KEPT_SECONDS for all callers."""

    def __init__(self, settings: Settings) -> None:
        """Connects at the first question."""
        engine, broker = settings.engine_address, settings.broker_url
        self._services = (
            _Service("engine", engine, lambda: serves(engine, DEADLINE_SECONDS)),
            _Service("broker", _without_password(broker), lambda: broker_answers(broker)),
        )
        self._lock = threading.Lock()
        self._rows: tuple[ProcessRow, ...] = ()
        self._asked_at = 0.0

    def rows(self) -> tuple[ProcessRow, ...]:
        """One row per service; takes at most a little longer than DEADLINE_SECONDS."""
        with self._lock:
            if not self._rows or time.monotonic() - self._asked_at > KEPT_SECONDS:
                with ThreadPoolExecutor(len(self._services), thread_name_prefix="probe") as pool:
                    self._rows = tuple(pool.map(_Service.ask, self._services))
                self._asked_at = time.monotonic()
            return self._rows


def serves(address: str, seconds: float) -> bool:
    """Whether a gRPC server says within so many seconds that it serves."""
    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(  # type: ignore[attr-defined]
                health_pb2.HealthCheckRequest(), timeout=seconds
            )
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def broker_answers(url: str) -> bool:
    """Whether the broker at an address lets this process in."""
    return _amqp_answers(url) if url.startswith("amqp") else _redis_answers(url)


def _amqp_answers(url: str) -> bool:
    broker = Connection(url, connect_timeout=DEADLINE_SECONDS)  # type: ignore[no-untyped-call]
    with broker as connection:
        try:
            return bool(connection.transport.establish_connection().connected)
        except connection.connection_errors:
            return False


def _redis_answers(url: str) -> bool:
    # Celery writes a Unix socket as redis+socket://, the client as unix://.
    plain = url.replace("redis+socket://", "unix://", 1)
    with redis.Redis.from_url(
        plain,
        socket_timeout=DEADLINE_SECONDS,
        socket_connect_timeout=DEADLINE_SECONDS,
        retry=None,
    ) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def _without_password(url: str) -> str:
    return re.sub(r"//[^/]*@", "//", url).partition("?")[0]
