"""The walls between the rooms."""

import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
STANDARD_LIBRARY_ONLY = [
    "engine_service.core",
    "engine_service.games",
    "engine_service.catalogue",
    "bots",
]
OWN = ("engine_service", "bots")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("engine_service", "bots", include_external_packages=True)


def modules_below(graph: grimp.ImportGraph, package: str) -> set[str]:
    return {name for name in graph.modules if name == package or name.startswith(package + ".")}


def imported_by(graph: grimp.ImportGraph, package: str) -> set[str]:
    found = set()
    for module in modules_below(graph, package):
        found |= graph.find_modules_directly_imported_by(module)
    return {name.split(".")[0] for name in found}


@pytest.mark.parametrize("package", STANDARD_LIBRARY_ONLY)
def test_rules_and_bots_import_the_standard_library_alone(
    graph: grimp.ImportGraph, package: str
) -> None:
    assert modules_below(graph, package)
    foreign = imported_by(graph, package) - set(sys.stdlib_module_names) - set(OWN)
    assert foreign == set()


@pytest.mark.parametrize("package", ["engine_service.core", "engine_service.games"])
def test_rules_know_no_chance_clock_or_system(graph: grimp.ImportGraph, package: str) -> None:
    assert imported_by(graph, package) & {"random", "time", "datetime", "os", "secrets"} == set()


def test_the_layers_hold() -> None:
    lint_imports = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert lint_imports is not None
    done = subprocess.run([lint_imports], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
