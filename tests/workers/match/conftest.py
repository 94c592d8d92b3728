"""The real sandbox and the real engine, staged once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_service.client import LocalEngine
from workers.sandbox.staging import Runtime

HOSTILE = Path(__file__).parents[2] / "hostile_bots" / "protocol"


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """A staged sandbox."""
    staged = Runtime.prepare(tmp_path_factory.mktemp("run"))
    yield staged
    staged.close()


@pytest.fixture(scope="session")
def engine() -> Iterator[LocalEngine]:
    """The engine in this process."""
    local = LocalEngine()
    yield local
    local.close()


@pytest.fixture(scope="session")
def hostile_dir(runtime: Runtime) -> Path:
    """The staged folder of all hostile bots; the command chooses one."""
    return runtime.stage_folder(HOSTILE)
