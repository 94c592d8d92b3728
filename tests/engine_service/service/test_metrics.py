"""Metrics are served where the setting says, and nowhere else."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from engine_service.metrics import ADDRESS, MetricsSettingsError, address

HOST = "127.0.0.9"  # at 127.0.0.1 an arena of another test may serve its own
ENGINE = [sys.executable, "-m", "engine_service.server", "--address"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", None),
        ("0.0.0.0:9464", ("0.0.0.0", 9464)),
        ("arena.example:1", ("arena.example", 1)),
        ("[::1]:65535", ("::1", 65535)),
    ],
)
def test_an_address(text: str, place: tuple[str, int] | None) -> None:
    assert address({ADDRESS: text}) == place


@pytest.mark.parametrize("text", ["9464", ":9464", "host:", "host:0", "host:65536", "a b:1"])
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(MetricsSettingsError, match=f"^{ADDRESS}: expected HOST:PORT"):
        address({ADDRESS: text})


def test_a_wrong_address_ends_a_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [*ENGINE, f"unix:{tmp_path}/engine"],
        env={ADDRESS: "nonsense", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"{ADDRESS}: expected HOST:PORT")


def test_the_next_free_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        engine = subprocess.Popen(
            [*ENGINE, f"unix:{tmp_path}/engine"],
            env={ADDRESS: f"{HOST}:{port}", "PYTHONPATH": ":".join(sys.path)},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            found = served(port, engine)
        finally:
            engine.terminate()
            engine.communicate(timeout=60)
    assert 'interrex_process{kind="engine"} 1.0' in found


def served(taken: int, engine: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and engine.poll() is None:
        for port in range(taken + 1, min(taken + 64, 65535)):
            try:
                with urlopen(f"http://{HOST}:{port}/metrics", timeout=2) as answer:
                    text = str(answer.read().decode())
            except (URLError, OSError, ValueError):
                continue
            if "interrex_process" in text:
                return text
        time.sleep(0.1)
    raise AssertionError("no metrics are served")
