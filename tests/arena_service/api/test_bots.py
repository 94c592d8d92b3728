"""Uploads over a real channel."""

from __future__ import annotations

import io
import random
import tarfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from sqlalchemy import update
from sqlmodel import col

from arena_service.api.bots import CHUNK_BYTES, TRANSFERS_AT_ONCE, Bots
from arena_service.api.session import SessionInterceptor
from arena_service.store.accounts import create_user
from arena_service.store.database import Database
from arena_service.store.states import VersionState
from arena_service.store.tables import BotVersion
from bots.packing import PackedFile, pack_files
from cli.client import Arena, Signed
from interrex.arena.v1.bot_service_pb2 import (
    DownloadBotRequest,
    ListBotsRequest,
    SubmitBotMetadata,
    SubmitBotRequest,
)
from interrex.arena.v1.bot_service_pb2_grpc import add_BotServiceServicer_to_server


def archive(program: bytes = b"pass\n", name: str = "bot") -> bytes:
    manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    return pack_files({"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(program)})


def download(arena: Arena, version_id: str) -> bytes:
    request = DownloadBotRequest(version_id=version_id)
    return b"".join(part.chunk for part in arena.bots.DownloadBot(request))


def test_a_bot_is_submitted_listed_and_downloaded(caller: Any) -> None:
    ada = caller("ada")
    answer = ada.submit(archive())
    assert (answer.version.bot, answer.version.version, answer.created) == ("bot", 1, True)
    assert list(ada.bots.ListBots(ListBotsRequest()).versions) == [answer.version]
    assert download(ada, answer.version.id) == archive()


def test_the_same_bytes_keep_their_version(caller: Any) -> None:
    ada = caller("ada")
    first = ada.submit(archive())
    again = ada.submit(archive())
    assert again.version == first.version
    assert not again.created


def test_other_bytes_are_the_next_version(caller: Any) -> None:
    ada = caller("ada")
    ada.submit(archive(b"1"))
    assert ada.submit(archive(b"2")).version.version == 2


def test_the_metadata_may_name_the_bot(caller: Any) -> None:
    assert caller("ada").submit(archive(), name="other").version.bot == "other"


def test_two_people_may_choose_one_name(caller: Any) -> None:
    versions = [caller(person).submit(archive()).version for person in ("ada", "bob")]
    assert [version.version for version in versions] == [1, 1]
    assert versions[0].id != versions[1].id


def test_a_spectator_submits_nothing(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        spectator.submit(archive())
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


def test_a_stranger_sees_neither_source_nor_list(caller: Any, refused: Any) -> None:
    version = caller("ada").submit(archive()).version
    stranger = caller("bob")
    assert not stranger.bots.ListBots(ListBotsRequest()).versions
    with refused() as refusal:
        download(stranger, version.id)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_BOT")


def test_everybody_sees_which_versions_play_and_only_the_owner_why_one_does_not(
    caller: Any, spectator: Arena, db: Database
) -> None:
    ada, bob = caller("ada"), caller("bob")
    plays, waits = ada.submit(archive(b"1")).version, ada.submit(archive(b"2")).version
    bob.submit(archive())
    with db.write() as session:
        state = update(BotVersion).where(col(BotVersion.id) == plays.id)
        session.execute(state.values(state=VersionState.ACTIVE))

    def listed(arena: Arena) -> list[tuple[str, ...]]:
        rows = arena.bots.ListBots(ListBotsRequest(all=True)).versions
        return [(f"{row.owner}/{row.bot} {row.version}", row.state, row.sha256) for row in rows]

    own = [("ada/bot 2", "checking", waits.sha256), ("ada/bot 1", "active", plays.sha256)]
    told = [("ada/bot 2", "inactive", ""), ("ada/bot 1", "active", "")]
    assert listed(ada)[:2] == own
    assert listed(bob)[:2] == listed(spectator)[:2] == told
    assert [row[:2] for row in listed(bob)[2:]] == [("bob/bot 1", "checking")]


def test_a_spectator_downloads_nothing(caller: Any, spectator: Arena, refused: Any) -> None:
    version = caller("ada").submit(archive()).version
    with refused() as refusal:
        download(spectator, version.id)
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


def test_an_unknown_version_is_not_found(caller: Any, refused: Any) -> None:
    with refused() as refusal:
        download(caller("ada"), "nothing")
    assert refusal.code is grpc.StatusCode.NOT_FOUND


def test_a_hostile_archive_is_refused_with_reason_and_field(caller: Any, refused: Any) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        link = tarfile.TarInfo("passwords")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        opened.addfile(link)
    with refused() as refusal:
        caller("ada").submit(packed.getvalue())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "LINK")
    assert refusal.field == "archive"
    assert "passwords" in refusal.message


def test_an_upload_over_the_limit_is_refused_while_it_streams(caller: Any, refused: Any) -> None:
    sent = 0

    def endless() -> Iterator[SubmitBotRequest]:
        nonlocal sent
        yield SubmitBotRequest(metadata=SubmitBotMetadata())
        for _ in range(1000):
            sent += 1
            yield SubmitBotRequest(chunk=bytes(2**20))

    with refused() as refusal:
        caller("ada").bots.SubmitBot(endless())
    assert refusal.reason == "PACKED_TOO_LARGE"
    assert sent < 1000


CHUNK = SubmitBotRequest(chunk=b"x")
METADATA = SubmitBotRequest(metadata=SubmitBotMetadata())
NAMED = SubmitBotRequest(metadata=SubmitBotMetadata(name="../x"))


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([], "METADATA_FIRST"),
        ([CHUNK], "METADATA_FIRST"),
        ([SubmitBotRequest()], "METADATA_FIRST"),
        ([METADATA, METADATA], "CHUNKS_ONLY"),
        ([METADATA, SubmitBotRequest()], "CHUNKS_ONLY"),
        ([METADATA], "NOT_AN_ARCHIVE"),
        ([NAMED, CHUNK], "BAD_NAME"),
    ],
)
def test_a_stream_out_of_order_is_refused(
    caller: Any, refused: Any, messages: list[SubmitBotRequest], reason: str
) -> None:
    with refused() as refusal:
        caller("ada").bots.SubmitBot(iter(messages))
    assert refusal.reason == reason


