"""The arena's gRPC server: `python -m arena_service.api.server --address 127.0.0.1:50062`."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena_service.api.accounts import Accounts
from arena_service.api.bots import Bots
from arena_service.api.challenges import Challenges
from arena_service.api.exports import Exports
from arena_service.api.ladders import Ladders
from arena_service.api.replays import Replays
from arena_service.api.session import SessionInterceptor
from arena_service.api.status import Status
from arena_service.api.tournaments import Tournaments
from arena_service.api.work import Workers
from arena_service.quotas import Quotas
from arena_service.settings import Settings, SettingsError
from arena_service.status.heartbeat import Heartbeat
from arena_service.status.probes import Probes
from arena_service.store.database import Database, open_migrated
from arena_service.store.work_store import StoreWork
from engine_service import logs, metrics
from engine_service.call_log import CallLog
from engine_service.stop_signal import StopSignal, on_stop
from interrex.arena.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    bot_service_pb2,
    bot_service_pb2_grpc,
    challenge_service_pb2,
    challenge_service_pb2_grpc,
    export_service_pb2,
    export_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    replay_service_pb2,
    replay_service_pb2_grpc,
    status_service_pb2,
    status_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
    work_service_pb2,
    work_service_pb2_grpc,
)

log = logs.get_logger("interrex.api")

THREADS = 16
CALLS_AT_ONCE = 64  # those without a thread wait for one; more are refused: RESOURCE_EXHAUSTED
RECEIVED_BYTES = 2 * 2**20
SENT_BYTES = 8 * 2**20
GRACE_SECONDS = 5.0
_OPTIONS = (
    ("grpc.max_receive_message_length", RECEIVED_BYTES),
    ("grpc.max_send_message_length", SENT_BYTES),
    # A caller whose machine is gone gives its thread back.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.so_reuseport", 0),
)
_SERVICES = (
    account_service_pb2.DESCRIPTOR.services_by_name["AccountService"].full_name,
    bot_service_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,
    challenge_service_pb2.DESCRIPTOR.services_by_name["ChallengeService"].full_name,
    export_service_pb2.DESCRIPTOR.services_by_name["ExportService"].full_name,
    ladder_service_pb2.DESCRIPTOR.services_by_name["LadderService"].full_name,
    replay_service_pb2.DESCRIPTOR.services_by_name["ReplayService"].full_name,
    status_service_pb2.DESCRIPTOR.services_by_name["StatusService"].full_name,
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name,
    work_service_pb2.DESCRIPTOR.services_by_name["WorkService"].full_name,
)


class AddressError(RuntimeError):
    """The server cannot listen where it was told to."""


@dataclass(frozen=True)
class ApiServer:
    """A server that answers; `address` is where, with the port it got."""

    server: grpc.Server
    address: str
    health: health.HealthServicer

    def stop(self) -> None:
        """Say so to health checks, let running calls end, then stop."""
        self.health.enter_graceful_shutdown()
        self.server.stop(GRACE_SECONDS).wait()


def start(
    db: Database,
    address: str,
    settings: Settings | None = None,
    work: StoreWork | None = None,
    quotas: Quotas | None = None,
) -> ApiServer:
    """Serve the arena from `db`; port 0 takes a free one. `settings` name the other services.

    `work` is the door of workers to `db`, by default one with the leases of the settings. Without
    `quotas` those of the environment hold.
    """
    known = settings or Settings.from_environment()
    bounds = quotas or Quotas.from_environment()
    probes = Probes(known)
    door = work or StoreWork(db, known.lease_seconds, known.lease_at_most)
    server = grpc.server(
        ThreadPoolExecutor(THREADS, thread_name_prefix="api"),
        interceptors=[CallLog(), SessionInterceptor(db)],
        options=_OPTIONS,
        maximum_concurrent_rpcs=CALLS_AT_ONCE,
    )
    account_service_pb2_grpc.add_AccountServiceServicer_to_server(Accounts(), server)
    bot_service_pb2_grpc.add_BotServiceServicer_to_server(Bots(db, bounds), server)
    challenge_service_pb2_grpc.add_ChallengeServiceServicer_to_server(
        Challenges(db, bounds), server
    )
    export_service_pb2_grpc.add_ExportServiceServicer_to_server(Exports(db), server)
    ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(Ladders(db), server)
    replay_service_pb2_grpc.add_ReplayServiceServicer_to_server(Replays(db), server)
    status_service_pb2_grpc.add_StatusServiceServicer_to_server(Status(db, probes), server)
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(Tournaments(db), server)
    work_service_pb2_grpc.add_WorkServiceServicer_to_server(Workers(db, door), server)
    checks = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    reflection.enable_server_reflection(
        (*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
    )
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise AddressError(f"cannot listen on {address}: {error}") from error
    server.start()
    for name in ("", *_SERVICES):
        checks.set(name, health_pb2.HealthCheckResponse.SERVING)
    host, colon, _ = address.rpartition(":")
    bound = address if address.startswith("unix:") else f"{host}{colon}{port}"
    return ApiServer(server, bound, checks)


def main() -> int:
    """Serve until SIGTERM or SIGINT."""
    logs.configure_or_exit("api")
    parser = argparse.ArgumentParser(description="Serve the arena's gRPC API.")
    parser.add_argument("--address", help="host:port or unix:PATH")
    try:
        settings = Settings.from_environment()
        address = parser.parse_args().address or settings.api_address
        db = open_migrated(settings.database_url)
        server = start(db, address, settings)
    except (SettingsError, AddressError) as error:
        print(error, file=sys.stderr)
        return 1
    stop = StopSignal()
    on_stop(stop.set)
    heartbeat = Heartbeat(db, "api", server.address)
    heartbeat.start()
    metrics.serve_or_exit("api")
    log.info("serving", address=server.address)
    stop.wait()
    server.stop()
    heartbeat.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
