"""What a process tells Prometheus, over HTTP, where INTERREX_METRICS_ADDRESS names a place.

A metric stands beside what it counts; labels take words of the code only, never what a caller sent.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Mapping

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from engine_service.logs import get_logger

ADDRESS = "INTERREX_METRICS_ADDRESS"
PORTS = 64  # of one machine that are tried
HIGHEST_PORT = 65535
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_FORM = re.compile(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):([0-9]{1,5})")

PROCESS = Gauge("interrex_process", "1: a process of this kind serves these metrics.", ["kind"])
CALLS = Counter("interrex_calls", "Calls that a gRPC server has answered.", ["method", "code"])
CALL_SECONDS = Histogram(
    "interrex_call_seconds",
    "How long they took; a call of EngineService/PlayMatch lasts as long as its match.",
    ["method"],
    buckets=SECONDS,
)

log = get_logger("interrex.metrics")


class MetricsSettingsError(ValueError):
    """INTERREX_METRICS_ADDRESS holds something that cannot be used."""


def address(environment: Mapping[str, str] = os.environ) -> tuple[str, int] | None:
    """Host and port to serve at; None: nowhere. Raises MetricsSettingsError."""
    text = environment.get(ADDRESS, "")
    if not text:
        return None
    form = _FORM.fullmatch(text)
    if form is None or not 1 <= int(form[2]) <= HIGHEST_PORT:
        raise MetricsSettingsError(f"{ADDRESS}: expected HOST:PORT, got {text[:80]!r}")
    return form[1].strip("[]"), int(form[2])


def serve_or_exit(kind: str) -> None:
    """Serve the metrics of this process from now on, at the first free port from that named on.

    So the processes of one machine need one setting. A variable that cannot be used ends the
    process; without a free port it works on without being watched.
    """
    try:
        place = address()
    except MetricsSettingsError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    if place is None:
        return
    host, first = place
    PROCESS.labels(kind).set(1)
    for port in range(first, min(first + PORTS, HIGHEST_PORT + 1)):
        try:
            start_http_server(port, host)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            log.error("no metrics are served", host=host, port=port, error=str(error))
        else:
            log.info("metrics are served", host=host, port=port)
        return
    log.error("no metrics are served: no port is free", host=host, port=first)
