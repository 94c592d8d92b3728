"""BotService: uploads, the caller's versions with their checks and faults, and their archives."""

from __future__ import annotations

from collections.abc import Iterator

import grpc

from arena_service.access import Action, BotSubject, may
from arena_service.api import messages, session
from arena_service.api.errors import forbidden, invalid
from arena_service.api.paging import cut
from arena_service.api.room import Room
from arena_service.quotas import DEFAULTS, Quotas
from arena_service.scheduling.checks import checks_of
from arena_service.store import artifacts, fault_streaks, queries
from arena_service.store import bots as store
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.submissions import admit, too_large
from bots.manifest import NAME
from bots.packing import MAX_PACKED_BYTES
from interrex.arena.v1.bot_service_pb2 import (
    BotLog,
    CheckBotRequest,
    CheckBotResponse,
    ConfigureBotRequest,
    ConfigureBotResponse,
    DisableBotRequest,
    DisableBotResponse,
    DownloadBotRequest,
    DownloadBotResponse,
    GetBotRequest,
    GetBotResponse,
    ListBotsRequest,
    ListBotsResponse,
    SubmitBotMetadata,
    SubmitBotRequest,
    SubmitBotResponse,
)
from interrex.arena.v1.bot_service_pb2_grpc import BotServiceServicer

CHUNK_BYTES = 2**20
TRANSFERS_AT_ONCE = 4  # each way
TRANSFER_SECONDS = 60.0
FAULTS_SHOWN = 20


class Bots(BotServiceServicer):
    """Programs of the callers."""

    def __init__(
        self, db: Database, quotas: Quotas = DEFAULTS, seconds: float = TRANSFER_SECONDS
    ) -> None:
        """An upload or download that takes longer than `seconds` is cut off."""
        self._db, self._quotas = db, quotas
        self._uploads = Room("uploads", TRANSFERS_AT_ONCE, seconds)
        self._downloads = Room("downloads", TRANSFERS_AT_ONCE, seconds)

    def SubmitBot(
        self, request_iterator: Iterator[SubmitBotRequest], context: grpc.ServicerContext
    ) -> SubmitBotResponse:
        """Check an upload and keep it as the bot's next version."""
        user = session.user()
        if not may(session.viewer(), Action.SUBMIT_BOT, None):
            raise forbidden("NO_BOTS", f"{user.name} may not submit bots")
        with self._uploads.place(context):
            metadata = _metadata(request_iterator)
            submission = admit(_collect(request_iterator))
        manifest = submission.manifest
        row = store.submit(
            self._db,
            user.id,
            metadata.name or manifest.name,
            submission.archive,
            manifest,
            checks_of(manifest.games),
            self._quotas,
            session.asked(metadata, submission.archive),
        )
        return SubmitBotResponse(
            version=messages.version(row), created=row.created, finals=row.finals
        )

    def ListBots(self, request: ListBotsRequest, context: grpc.ServicerContext) -> ListBotsResponse:
        """One page of versions, the caller's or everybody's, by name, the newest first."""
        wanted, viewer = cut(request), session.viewer()
        if request.all:
            found = store.of_everybody(self._db, wanted.limit, wanted.offset)
        else:
            found = store.of_owner(self._db, session.user().id, wanted.limit, wanted.offset)
        page = wanted.page(found)
        return ListBotsResponse(
            versions=[messages.version_for(row, viewer) for row in page.rows],
            next_page_token=page.next_token,
        )

    def GetBot(self, request: GetBotRequest, context: grpc.ServicerContext) -> GetBotResponse:
        """A version of the caller's, its last check and its last faults."""
        row = self._own(Action.SEE_BOT, request.bot, request.version)
        faults = fault_streaks.recent(self._db, row.id, FAULTS_SHOWN)
        return GetBotResponse(
            version=messages.version(row),
            checks=map(self._log, store.check_matches(self._db, row.id)),
            faults=map(self._log, faults),
        )

    def CheckBot(self, request: CheckBotRequest, context: grpc.ServicerContext) -> CheckBotResponse:
        """Check a version of the caller's again."""
        row = self._own(Action.MANAGE_BOT, request.bot, request.version)
        again = store.check_again(self._db, row.id, checks_of(row.games), self._quotas)
        return CheckBotResponse(version=messages.version(again))

    def DisableBot(
        self, request: DisableBotRequest, context: grpc.ServicerContext
    ) -> DisableBotResponse:
        """Take a version of the caller's out."""
        row = self._own(Action.MANAGE_BOT, request.bot, request.version)
        return DisableBotResponse(version=messages.version(store.disable(self._db, row.id)))

    def ConfigureBot(
        self, request: ConfigureBotRequest, context: grpc.ServicerContext
    ) -> ConfigureBotResponse:
        """Let others challenge a bot of the caller's, or not."""
        row = self._own(Action.MANAGE_BOT, request.bot, 0)
        changed = store.configure(self._db, row.owner_id, row.bot, request.challenges)
        return ConfigureBotResponse(version=messages.version(changed))

    def DownloadBot(
        self, request: DownloadBotRequest, context: grpc.ServicerContext
    ) -> Iterator[DownloadBotResponse]:
        """The archive of a version; for its owner."""
        row = store.version(self._db, request.version_id)
        if not may(session.viewer(), Action.SEE_SOURCE, BotSubject(row.owner_id)):
            raise forbidden("NOT_YOUR_BOT", "only its owner may download a bot")
        with self._downloads.place(context):
            for piece in artifacts.pieces(self._db, row.sha256, CHUNK_BYTES):
                yield DownloadBotResponse(chunk=piece)

    def _own(self, action: Action, bot: str, number: int) -> store.BotVersionRow:
        """A version of the caller's bot, NAME or OWNER/NAME; other people's bots are not found."""
        user, (owner, _, name) = session.user(), bot.rpartition("/")
        if owner not in ("", user.name):
            raise NotFoundError("bot of yours", bot)
        row = store.find(self._db, user.id, name, number)
        if not may(session.viewer(), action, BotSubject(row.owner_id)):
            raise NotFoundError("bot of yours", bot)
        return row

    def _log(self, match_id: str) -> BotLog:
        detail = queries.match_detail(self._db, match_id)
        return BotLog(
            match=messages.match(detail.match),
            evidence=messages.evidence(detail, session.viewer()),
        )


def _metadata(requests: Iterator[SubmitBotRequest]) -> SubmitBotMetadata:
    """The first message; without a name the bot has that of its manifest."""
    first = next(requests, None)
    if first is None or first.WhichOneof("part") != "metadata":
        raise invalid("METADATA_FIRST", "metadata", "the first message must be the metadata")
    name = first.metadata.name
    if name and not NAME.fullmatch(name):
        expected = "1 to 40 of a-z, 0-9 and -, not starting with -"
        text = f"metadata.name: expected {expected}, got {name[:80]!r}"
        raise invalid("BAD_NAME", "metadata.name", text)
    return first.metadata


def _collect(requests: Iterator[SubmitBotRequest]) -> bytes:
    """The chunks as one archive; stops reading at the limit."""
    archive = bytearray()
    for request in requests:
        if request.WhichOneof("part") != "chunk":
            raise invalid("CHUNKS_ONLY", "chunk", "after the metadata only chunks may follow")
        archive += request.chunk
        if len(archive) > MAX_PACKED_BYTES:
            raise too_large()
    return bytes(archive)
