"""Tournaments as messages; challenges are some of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from arena_service.access import Action, EventSubject, may
from arena_service.api import session
from arena_service.api.messages import instant
from arena_service.ratings.pairs import Interval
from arena_service.store.deliveries import DeliveryRow
from arena_service.store.progress import EventProgress
from arena_service.store.states import DeliveryState
from arena_service.store.tournaments import TournamentRow
from interrex.arena.v1.ladder_service_pb2 import Limits
from interrex.arena.v1.tournament_service_pb2 import Progress, SeatWorth, Tournament, Webhook


def message(row: TournamentRow) -> Tournament:
    """A tournament as the caller may see it."""
    public = may(session.viewer(), Action.SEE_KEY, EventSubject(row.ended))
    return Tournament(
        id=row.id,
        name=row.name,
        owner=row.owner,
        format=row.format,
        game=row.game,
        options_json=json.dumps(row.options),
        seats=row.seats,
        pairs=row.pairs,
        limits=Limits(**row.limits),
        state=row.state,
        entrants=row.entrants,
        event=row.event,
        commitment=row.commitment,
        entrants_digest=row.entrants_digest or "",
        key=row.key.hex() if public and row.key is not None else "",
        created_at=instant(row.created_at),
        started_at=instant(row.started_at),
        ended_at=instant(row.ended_at),
        rounds=row.rounds,
        ladder=row.ladder,
    )


def seats(worth: Iterable[Interval]) -> Iterator[SeatWorth]:
    """What the seats are worth, by seat."""
    for each in worth:
        yield SeatWorth(credit=each.mean, credit_low=each.low, credit_high=each.high)


def progress(seen: EventProgress) -> Progress:
    """How far an event is."""
    return Progress(
        state=seen.state,
        pairs_planned=seen.pairs_planned,
        pairs_done=seen.pairs_done,
        matches_planned=seen.matches_planned,
        matches_done=seen.matches_done,
        matches_running=seen.matches_running,
        eta_seconds=seen.eta_seconds,
        pairs_cancelled=seen.pairs_cancelled,
    )


def webhook(row: DeliveryRow) -> Webhook:
    """How far it has been told."""
    waits = row.state == DeliveryState.WAITING
    return Webhook(
        url=row.url,
        state=row.state,
        attempts=row.attempts,
        error=row.error,
        due_at=instant(row.due_at) if waits else None,
    )
