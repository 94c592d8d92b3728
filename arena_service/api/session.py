"""Every call passes here: the bearer token becomes a viewer, and domain errors become a status."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import grpc
from google.protobuf.message import Message
from structlog.contextvars import bind_contextvars

from arena_service.access import Viewer
from arena_service.api.errors import (
    ApiError,
    abort,
    as_api_error,
    broken,
    unauthenticated,
    unavailable,
)
from arena_service.store.accounts import User, by_token
from arena_service.store.database import UNAVAILABLE, Database, one_line
from arena_service.store.errors import StoreError
from arena_service.store.requests import Asked
from arena_service.submissions import SubmissionError
from engine_service.core.errors import RulesError
from engine_service.logs import get_logger

log = get_logger("interrex.api")

_PREFIX = "/interrex."
_caller: ContextVar[User | None] = ContextVar("caller", default=None)

Behaviour = Callable[[Any, grpc.ServicerContext], Any]


def viewer() -> Viewer:
    """Who makes the current call; without a token a spectator."""
    user = _caller.get()
    return Viewer(user.id if user else None)


def user() -> User:
    """The account behind the current call; raises ApiError when there is none."""
    found = _caller.get()
    if found is None:
        raise unauthenticated(
            "TOKEN_MISSING", "this needs an account: send its token as authorization: Bearer TOKEN"
        )
    return found


def asked(request: Message, *more: bytes) -> Asked:
    """The request under its key, so that the same one again makes nothing new.

    `more` is what it asks for beside the message.
    """
    key: str = request.request_key  # type: ignore[attr-defined]
    digest = hashlib.sha256(request.DESCRIPTOR.full_name.encode())
    for part in (request.SerializeToString(deterministic=True), *more):
        digest.update(hashlib.sha256(part).digest())
    return Asked(key, digest.hexdigest())


class SessionInterceptor(grpc.ServerInterceptor):
    """Wraps the arena's own methods; health and reflection stay open."""

    def __init__(self, db: Database) -> None:
        """Tokens are looked up in `db` on every call, so that a removed one ends at once."""
        self._db = db

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Wrap the handler's behaviour, whatever its kind of stream."""
        handler = continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(_PREFIX):
            return handler
        codecs = (handler.request_deserializer, handler.response_serializer)
        if handler.unary_unary:
            wrapped = self._wrap(handler.unary_unary)
            return grpc.unary_unary_rpc_method_handler(wrapped, *codecs)
        if handler.stream_unary:
            wrapped = self._wrap(handler.stream_unary)
            return grpc.stream_unary_rpc_method_handler(wrapped, *codecs)
        if handler.unary_stream:
            wrapped = self._wrap_stream(handler.unary_stream)
            return grpc.unary_stream_rpc_method_handler(wrapped, *codecs)
        raise TypeError(f"{handler_call_details.method} streams both ways; no such method is known")

    def _wrap(self, behaviour: Behaviour) -> Behaviour:
        def call(request: Any, context: grpc.ServicerContext) -> Any:
            with self._session(context):
                return behaviour(request, context)

        return call

    def _wrap_stream(self, behaviour: Behaviour) -> Behaviour:
        def call(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
            with self._session(context):
                yield from behaviour(request, context)

        return call

    @contextmanager
    def _session(self, context: grpc.ServicerContext) -> Iterator[None]:
        """Who calls is known inside; whatever is raised there ends the call with a status."""
        try:
            caller = self._authenticate(context)
            mark = _caller.set(caller)
            bind_contextvars(user_id=caller.id if caller else None)
            try:
                yield
            finally:
                _caller.reset(mark)
        except ApiError as error:
            abort(context, error)
        except (SubmissionError, StoreError, RulesError) as error:
            abort(context, as_api_error(error))
        except UNAVAILABLE as error:
            log.warning("the database does not answer", error=one_line(error))
            abort(context, unavailable())
        except grpc.RpcError:
            raise  # the caller is gone: nobody is left to tell
        except Exception:
            reference = secrets.token_hex(6)
            log.exception("a call failed", reference=reference)
            abort(context, broken(reference))

    def _authenticate(self, context: grpc.ServicerContext) -> User | None:
        values = [str(v) for k, v in context.invocation_metadata() or () if k == "authorization"]
        if not values:
            return None
        scheme, _, token = values[0].partition(" ")
        found = by_token(self._db, token) if scheme.lower() == "bearer" and token else None
        if found is None:
            raise unauthenticated("TOKEN_UNKNOWN", "no account has this token; ask for a new one")
        return found
