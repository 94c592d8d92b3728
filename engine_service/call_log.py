"""Every call that a gRPC server answered, counted, and as a line with its ids and milliseconds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from structlog.contextvars import bind_contextvars, clear_contextvars

from engine_service import metrics
from engine_service.logs import get_logger

# Ids that a caller may send along, so that both sides name a match alike.
METADATA = {f"interrex-{name}": f"{name}_id" for name in ("event", "series", "match", "attempt")}
_ID = re.compile(r"[0-9a-f]{32}")
_OWN = "/interrex."

log = get_logger("interrex.calls")

Behaviour = Callable[[Any, grpc.ServicerContext], Any]


class CallLog(grpc.ServerInterceptor):
    """The outermost interceptor of a server; health and reflection are logged for debugging only.

    Neither requests nor answers are logged: they hold tokens, seeds and views.
    """

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Wrap the handler's behaviour, whatever its kind of stream."""
        handler = continuation(handler_call_details)
        if handler is None:
            return None
        kind = f"{_arity(handler.request_streaming)}_{_arity(handler.response_streaming)}"
        wrap = _logged_stream if handler.response_streaming else _logged
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        wrapped: grpc.RpcMethodHandler[Any, Any] = make(
            wrap(getattr(handler, kind), handler_call_details.method),
            handler.request_deserializer,
            handler.response_serializer,
        )
        return wrapped


def _arity(streaming: bool) -> str:
    return "stream" if streaming else "unary"


def _logged(behaviour: Behaviour, method: str) -> Behaviour:
    def call(request: Any, context: grpc.ServicerContext) -> Any:
        with _line(method, context):
            return behaviour(request, context)

    return call


def _logged_stream(behaviour: Behaviour, method: str) -> Behaviour:
    def call(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        with _line(method, context):
            yield from behaviour(request, context)

    return call


@contextmanager
def _line(method: str, context: grpc.ServicerContext) -> Iterator[None]:
    """Binds the ids that came along; whatever happens inside, one line is written at the end."""
    clear_contextvars()
    bind_contextvars(**_ids(context))
    began, raised = time.perf_counter(), False
    try:
        yield
    except BaseException:
        raised = True
        raise
    finally:
        seconds, code = time.perf_counter() - began, _code(context, raised)
        name = method.rpartition(".")[2]
        say = log.info if method.startswith(_OWN) else log.debug
        say("call", method=name, code=code, ms=round(seconds * 1000, 1))
        metrics.CALLS.labels(name, code).inc()
        metrics.CALL_SECONDS.labels(name).observe(seconds)
        clear_contextvars()


def _ids(context: grpc.ServicerContext) -> dict[str, str]:
    return {
        METADATA[key]: value
        for key, value in context.invocation_metadata() or ()
        if key in METADATA and isinstance(value, str) and _ID.fullmatch(value)
    }


def _code(context: grpc.ServicerContext, raised: bool) -> str:
    """The name of the status; a call that was cut off by its caller is cancelled."""
    code: grpc.StatusCode | None = context.code()  # type: ignore[attr-defined]
    if code is not None:
        return code.name
    if not raised:
        return "OK"
    return "UNKNOWN" if context.is_active() else "CANCELLED"
