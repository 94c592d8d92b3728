"""What ladders and tournaments have in common: they are found by id or name, and hold events."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.store.errors import NotFoundError
from arena_service.store.tables import Event, Ladder, Tournament
from engine_service.core.seeds import KEY_BYTES, commitment

Competition = Ladder | Tournament
Kind = TypeVar("Kind", Ladder, Tournament)


def find(session: Session, kind: type[Kind], wanted: str) -> Kind:
    """By id, else by name; raises NotFoundError."""
    found = session.scalar(
        select(kind)
        .where((col(kind.id) == wanted) | (col(kind.name) == wanted))
        .order_by(col(kind.id) != wanted)
    )
    if found is None:
        raise NotFoundError(kind.__name__.lower(), wanted)
    return found


def is_rated(session: Session, event: Event) -> bool:
    """Whether the results of an event give ratings: those of a challenge do not."""
    tournament = session.get(Tournament, event.tournament or "")
    return tournament is None or formats.find(tournament.format).rated


def open_event(
    limits: Mapping[str, int],
    *,
    ladder: str | None = None,
    slot: int | None = None,
    tournament: str | None = None,
) -> Event:
    """An event with open entries: its key is secret, its commitment public from now on."""
    key = secrets.token_bytes(KEY_BYTES)
    return Event(
        ladder=ladder,
        slot=slot,
        tournament=tournament,
        key=key,
        commitment=commitment(key),
        limits=dict(limits),
    )
