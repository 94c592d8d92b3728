"""A staged runtime for every way in which this machine can confine bots."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.sandbox import modes
from workers.sandbox.cgroup import CgroupRoot
from workers.sandbox.staging import Runtime

MODES = ["no cgroup", "cgroup"] if CgroupRoot.find() else ["no cgroup"]


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    runtime = Runtime.prepare(tmp_path_factory.mktemp("run"))
    yield runtime
    runtime.close()


@pytest.fixture(params=MODES)
def runtime(request: pytest.FixtureRequest, staged: Runtime) -> Runtime:
    return staged if request.param == "cgroup" else dataclasses.replace(staged, cgroups=None)


@pytest.fixture
def project() -> Path:
    return Path(__file__).parents[3]


@pytest.fixture(scope="session")
def clone() -> Iterator[Path]:
    """A copy of the project that every user of the machine can read."""
    with modes.clone() as folder:
        yield folder