def test_slow_uploads_leave_room_for_other_calls(caller: Any, refused: Any) -> None:
    ada, end = caller("ada"), threading.Event()

    def slow() -> Iterator[SubmitBotRequest]:
        yield METADATA
        end.wait(60)

    waiting = [ada.bots.SubmitBot.future(slow()) for _ in range(TRANSFERS_AT_ONCE)]
    try:
        with refused() as refusal:
            for _ in range(200):
                ada.submit(archive())
                # One that came while this upload had a place was refused: it comes again.
                waiting = [
                    ada.bots.SubmitBot.future(slow()) if call.done() else call for call in waiting
                ]
                time.sleep(0.02)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "BUSY")
        assert ada.bots.ListBots(ListBotsRequest()) is not None
    finally:
        end.set()
    for call in waiting:
        assert "no .tar.gz" in call.exception().details()
    assert ada.submit(archive()).version.version == 1


@contextmanager
def impatient(db: Database, token: str) -> Iterator[Arena]:
    """A caller of a server that cuts transfers off after a fifth of a second."""
    server = grpc.server(ThreadPoolExecutor(2), interceptors=[SessionInterceptor(db)])
    add_BotServiceServicer_to_server(Bots(db, seconds=0.2), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    # A window that does not grow: what the caller has not read stays with the server.
    narrow = [("grpc.http2.lookahead_bytes", 2**16), ("grpc.http2.bdp_probe", 0)]
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=narrow) as channel:
        yield Arena(grpc.intercept_channel(channel, Signed(token)))
    server.stop(1).wait()


def test_an_upload_that_never_ends_is_cut_off(db: Database) -> None:
    end = threading.Event()

    def endless() -> Iterator[SubmitBotRequest]:
        yield METADATA
        end.wait(60)

    with impatient(db, create_user(db, "ada")) as arena, pytest.raises(grpc.RpcError) as cut:
        arena.bots.SubmitBot(endless())
    end.set()
    assert cut.value.code() is grpc.StatusCode.CANCELLED


def noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


def test_a_download_that_is_read_too_slowly_is_cut_off(db: Database, with_token: Any) -> None:
    token = create_user(db, "ada")
    version = with_token(token).submit(archive(noise(12 * 2**20))).version

    def read_slowly(arena: Arena) -> None:
        for _ in arena.bots.DownloadBot(DownloadBotRequest(version_id=version.id)):
            time.sleep(0.1)

    with impatient(db, token) as arena, pytest.raises(grpc.RpcError) as cut:
        read_slowly(arena)
    assert cut.value.code() is grpc.StatusCode.CANCELLED


def test_a_large_archive_comes_back_whole_in_pieces_of_bounded_size(caller: Any) -> None:
    ada, large = caller("ada"), archive(noise(3 * CHUNK_BYTES))
    version = ada.submit(large).version
    parts = list(ada.bots.DownloadBot(DownloadBotRequest(version_id=version.id)))
    assert b"".join(part.chunk for part in parts) == large
    assert {len(part.chunk) for part in parts[:-1]} == {CHUNK_BYTES}
    assert len(parts) == 4


def test_slow_downloads_leave_room_for_other_calls(caller: Any, refused: Any) -> None:
    ada = caller("ada")
    version = ada.submit(archive(noise(12 * 2**20))).version
    request = DownloadBotRequest(version_id=version.id)
    waiting = [ada.bots.DownloadBot(request) for _ in range(TRANSFERS_AT_ONCE)]
    for parts in waiting:
        next(parts)
    with refused() as refusal:
        list(ada.bots.DownloadBot(request))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "BUSY")
    for parts in waiting:
        parts.cancel()
