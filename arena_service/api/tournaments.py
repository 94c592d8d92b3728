"""TournamentService."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import grpc

from arena_service.access import Action, BotSubject, LadderSubject, TournamentSubject, may
from arena_service.api import competitions, courses, session
from arena_service.api import tournament_messages as messages
from arena_service.api.errors import forbidden
from arena_service.api.paging import cut
from arena_service.api.room import Room
from arena_service.scheduling import departures, finals
from arena_service.scheduling import tournaments as schedule
from arena_service.store import deliveries, ladders, strengths, tournaments
from arena_service.store.courses import course
from arena_service.store.database import Database
from arena_service.store.ledger import Scope
from arena_service.store.progress import EventProgress, event_progress
from arena_service.store.settings import Settings
from arena_service.store.standings import tournament_standings
from arena_service.store.states import ENDED, now_utc
from arena_service.store.tournaments import TournamentRow
from interrex.arena.v1.tournament_service_pb2 import (
    CancelTournamentRequest,
    CancelTournamentResponse,
    CreateTournamentRequest,
    CreateTournamentResponse,
    DisqualifyBotRequest,
    DisqualifyBotResponse,
    EnterTournamentRequest,
    EnterTournamentResponse,
    ExtendTournamentRequest,
    ExtendTournamentResponse,
    LeaveTournamentRequest,
    LeaveTournamentResponse,
    ListTournamentsRequest,
    ListTournamentsResponse,
    PauseTournamentRequest,
    PauseTournamentResponse,
    ResumeTournamentRequest,
    ResumeTournamentResponse,
    RunFinalRequest,
    RunFinalResponse,
    ShowCourseRequest,
    ShowCourseResponse,
    ShowTournamentRequest,
    ShowTournamentResponse,
    StartTournamentRequest,
    StartTournamentResponse,
    WatchTournamentRequest,
    WatchTournamentResponse,
    Webhook,
    WithdrawBotRequest,
    WithdrawBotResponse,
)
from interrex.arena.v1.tournament_service_pb2_grpc import TournamentServiceServicer

WATCHERS_AT_ONCE = 6
WATCH_SECONDS = 50.0  # then the watcher calls again and somebody else may have the place
LOOK_SECONDS = 0.5
REST_PER_LOOK = 20.0  # of a large tournament a look takes long: the pauses grow with it
SIGN_OF_LIFE_SECONDS = 10.0
SLOW_READER_SECONDS = 10.0


class Tournaments(TournamentServiceServicer):
    """Tournaments from their creation to their last result."""

    def __init__(self, db: Database, watch_seconds: float = WATCH_SECONDS) -> None:
        """Watching ends after `watch_seconds`, and soon after that for who does not read."""
        self._db, self._watch_seconds = db, watch_seconds
        self._watchers = Room("watchers", WATCHERS_AT_ONCE, watch_seconds + SLOW_READER_SECONDS)

    def CreateTournament(
        self, request: CreateTournamentRequest, context: grpc.ServicerContext
    ) -> CreateTournamentResponse:
        """Make a tournament that belongs to the caller."""
        owner = session.user()
        if not may(session.viewer(), Action.CREATE_TOURNAMENT, None):
            raise forbidden("NO_TOURNAMENTS", f"{owner.name} may not create tournaments")
        row = tournaments.create_tournament(
            self._db,
            owner.id,
            request.name,
            request.game,
            competitions.options(request.options_json),
            request.seats,
            request.pairs,
            competitions.limits(request.limits),
            request.format,
            Settings(
                rounds=request.rounds,
                challengers=tuple(
                    competitions.any_bot(self._db, name).bot_id for name in request.challengers
                ),
                seeding=request.seeding,
                sprt=courses.rule(request.sprt) if request.HasField("sprt") else None,
            ),
            webhook_url=request.webhook_url,
            asked=session.asked(request),
        )
        secret = deliveries.secret_of(self._db, row.id)
        return CreateTournamentResponse(tournament=messages.message(row), webhook_secret=secret)

    def RunFinal(self, request: RunFinalRequest, context: grpc.ServicerContext) -> RunFinalResponse:
        """Begin the final run of one of the caller's ladders."""
        session.user()
        ladder = ladders.show(self._db, request.ladder)
        if not may(session.viewer(), Action.RUN_LADDER, LadderSubject(ladder.owner_id)):
            raise forbidden("NOT_YOUR_LADDER", f"only {ladder.owner} may run {ladder.name}")
        terms = (request.budget, request.steps, session.asked(request))
        row = finals.run(self._db, ladder.id, now_utc(), *terms)
        return RunFinalResponse(tournament=messages.message(row))

    def EnterTournament(
        self, request: EnterTournamentRequest, context: grpc.ServicerContext
    ) -> EnterTournamentResponse:
        """Enter one of the caller's bots."""
        bot = competitions.own_bot(self._db, request.bot)
        entered = tournaments.enter(self._db, request.tournament, bot, request.version)
        return EnterTournamentResponse(
            version_id=entered.version_id, version=entered.version, state=entered.state
        )

    def LeaveTournament(
        self, request: LeaveTournamentRequest, context: grpc.ServicerContext
    ) -> LeaveTournamentResponse:
        """Take one of the caller's bots out."""
        bot = competitions.own_bot(self._db, request.bot)
        tournaments.leave(self._db, request.tournament, bot)
        return LeaveTournamentResponse()

    def StartTournament(
        self, request: StartTournamentRequest, context: grpc.ServicerContext
    ) -> StartTournamentResponse:
        """Close the entries and plan what is played first."""
        row = self._own(request.tournament, Action.START_TOURNAMENT)
        started = schedule.start(self._db, row.id, now_utc())
        return StartTournamentResponse(tournament=messages.message(started))

    def CancelTournament(
        self, request: CancelTournamentRequest, context: grpc.ServicerContext
    ) -> CancelTournamentResponse:
        """End it now."""
        row = self._own(request.tournament, Action.CANCEL_TOURNAMENT)
        cancelled = schedule.cancel(self._db, row.id, now_utc())
        return CancelTournamentResponse(tournament=messages.message(cancelled))

    def PauseTournament(
        self, request: PauseTournamentRequest, context: grpc.ServicerContext
    ) -> PauseTournamentResponse:
        """Lease nothing of it any more."""
        row = self._own(request.tournament, Action.MANAGE_TOURNAMENT)
        return PauseTournamentResponse(
            tournament=messages.message(schedule.pause(self._db, row.id))
        )

    def ResumeTournament(
        self, request: ResumeTournamentRequest, context: grpc.ServicerContext
    ) -> ResumeTournamentResponse:
        """Go on where it was paused."""
        row = self._own(request.tournament, Action.MANAGE_TOURNAMENT)
        return ResumeTournamentResponse(
            tournament=messages.message(schedule.resume(self._db, row.id))
        )

    def ExtendTournament(
        self, request: ExtendTournamentRequest, context: grpc.ServicerContext
    ) -> ExtendTournamentResponse:
        """Add pairs or rounds."""
        row = self._own(request.tournament, Action.MANAGE_TOURNAMENT)
        added = (request.pairs, request.rounds, session.asked(request))
        extended = schedule.extend(self._db, row.id, now_utc(), *added)
        return ExtendTournamentResponse(tournament=messages.message(extended))

    def WithdrawBot(
        self, request: WithdrawBotRequest, context: grpc.ServicerContext
    ) -> WithdrawBotResponse:
        """A bot plays no more, its results stay."""
        by, bot = session.user(), competitions.any_bot(self._db, request.bot)
        if not may(session.viewer(), Action.ENTER_BOT, BotSubject(bot.owner_id)):
            self._own(request.tournament, Action.MANAGE_TOURNAMENT)
        left = departures.withdraw(
            self._db, request.tournament, bot.bot_id, by.id, now_utc(), request.reason
        )
        return WithdrawBotResponse(tournament=messages.message(left))

    def DisqualifyBot(
        self, request: DisqualifyBotRequest, context: grpc.ServicerContext
    ) -> DisqualifyBotResponse:
        """A bot plays no more, and what it played counts for nobody."""
        row = self._own(request.tournament, Action.MANAGE_TOURNAMENT)
        by, bot = session.user(), competitions.any_bot(self._db, request.bot)
        left = departures.disqualify(self._db, row.id, bot.bot_id, by.id, now_utc(), request.reason)
        return DisqualifyBotResponse(tournament=messages.message(left))

    def ShowCourse(
        self, request: ShowCourseRequest, context: grpc.ServicerContext
    ) -> ShowCourseResponse:
        """Rounds, bracket and table."""
        return courses.message(course(self._db, request.tournament))

    def ShowTournament(
        self, request: ShowTournamentRequest, context: grpc.ServicerContext
    ) -> ShowTournamentResponse:
        """A tournament, its standings and how far it is."""
        row = tournaments.show(self._db, request.tournament)
        return ShowTournamentResponse(
            tournament=messages.message(row),
            standings=map(competitions.standing, tournament_standings(self._db, row.id)),
            progress=messages.progress(event_progress(self._db, row.event)),
            webhook=self._webhook(row),
            seats=messages.seats(strengths.worth_of_seats(self._db, Scope(tournament=row.id))),
        )

    def ListTournaments(
        self, request: ListTournamentsRequest, context: grpc.ServicerContext
    ) -> ListTournamentsResponse:
        """One page of the tournaments, the newest first."""
        wanted = cut(request)
        page = wanted.page(tournaments.all_tournaments(self._db, wanted.limit, wanted.offset))
        return ListTournamentsResponse(
            tournaments=map(messages.message, page.rows), next_page_token=page.next_token
        )

    def WatchTournament(
        self, request: WatchTournamentRequest, context: grpc.ServicerContext
    ) -> Iterator[WatchTournamentResponse]:
        """Progress whenever it changes and as a sign of life; ends with the event, or in time."""
        event = tournaments.show(self._db, request.tournament).event
        gone = threading.Event()
        context.add_callback(gone.set)
        with self._watchers.place(context):
            for seen in self._looks(event, gone):
                yield WatchTournamentResponse(progress=messages.progress(seen))

    def _looks(self, event: str, gone: threading.Event) -> Iterator[EventProgress]:
        told, told_at = None, 0.0
        end = time.monotonic() + self._watch_seconds
        while not gone.is_set():
            began = time.monotonic()
            seen, now = event_progress(self._db, event), time.monotonic()
            counts = replace(seen, eta_seconds=None)
            if counts != told or now - told_at >= SIGN_OF_LIFE_SECONDS:
                told, told_at = counts, now
                yield seen
            if seen.state in ENDED or now >= end:
                return
            gone.wait(max(LOOK_SECONDS, REST_PER_LOOK * (now - began)))

    def _webhook(self, row: TournamentRow) -> Webhook | None:
        """For its owner alone: an address may hold what is not for everybody."""
        own = TournamentSubject(row.owner_id)
        if not may(session.viewer(), Action.MANAGE_TOURNAMENT, own):
            return None
        found = deliveries.of_tournament(self._db, row.id)
        return None if found is None else messages.webhook(found)

    def _own(self, name: str, action: Action) -> TournamentRow:
        session.user()
        row = tournaments.show(self._db, name)
        if not may(session.viewer(), action, TournamentSubject(row.owner_id)):
            raise forbidden("NOT_YOUR_TOURNAMENT", f"only {row.owner} may do that with {row.name}")
        return row
