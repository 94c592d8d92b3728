"""Every refusal with the archive that provokes it."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable

import pytest

from arena_service.admission import judge
from arena_service.submissions import SubmissionError, admit
from bots.packing import MAX_FILES, MAX_PACKED_BYTES, MAX_UNPACKED_BYTES, PackedFile, pack_files
from tests.arena_service.submissions.archives import (
    GOOD,
    bzip2_bomb,
    encrypted_zip,
    header_chain,
    large_header,
    lying_zip,
    manifest,
    sparse,
    tar,
    tar_with,
    zipped,
)

MANY = [*GOOD, *((f"f{number}", b"") for number in range(MAX_FILES))]
HOSTILE: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "tar bomb": (
        lambda: tar([*GOOD, ("big", bytes(MAX_UNPACKED_BYTES))]),
        "UNPACKED_TOO_LARGE",
        "64 MiB",
    ),
    "tar bomb in small files": (
        lambda: tar([*GOOD, *((f"f{number}", bytes(2**20)) for number in range(65))]),
        "UNPACKED_TOO_LARGE",
        "64 MiB",
    ),
    "large extended header": (
        lambda: large_header(tarfile.XHDTYPE),
        "HEADER_TOO_LARGE",
        "65537 bytes",
    ),
    "large global header": (lambda: large_header(tarfile.XGLTYPE), "HEADER_TOO_LARGE", "65537"),
    "long name": (lambda: large_header(tarfile.GNUTYPE_LONGNAME), "HEADER_TOO_LARGE", "65537"),
    "long link": (lambda: large_header(tarfile.GNUTYPE_LONGLINK), "HEADER_TOO_LARGE", "65537"),
    "tar header chain": (header_chain, "NOT_AN_ARCHIVE", "headers"),
    "zip bomb": (
        lambda: zipped([*GOOD, ("big", bytes(MAX_UNPACKED_BYTES))]),
        "UNPACKED_TOO_LARGE",
        "64 MiB",
    ),
    "zip packed by bzip2": (bzip2_bomb, "NOT_AN_ARCHIVE", "another method"),
    "zip that lies about sizes": (lying_zip, "NOT_AN_ARCHIVE", "big"),
    "encrypted zip": (encrypted_zip, "NOT_AN_ARCHIVE", "encrypted"),
    "too many files": (lambda: tar(MANY), "TOO_MANY_FILES", "1000"),
    "too many folders": (
        lambda: tar([*GOOD, *((f"f{number}/", b"") for number in range(MAX_FILES))]),
        "TOO_MANY_FILES",
        "1000",
    ),
    "too many files, zip": (lambda: zipped(MANY), "TOO_MANY_FILES", "1000"),
    "endless zip directory": (lambda: b"PK\x03\x04" + b"PK\x01\x02" * 5000, "TOO_MANY_FILES", ""),
    "absolute path": (lambda: tar([*GOOD, ("/etc/x", b"")]), "ABSOLUTE_PATH", "/etc/x"),
    "absolute path, zip": (lambda: zipped([*GOOD, ("/etc/x", b"")]), "ABSOLUTE_PATH", "/etc/x"),
    "drive letter": (lambda: zipped([*GOOD, ("C:/x", b"")]), "ABSOLUTE_PATH", "C:/x"),
    "parent path": (lambda: tar([*GOOD, ("a/../../x", b"")]), "PARENT_PATH", "a/../../x"),
    "parent path, zip": (lambda: zipped([*GOOD, ("../x", b"")]), "PARENT_PATH", "../x"),
    "backslash": (lambda: tar([*GOOD, ("..\\x", b"")]), "BAD_PATH", "backslash"),
    "control character": (lambda: tar([*GOOD, ("a\nb", b"")]), "BAD_PATH", "control"),
    "nul in a name": (
        lambda: zipped([*GOOD, ("a!b", b"")]).replace(b"a!b", b"a\0b"),
        "BAD_PATH",
        "control",
    ),
    "long path": (lambda: tar([*GOOD, ("a" * 300, b"")]), "BAD_PATH", "240"),
    "symbolic link": (lambda: tar_with(tarfile.SYMTYPE), "LINK", "odd"),
    "link out": (lambda: tar_with(tarfile.SYMTYPE, target="/etc/passwd"), "LINK", "odd"),
    "hard link": (lambda: tar_with(tarfile.LNKTYPE), "LINK", "odd"),
    "link, zip": (lambda: zipped([*GOOD, ("odd", b"/etc")], 0o120777), "LINK", "odd"),
    "character device": (lambda: tar_with(tarfile.CHRTYPE), "SPECIAL_FILE", "odd"),
    "block device": (lambda: tar_with(tarfile.BLKTYPE), "SPECIAL_FILE", "odd"),
    "pipe": (lambda: tar_with(tarfile.FIFOTYPE), "SPECIAL_FILE", "odd"),
    "device, zip": (lambda: zipped([*GOOD, ("odd", b"")], 0o020666), "SPECIAL_FILE", "odd"),
    "old sparse file": (lambda: tar_with(tarfile.GNUTYPE_SPARSE), "SPECIAL_FILE", "odd"),
    "sparse file": (sparse, "SPECIAL_FILE", "odd"),
    "unknown type": (lambda: tar_with(b"9"), "SPECIAL_FILE", "odd"),
    "twice": (lambda: tar([*GOOD, ("main.py", b"x")]), "DUPLICATE_PATH", "main.py"),
    "twice, spelled anew": (lambda: tar([*GOOD, ("./main.py", b"x")]), "DUPLICATE_PATH", "main.py"),
    "twice, zip": (lambda: zipped([*GOOD, ("main.py", b"x")]), "DUPLICATE_PATH", "main.py"),
    "below a file": (lambda: tar([*GOOD, ("main.py/x", b"")]), "DUPLICATE_PATH", "main.py/x"),
    "no archive": (lambda: b"hello", "NOT_AN_ARCHIVE", ".tar.gz"),
    "empty": (lambda: b"", "NOT_AN_ARCHIVE", ".tar.gz"),
    "cut gzip": (lambda: tar()[:-30], "NOT_AN_ARCHIVE", "read"),
    "cut zip": (lambda: zipped()[:-30], "NOT_AN_ARCHIVE", "read"),
    "gzip of no tar": (lambda: gzip.compress(b"hello" * 500), "NOT_AN_ARCHIVE", "read"),
    "no manifest": (lambda: tar(GOOD[1:]), "MANIFEST_MISSING", "bot.toml"),
    "manifest in a folder": (
        lambda: tar([(f"m/{name}", content) for name, content in GOOD]),
        "MANIFEST_MISSING",
        "bot.toml",
    ),
    "no TOML": (lambda: manifest("name = "), "MANIFEST_INVALID", "TOML"),
    "bad name": (
        lambda: manifest('name = "A"\ngames = ["claim"]\nrun = ["x"]'),
        "MANIFEST_INVALID",
        "name",
    ),
    "planned protocol": (
        lambda: manifest('name = "a"\ngames = ["claim"]\nrun = ["x"]\nprotocol = "text"'),
        "MANIFEST_INVALID",
        "text",
    ),
    "no program": (
        lambda: manifest('name = "a"\ngames = ["claim"]\nrun = ["python3", "other.py"]'),
        "PROGRAM_MISSING",
        "other.py",
    ),
    "program without its executable bit": (
        lambda: manifest('name = "a"\ngames = ["claim"]\nrun = ["./main.py"]'),
        "NOT_EXECUTABLE",
        "chmod",
    ),
    "program without its folder": (
        lambda: manifest('name = "a"\ngames = ["claim"]\nrun = ["main.py"]'),
        "PROGRAM_MISSING",
        "./main.py",
    ),
    "no executable": (
        lambda: manifest('name = "a"\ngames = ["claim"]\nrun = ["./engine"]'),
        "PROGRAM_MISSING",
        "engine",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_refused_by_name(case: str) -> None:
    make, reason, word = HOSTILE[case]
    with pytest.raises(SubmissionError) as refusal:
        judge(make())
    assert refusal.value.reason == reason
    assert word in refusal.value.message
    assert refusal.value.field


def test_an_archive_over_the_limit_is_not_read() -> None:
    with pytest.raises(SubmissionError) as refusal:
        admit(bytes(MAX_PACKED_BYTES + 1))
    assert refusal.value.reason == "PACKED_TOO_LARGE"


@pytest.mark.parametrize("case", ["link out", "nul in a name", "no program"])
def test_a_refusal_comes_back_whole_from_the_process_that_judges(case: str) -> None:
    make, _, _ = HOSTILE[case]
    with pytest.raises(SubmissionError) as here:
        judge(make())
    with pytest.raises(SubmissionError) as there:
        admit(make())
    assert vars(there.value) == vars(here.value)


def test_a_bot_for_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    unknown = manifest('name = "a"\ngames = ["claim", "chess"]\nrun = ["python3", "main.py"]')
    with pytest.raises(SubmissionError, match=r"only claim, .*, got 'chess'") as refusal:
        admit(unknown)
    assert (refusal.value.reason, refusal.value.field) == ("UNKNOWN_GAME", "games")


@pytest.mark.parametrize(
    "archive", [tar(), zipped(), pack_files({n: PackedFile(c) for n, c in GOOD})]
)
def test_a_good_archive_gives_its_manifest(archive: bytes) -> None:
    assert admit(archive).manifest.name == "m"


@pytest.mark.parametrize("run", ['"python3", "./main.py"', '"python3", "-u", "main.py"'])
def test_a_program_may_be_named_in_several_ways(run: str) -> None:
    text = f'name = "a"\ngames = ["claim"]\nrun = [{run}]'
    assert admit(manifest(text)).manifest.run[0] == "python3"
