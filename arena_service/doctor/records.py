"""Matches with all that was written about them, read page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.states import COUNTED
from arena_service.store.tables import (
    Account,
    Attempt,
    Bot,
    BotVersion,
    Ledger,
    Match,
    MatchSeat,
    Pair,
    Result,
    SeatResult,
    Series,
)

PAGE = 200


@dataclass(frozen=True)
class Record:
    """One match; lists by seat or in the order of the fences, None where there is no row.

    `players` are as a replay names them, by seat.
    """

    match: Match
    pair: Pair | None
    series: Series | None
    seats: list[MatchSeat]
    players: list[dict[str, Any]]
    attempts: list[Attempt]
    result: Result | None
    seat_results: list[SeatResult]
    ledger: Ledger | None

    @cached_property
    def counts(self) -> bool:
        """Whether its result belongs in the ledger."""
        return (
            self.result is not None
            and self.match.kind in COUNTED
            and self.result.ending != "no_contest"
        )


class Matches:
    """Every match of the arena in pages of PAGE; nothing of a page is kept for the next."""

    def __init__(self, session: Session) -> None:
        """Within one transaction, so that all pages show one state."""
        self._session = session
        self._names: dict[str, dict[str, Any]] = {}

    def __iter__(self) -> Iterator[Record]:
        """In the order of their ids."""
        last = ""
        while page := self._page(last):
            yield from self._records(page)
            last = page[-1].id
            self._session.expunge_all()

    def _page(self, after: str) -> list[Match]:
        page = select(Match).where(col(Match.id) > after).order_by(col(Match.id)).limit(PAGE)
        return list(self._session.scalars(page))

    def _records(self, page: list[Match]) -> Iterator[Record]:
        ids = [match.id for match in page]
        seats = self._by_match(MatchSeat, ids, col(MatchSeat.seat))
        attempts = self._by_match(Attempt, ids, col(Attempt.fence))
        results = self._by_match(Result, ids, col(Result.match))
        seat_results = self._by_match(SeatResult, ids, col(SeatResult.seat))
        ledger = self._by_match(Ledger, ids, col(Ledger.match))
        pairs = self._by_id(Pair, {match.pair for match in page})
        series = self._by_id(Series, {match.series for match in page})
        self._learn_names({row.bot_version for rows in seats.values() for row in rows})
        for match in page:
            yield Record(
                match=match,
                pair=pairs.get(match.pair),
                series=series.get(match.series),
                seats=seats[match.id],
                players=[self._names.get(row.bot_version, {}) for row in seats[match.id]],
                attempts=attempts[match.id],
                result=next(iter(results[match.id]), None),
                seat_results=seat_results[match.id],
                ledger=next(iter(ledger[match.id]), None),
            )

    def _by_match(self, table: Any, ids: list[str], order: Any) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = defaultdict(list)
        for row in self._session.scalars(select(table).where(table.match.in_(ids)).order_by(order)):
            found[row.match].append(row)
        return found

    def _by_id(self, table: Any, ids: set[str | None]) -> dict[str | None, Any]:
        rows = self._session.scalars(select(table).where(table.id.in_(ids - {None})))
        return {row.id: row for row in rows}

    def _learn_names(self, versions: set[str]) -> None:
        unknown = versions - self._names.keys()
        if not unknown:
            return
        rows = self._session.execute(
            select(col(BotVersion.id), col(Account.name), col(Bot.name), col(BotVersion.number))
            .join(Bot, col(BotVersion.bot) == col(Bot.id))
            .join(Account, col(Bot.owner) == col(Account.id))
            .where(col(BotVersion.id).in_(unknown))
        )
        for version, owner, bot, number in rows:
            self._names[version] = {"bot": f"{owner}/{bot}", "version": number}
