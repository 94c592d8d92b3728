"""`interrex up`: its settings, and its run folder, which the next `up` removes after a kill."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena_service.settings import Settings, SettingsError
from cli.commands import app
from cli.places import PORT_NOTE, dashboard_port
from cli.running import RUN_DIR_NOTE, data_lock, new_run_dir, stopped_by_signals, undisturbed


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_folder_of_a_killed_up_is_removed_by_the_next(tmp_path: Path, temporary: Path) -> None:
    stale = new_run_dir(tmp_path)
    (stale / "valkey.sock").touch()
    fresh = new_run_dir(tmp_path)
    assert not stale.exists()
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o700
    assert list(temporary.iterdir()) == [fresh]


def test_a_bwrap_that_lost_its_parent_is_ended_and_no_other(
    tmp_path: Path, temporary: Path
) -> None:
    stale = new_run_dir(tmp_path)

    def waiting(program: str, names: str) -> subprocess.Popen[bytes]:
        command = [program, "-c", "import time; time.sleep(600)", "--ro-bind", names, "/bot"]
        return subprocess.Popen(command, executable=sys.executable)

    left = waiting("/usr/bin/bwrap", f"{stale}/bots/1")
    neighbours = [waiting("bwrap", f"{stale}0/bots/1"), waiting("less", f"{stale}/bots/1")]
    try:
        new_run_dir(tmp_path)
        assert left.wait(60) == -signal.SIGKILL
        assert [each.poll() for each in neighbours] == [None, None]
    finally:
        for each in (left, *neighbours):
            each.kill()
            each.wait()


@pytest.mark.parametrize("name", ["elsewhere/interrex-1", "tmp/other", "tmp/../interrex-2"])
def test_a_note_that_names_something_else_removes_nothing(
    tmp_path: Path, temporary: Path, name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir(parents=True)
    (tmp_path / RUN_DIR_NOTE).write_text(str(folder))
    new_run_dir(tmp_path)
    assert folder.exists()


def test_a_link_is_not_followed(tmp_path: Path, temporary: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    link = temporary / "interrex-link"
    link.symlink_to(kept)
    (tmp_path / RUN_DIR_NOTE).write_text(str(link))
    new_run_dir(tmp_path)
    assert kept.exists()
    assert link.is_symlink()


def test_the_dashboard_comes_back_at_its_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTERREX_DASHBOARD_PORT", raising=False)
    settings = Settings.from_environment({"INTERREX_DATA": str(tmp_path)})
    first = dashboard_port(tmp_path, settings)
    assert dashboard_port(tmp_path, settings) == first
    with socket.create_server(("127.0.0.1", first)):
        other = dashboard_port(tmp_path, settings)
        assert other != first
    (tmp_path / PORT_NOTE).write_text("99999999")
    assert 1 <= dashboard_port(tmp_path, settings) <= 65535


def test_the_port_that_is_asked_for_is_the_dashboards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        asked = {"INTERREX_DATA": str(tmp_path), "INTERREX_DASHBOARD_PORT": port}
        monkeypatch.setenv("INTERREX_DASHBOARD_PORT", port)
        settings = Settings.from_environment(asked)
        with pytest.raises(SettingsError, match="is taken"):
            dashboard_port(tmp_path, settings)
    assert dashboard_port(tmp_path, settings) == int(port)


@pytest.mark.parametrize("words", [("up",), ("user", "create", "ada")])
@pytest.mark.parametrize("url", ["nonsense", "postgresql+psycopg://nobody@127.0.0.1:1/none"])
def test_a_wrong_database_is_told_before_anything_is_started(
    tmp_path: Path, temporary: Path, words: tuple[str, ...], url: str
) -> None:
    environment = {"INTERREX_DATA": str(tmp_path), "INTERREX_DATABASE_URL": url}
    result = CliRunner(env=environment).invoke(app, words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: INTERREX_DATABASE_URL: ")
    assert len(result.stderr.splitlines()) == 1
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nonsense", "expected amqp://"),
        ("sqla+sqlite:///broker.db", "expected amqp://"),
        ("amqp://ann:secret@127.0.0.1:1//", "does not answer"),
        ("redis://:secret@127.0.0.1:1/0", "does not answer"),
    ],
)
def test_a_wrong_broker_is_told_before_anything_is_started(
    tmp_path: Path, temporary: Path, url: str, told: str
) -> None:
    environment = {"INTERREX_DATA": str(tmp_path), "INTERREX_BROKER_URL": url}
    result = CliRunner(env=environment).invoke(app, ["up"])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: INTERREX_BROKER_URL: ")
    assert told in result.stderr
    assert "secret" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("listen", ["50062", ":50062", "0.0.0.0:", "0.0.0.0:port"])
def test_an_address_of_the_api_that_is_none_is_named(tmp_path: Path, listen: str) -> None:
    env = {"INTERREX_DATA": str(tmp_path)}
    result = CliRunner(env=env).invoke(app, ["up", "--api", listen])
    assert result.exit_code == 2
    assert "--api" in result.stderr


def test_a_demo_beside_a_running_arena_is_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cli.main", "demo", "--once", "--data", str(tmp_path)]
    with data_lock(tmp_path):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "another arena or worker already runs" in line


def test_a_second_signal_does_not_stop_the_stopping() -> None:
    before, done = signal.getsignal(signal.SIGINT), []

    def interrupted() -> None:
        with stopped_by_signals():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            finally:
                with undisturbed():
                    os.kill(os.getpid(), signal.SIGINT)
                    done.append("stopped")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["stopped"]
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_the_commands_are_imported_ends_it_quietly(tmp_path: Path) -> None:
    slow = "import time\nprint('on its way', flush=True)\ntime.sleep(600)\n"
    (tmp_path / "typer.py").write_text(slow)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from cli.main import run; run()"
    started = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_heed_ctrl_c,
    )
    try:
        assert started.stdout is not None
        started.stdout.readline()
        started.send_signal(signal.SIGINT)
        _, told = started.communicate(timeout=60)
    finally:
        started.kill()
        started.wait()
    assert (started.returncode, told) == (130, b"")


def _heed_ctrl_c() -> None:
    """What a shell has sent into the background ignores it, and so would the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
