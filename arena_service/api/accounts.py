"""AccountService."""

from __future__ import annotations

import grpc

from arena_service.api import session
from interrex.arena.v1.account_service_pb2 import WhoAmIRequest, WhoAmIResponse
from interrex.arena.v1.account_service_pb2_grpc import AccountServiceServicer


class Accounts(AccountServiceServicer):
    """Answers who the caller is."""

    def WhoAmI(self, request: WhoAmIRequest, context: grpc.ServicerContext) -> WhoAmIResponse:
        """The caller's account."""
        user = session.user()
        return WhoAmIResponse(user_id=user.id, name=user.name)
