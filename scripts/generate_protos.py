"""Generate the Python code of every .proto file beside it; `--check` compares instead."""

from __future__ import annotations

import filecmp
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).parents[1] / "proto"
GENERATED = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def generate(target: Path) -> None:
    """Write the code of all contracts below `target`; ends the program when protoc refuses."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    plugins = str(Path(sys.executable).parent)
    command = [
        "protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--plugin=protoc-gen-mypy={plugins}/protoc-gen-mypy",
        f"--plugin=protoc-gen-mypy_grpc={plugins}/protoc-gen-mypy_grpc",
        f"--python_out={target}",
        f"--grpc_python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--mypy_grpc_out=quiet:{target}",
        *sources,
    ]
    if protoc.main(command) != 0:
        sys.exit("protoc refused the contracts")


def generated_below(folder: Path) -> set[Path]:
    """Generated files, relative to the folder."""
    return {
        path.relative_to(folder) for path in folder.rglob("*_pb2*") if path.name.endswith(GENERATED)
    }


def main() -> None:
    """Generate in place, or say which committed files are out of date."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        wanted, present = generated_below(fresh), generated_below(PROTO)
        differing = wanted ^ present | {
            path
            for path in wanted & present
            if not filecmp.cmp(fresh / path, PROTO / path, shallow=False)
        }
        if "--check" in sys.argv[1:]:
            if differing:
                names = ", ".join(map(str, sorted(differing)))
                sys.exit(f"out of date, run `make proto`: {names}")
            return
        for path in present - wanted:
            (PROTO / path).unlink()
        for path in differing & wanted:
            shutil.copy(fresh / path, PROTO / path)


if __name__ == "__main__":
    main()
