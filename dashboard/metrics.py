"""What the dashboard tells Prometheus; apart from the pages, whose script runs ever again."""

from __future__ import annotations

from prometheus_client import Histogram

from engine_service.metrics import SECONDS

PAGE_SECONDS = Histogram(
    "interrex_page_seconds", "What drawing a page took.", ["page"], buckets=SECONDS
)
