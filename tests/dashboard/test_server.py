"""The command line of the dashboard's server."""

from __future__ import annotations

from pathlib import Path

from dashboard.server import command


def test_the_server_listens_on_this_machine_only_and_phones_nobody() -> None:
    argv = command(8123)
    assert argv[1:4] == ["-m", "streamlit", "run"]
    assert Path(argv[4]).is_file()
    assert "--server.address=127.0.0.1" in argv
    assert "--server.port=8123" in argv
    assert "--browser.gatherUsageStats=false" in argv
    assert "--client.showErrorDetails=none" in argv
