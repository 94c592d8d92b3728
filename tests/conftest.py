"""For every test: this process starts bots and services while it holds gRPC channels."""

import os

# As in the arena's own processes: gRPC's fork handlers write into what is being started.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
