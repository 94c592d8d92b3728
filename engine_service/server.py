"""`python -m engine_service.server --address HOST:PORT`: the engine as a process of its own."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from engine_service import logs, metrics
from engine_service.call_log import CallLog
from engine_service.service import EngineService
from engine_service.stop_signal import StopSignal, on_stop
from engine_service.wire.messages import MESSAGE_BYTES
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc

THREADS = 256  # a match in play holds one; more are refused with RESOURCE_EXHAUSTED
# Far more than a bot may think: a caller that says nothing for so long has forgotten its match.
SILENCE_SECONDS = 30 * 60.0
GRACE_SECONDS = 5.0

log = logs.get_logger("interrex.engine")


class AddressError(RuntimeError):
    """The server cannot listen where it was told to."""


def build(
    address: str, silence_seconds: float = SILENCE_SECONDS
) -> tuple[grpc.Server, health.HealthServicer]:
    """A server with engine, health and reflection; raises AddressError when it cannot listen.

    Several processes may share a TCP port (SO_REUSEPORT): connections are spread over them.
    A match whose caller says nothing for `silence_seconds` is ended.
    """
    server = grpc.server(
        ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="engine"),
        interceptors=[CallLog()],
        options=[
            ("grpc.so_reuseport", 1),
            ("grpc.max_send_message_length", MESSAGE_BYTES),
            ("grpc.max_receive_message_length", MESSAGE_BYTES),
            # A caller whose machine is gone gives its thread back.
            ("grpc.keepalive_time_ms", 60_000),
            ("grpc.keepalive_timeout_ms", 20_000),
            ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ],
        maximum_concurrent_rpcs=THREADS,
    )
    name = pb.DESCRIPTOR.services_by_name["EngineService"].full_name
    pb_grpc.add_EngineServiceServicer_to_server(EngineService(THREADS, silence_seconds), server)
    state = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(state, server)
    for service in ("", name):
        state.set(service, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection(
        (name, health.SERVICE_NAME, reflection.SERVICE_NAME), server
    )
    try:
        server.add_insecure_port(address)
    except RuntimeError as error:
        raise AddressError(f"cannot listen on {address}: {error}") from error
    return server, state


def main() -> int:
    """Serve until SIGTERM or SIGINT, then let running calls end."""
    parser = argparse.ArgumentParser(description="The rules of all games over gRPC.")
    parser.add_argument("--address", required=True, help="HOST:PORT or unix:PATH")
    address = parser.parse_args().address
    logs.configure_or_exit("engine")
    try:
        server, state = build(address)
    except AddressError as error:
        print(error, file=sys.stderr)
        return 1
    stop = StopSignal()
    on_stop(stop.set)
    server.start()
    metrics.serve_or_exit("engine")
    log.info("serving", address=address)
    stop.wait()
    state.enter_graceful_shutdown()
    server.stop(GRACE_SECONDS).wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
