"""The settings of the dashboard's server."""

from __future__ import annotations

import pytest
from streamlit import config

from dashboard.server import APP, main, options


def test_the_server_listens_on_this_machine_only_and_phones_nobody() -> None:
    chosen = options(8123)
    assert chosen["server.address"] == "127.0.0.1"
    assert chosen["server.port"] == 8123
    assert chosen["browser.gatherUsageStats"] is False
    assert chosen["client.showErrorDetails"] == "none"
    assert APP.is_file()


def test_streamlit_knows_every_setting() -> None:
    assert set(options(1)) <= set(config.get_config_options())


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1"])
def test_a_port_that_cannot_be_one_is_told(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"--port={port}"]) == 1
    assert capsys.readouterr().err == f"--port: expected a port from 1 to 65535, got {port!r}\n"
