"""For every test: this process starts bots and services while it holds gRPC channels."""

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.stdlib import ProcessorFormatter

import tests.compiled  # noqa: F401  # listens to every database that is opened

# As in the arena's own processes: gRPC's fork handlers write into what is being started.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"

TESTS = Path(__file__).parent
LONG = {"e2e", "faults", "scale"}  # folders whose files take a minute, most others seconds


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files begin, so that no process is left with one when the others have done."""
    items.sort(key=lambda item: item.path.relative_to(TESTS).parts[0] not in LONG)


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
