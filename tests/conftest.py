"""For every test: this process starts bots and services while it holds gRPC channels."""

import logging
import os
import sys
from collections.abc import Iterator

import pytest
from structlog.stdlib import ProcessorFormatter

# As in the arena's own processes: gRPC's fork handlers write into what is being started.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """What a test configures in this process does not write into the streams of the next."""
    root = logging.getLogger()
    level = root.level
    yield
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, ProcessorFormatter):
            root.removeHandler(handler)
            root.setLevel(level)


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """A page run in this process leaves its script as the main module, which children import."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
