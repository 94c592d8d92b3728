"""Whatever is changed in an export, the audit tells; but for what is listed as not proven."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from arena_service.store.database import open_database
from tests.arena_service.audit import events
from tests.arena_service.audit.meddling import changes, is_told
from tests.arena_service.audit.not_proven import NOT_PROVEN, Row, listed
from tests.arena_service.audit.small import SMALL

PAGE = Path(__file__).parents[3] / "docs" / "export.md"
HEAD = "| value | of | why |\n|---|---|---|\n"
Untold = Mapping[str, list[str]]


@pytest.fixture(scope="module")
def untold(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Untold]:
    """By the name of a small export: of each path the changes that nothing tells."""

    @cache
    def walk(small: str) -> Untold:
        folder = tmp_path_factory.mktemp("small")
        path = folder / "arena.db"
        shutil.copy(sqlite_template, path)
        db = open_database(f"sqlite:///{path}")
        exported = events.export(SMALL[small].make(db), folder / "honest.gz")
        db.close()
        report = events.look(exported)
        assert (events.problems(report), report.oddities) == ([], [])
        found: dict[str, list[str]] = defaultdict(list)
        for change in changes(events.read(exported), SMALL[small].holds):
            if not is_told(change, folder / "changed.gz"):
                found[change.path].append(change.how)
        return found

    return walk


@pytest.mark.parametrize("small", SMALL)
def test_what_is_changed_is_told_or_listed(untold: Callable[[str], Untold], small: str) -> None:
    unlisted = {path: how for path, how in untold(small).items() if path not in listed(small)}
    assert unlisted == {}


@pytest.mark.parametrize("row", NOT_PROVEN, ids=lambda row: f"{row.paths[0]} of {row.of}")
def test_what_is_listed_is_told_nowhere(untold: Callable[[str], Untold], row: Row) -> None:
    open_ones = {path for small in row.small for path in untold(small)}
    assert open_ones.issuperset(row.paths)


def test_the_page_lists_it() -> None:
    table = PAGE.read_text().partition(HEAD)[2].partition("\n\n")[0]
    assert table.splitlines() == [str(row) for row in NOT_PROVEN]
