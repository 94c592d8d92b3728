"""What webhooks need to know of the arena: where its dashboard is, and where they may lead."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from arena_service.settings import SettingsError


@dataclass(frozen=True)
class WebhookSettings:
    """`private`: they may lead into the arena's own network. `dashboard`: address for links."""

    private: bool
    dashboard: str

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> WebhookSettings:
        """From `INTERREX_WEBHOOK_PRIVATE` and `INTERREX_DASHBOARD_URL`; raises SettingsError."""
        private = environment.get("INTERREX_WEBHOOK_PRIVATE") or "0"
        if private not in ("0", "1"):
            raise SettingsError(f"INTERREX_WEBHOOK_PRIVATE: expected 0 or 1, got {private[:80]!r}")
        port = environment.get("INTERREX_DASHBOARD_PORT") or "8501"
        dashboard = environment.get("INTERREX_DASHBOARD_URL") or f"http://127.0.0.1:{port}"
        return cls(private == "1", dashboard.rstrip("/"))
