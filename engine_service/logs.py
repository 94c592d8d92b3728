"""How every server process logs: one JSON object a line, or coloured text on a terminal.

Modules log through `get_logger`; what the standard library's loggers say (Celery, gRPC, Alembic)
goes through the same formatter. Ids that are bound with
`structlog.contextvars` (event_id, series_id, match_id, attempt_id, user_id) stand in every line
while they are bound. Keys, seeds, tokens and views are never logged.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, Sequence

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LEVEL = "INTERREX_LOG_LEVEL"
FORMAT = "INTERREX_LOG_FORMAT"
LEVELS = ("debug", "info", "warning", "error", "critical")
FORMATS = ("json", "text")
_FORMATTER = structlog.stdlib.ProcessorFormatter
_FIRST = ("time", "level", "process", "pid", "logger", "message")


class LogSettingsError(ValueError):
    """A variable holds something that cannot be used; the message names it."""


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of a module; before `configure` it speaks through the standard library's."""
    found: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return found


def configure(
    process: str, environment: Mapping[str, str] = os.environ, quiet: Sequence[str] = ()
) -> None:
    """Log to stderr from now on, as `process`; of the loggers in `quiet` only warnings.

    Without INTERREX_LOG_FORMAT a terminal gets text, everything else JSON. Raises LogSettingsError.
    """
    level = _chosen(environment, LEVEL, LEVELS, "info")
    form = _chosen(environment, FORMAT, FORMATS, "text" if sys.stderr.isatty() else "json")
    shared = _fields(process)
    _route(shared)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _FORMATTER(
            foreign_pre_chain=shared,
            processors=[
                _FORMATTER.remove_processors_meta,
                *_rendering(form),
            ],
        )
    )
    logging.captureWarnings(True)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in quiet:
        logging.getLogger(name).setLevel(logging.WARNING)


def is_configured() -> bool:
    """Whether this process has called `configure`."""
    handlers = logging.getLogger().handlers
    return any(isinstance(each.formatter, _FORMATTER) for each in handlers)


def configure_or_exit(process: str, quiet: Sequence[str] = ()) -> None:
    """The same at the start of a process, which ends when a variable cannot be used."""
    try:
        configure(process, quiet=quiet)
    except LogSettingsError as error:
        print(error, file=sys.stderr)
        sys.exit(1)


def _route(fields: Sequence[Processor]) -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *fields,
            _FORMATTER.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _fields(process: str) -> list[Processor]:
    def name_process(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
        line["process"], line["pid"] = process, os.getpid()
        return line

    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        name_process,
    ]


def _rendering(form: str) -> list[Processor]:
    """Tracebacks are plain: the values of local variables could be seeds or tokens."""
    plain = structlog.dev.plain_traceback
    if form == "json":
        rename = structlog.processors.EventRenamer("message")
        to_json = structlog.processors.JSONRenderer()
        return [structlog.processors.format_exc_info, rename, _in_order, to_json]
    return [
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=plain, timestamp_key="time"
        )
    ]


def _in_order(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """What every line has comes first, ids and facts after it."""
    return {**{key: line[key] for key in _FIRST if key in line}, **line}


def _chosen(environment: Mapping[str, str], name: str, known: tuple[str, ...], default: str) -> str:
    text = environment.get(name) or default
    if text.lower() not in known:
        raise LogSettingsError(f"{name}: expected one of {', '.join(known)}, got {text!r}")
    return text.lower()


_route([structlog.contextvars.merge_contextvars])
