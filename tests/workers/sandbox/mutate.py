"""Take one protection away by editing the source of the function that has it, for a while.

The production code has no switches for this: the edit names the text it removes, and a text that is
not there exactly once is an error, so that no mutation can silently become none.
"""

from __future__ import annotations
import __future__

import dataclasses
import importlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from workers.sandbox import seccomp
from workers.sandbox.staging import Runtime

_MODULES = "workers.sandbox."
_ANNOTATIONS = __future__.annotations.compiler_flag

_edited_sources: dict[Callable[..., Any], str] = {}  # for a second edit of the same function


@dataclass(frozen=True)
class Edit:
    """In `target` (module.name or module.Class.name of the sandbox) `old` becomes `new`.

    The target is a function, whose source is edited, or a constant, which becomes `new`.
    """

    target: str
    old: str
    new: Any = ""

    @property
    def module(self) -> str:
        """The module of the sandbox that is edited."""
        return self.target.split(".")[0]

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Until the end of the block the edit holds."""
        module, *path, name = self.target.split(".")
        owner = importlib.import_module(_MODULES + module)
        space = owner.__dict__
        for part in path:
            owner = getattr(owner, part)
        with mock.patch.object(
            owner, name, self._edited(inspect.getattr_static(owner, name), space)
        ):
            yield

    def _edited(self, value: Any, space: dict[str, Any]) -> Any:
        if not callable(value) and not isinstance(value, classmethod):
            return self.new
        function = value.__func__ if isinstance(value, classmethod) else inspect.unwrap(value)
        source = _edited_sources.get(function) or textwrap.dedent(inspect.getsource(function))
        source = self._replaced(source)
        made: dict[str, Any] = {}
        exec(compile(source, self.target, "exec", _ANNOTATIONS, True), space, made)
        edited = made[function.__name__]
        _edited_sources[getattr(edited, "__func__", inspect.unwrap(edited))] = source
        return edited

    def _replaced(self, text: str) -> str:
        if text.count(self.old) != 1:
            raise ValueError(f"{self.target} holds {self.old!r} {text.count(self.old)} times")
        return text.replace(self.old, self.new)


@contextmanager
def mutated(runtime: Runtime, edits: tuple[Edit, ...]) -> Iterator[Runtime]:
    """The runtime while all edits hold; its filter is built anew when they concern it."""
    with ExitStack() as stack:
        for edit in edits:
            stack.enter_context(edit.applied())
        if any(edit.module == "seccomp" for edit in edits):
            program = inspect.unwrap(seccomp.program)()
            runtime = dataclasses.replace(runtime, program=program)
        yield runtime
