"""The read-only /botenv of every bot: SDK, baselines and rule engines in plain Python."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from workers.sandbox.faults import SandboxRefused
from workers.sandbox.interpreter import Interpreter

_ENGINE_PARTS = ("core", "games", "catalogue.py")
_GROUP = "interrex.games"
_IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", "*.so")


def stage(target: Path, python: Interpreter) -> None:
    """Copy the packages into the new folder `target` and compile them for the bots' Python."""
    target.mkdir()
    shutil.copytree(_package("bots"), target / "bots", ignore=_IGNORED)
    engine, copied = _package("engine_service"), target / "engine_service"
    copied.mkdir()
    for part in ("__init__.py", *_ENGINE_PARTS):
        _copy(engine / part, copied / part)
    for module in _installed_games():
        _stage_game(module, target)
    _compile(target, python)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SandboxRefused(f"the package {name} cannot be found beside the worker")
    return Path(next(iter(spec.submodule_search_locations)))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=_IGNORED)
    elif source.exists():
        shutil.copyfile(source, target)


def _installed_games() -> set[str]:
    """The top-level names of the games that other distributions brought."""
    return {point.module.split(".")[0] for point in entry_points(group=_GROUP)}


def _stage_game(name: str, target: Path) -> None:
    """Copy the package or module of an installed game, with the metadata that makes it found."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SandboxRefused(f"the installed game {name} cannot be found")
    source = Path(spec.origin)
    source = source.parent if source.name == "__init__.py" else source
    if (target / source.name).exists():
        return
    _copy(source, target / source.name)
    for point in entry_points(group=_GROUP):
        if point.dist is not None and point.module.split(".")[0] == name:
            _stage_metadata(point, point.dist.name, point.dist.version, target)


def _stage_metadata(point: EntryPoint, name: str, version: str, target: Path) -> None:
    info = target / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    entries = info / "entry_points.txt"
    known = entries.read_text() if entries.exists() else f"[{_GROUP}]\n"
    entries.write_text(f"{known}{point.name} = {point.value}\n")


def _compile(target: Path, python: Interpreter) -> None:
    """Byte code spares every bot the time; a file that does not compile fails where it is used."""
    line = [python.path, "-I", "-m", "compileall", "-q", str(target)]
    subprocess.run(line, capture_output=True, env={}, timeout=120, check=False)
