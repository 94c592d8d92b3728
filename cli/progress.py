"""How many pairs are played, as it changes: bars of the ladders in a terminal, lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

# Of a ladder: how many pairs are done, how many are planned; 0: not yet.
Draw = Callable[[str, int, int], None]


@contextmanager
def pairs_of(console: Console) -> Iterator[Draw]:
    """What draws them, from now on until the end."""
    if not console.is_terminal:
        yield _Lines(console, time.monotonic()).draw
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("pairs"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        yield _Bars(bar).draw


@dataclass
class _Bars:
    bar: Progress
    tasks: dict[str, TaskID] = field(default_factory=dict)

    def draw(self, ladder: str, done: int, planned: int) -> None:
        if ladder not in self.tasks:
            self.tasks[ladder] = self.bar.add_task(ladder, total=None)
        self.bar.update(self.tasks[ladder], total=planned or None, completed=done)


@dataclass
class _Lines:
    """One line for each change, with the time since the beginning."""

    console: Console
    began_at: float
    told: dict[str, int] = field(default_factory=dict)

    def draw(self, ladder: str, done: int, planned: int) -> None:
        if not planned or self.told.get(ladder) == done:
            return
        self.told[ladder] = done
        took = timedelta(seconds=int(time.monotonic() - self.began_at))
        self.console.print(f"{ladder}: {done}/{planned} pairs after {took}", highlight=False)
