"""Every refusal with the archive that provokes it."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence

import pytest

from arena_service import submissions
from arena_service.admission import judge
from arena_service.archives import MAX_HEADER_BYTES
from arena_service.submissions import SubmissionError, admit
from bots.packing import MAX_FILES, MAX_PACKED_BYTES, MAX_UNPACKED_BYTES, PackedFile, pack_files

MANIFEST = b'name = "m"\ngames = ["claim"]\nrun = ["python3", "main.py"]\nprotocol = "json"\n'
GOOD = [("bot.toml", MANIFEST), ("main.py", b"print()")]


def tar(
    files: Sequence[tuple[str, bytes]] = GOOD,
    extra: Callable[[tarfile.TarFile], None] = lambda opened: None,
) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as opened:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            opened.addfile(entry, io.BytesIO(content))
        extra(opened)
    return packed.getvalue()


def tar_with(type_: bytes, name: str = "odd", target: str = "main.py") -> bytes:
    def add(opened: tarfile.TarFile) -> None:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = type_, target
        opened.addfile(entry)

    return tar(extra=add)


def zipped(files: Sequence[tuple[str, bytes]] = GOOD, mode: int = 0) -> bytes:
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        warnings.simplefilter("ignore")
        for name, content in files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode if name == "odd" else 0) << 16
            opened.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def manifest(text: str) -> bytes:
    return tar([("bot.toml", text.encode()), ("main.py", b"")])


def lying_zip() -> bytes:
    """A zip whose headers claim that a file of 70 MiB holds one byte."""
    size = 70 * 2**20
    real = zipped([*GOOD, ("big", bytes(size))])
    return real.replace(size.to_bytes(4, "little"), (1).to_bytes(4, "little"))


def bzip2_bomb() -> bytes:
    """A few hundred bytes that zipfile would inflate to hundreds of MiB in one read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as opened:
        opened.writestr("big", bytes(100 * 2**20))
    return packed.getvalue()


def encrypted_zip() -> bytes:
    """A zip whose directory says that its entries are encrypted."""
    content = bytearray(zipped())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (found := content.find(signature, start)) >= 0:
            content[found + offset] |= 1
            start = found + 4
    return bytes(content)


def header_chain() -> bytes:
    """Extended headers that follow each other until a recursive reader gives up."""
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 0
    return gzip.compress(header.tobuf() * 5000)


def extended(type_: bytes, content: bytes) -> bytes:
    """An extended header with its content, padded, as it stands in a tar archive."""
    header = tarfile.TarInfo("x")
    header.type, header.size = type_, len(content)
    return header.tobuf() + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def large_header(type_: bytes) -> bytes:
    return gzip.compress(extended(type_, bytes(MAX_HEADER_BYTES + 1)), 1)


def many_records() -> bytes:
    """An upload of 3 MB whose extended header is a million records, an object each."""
    records = b"".join(b"15 %06x=%04x\n" % (n, n % 2**16) for n in range(2**20))
    return gzip.compress(extended(tarfile.XHDTYPE, records), 1)


def chained_records() -> bytes:
    """Extended headers of a permitted size, each of which stays in memory below the next."""
    records = b"".join(b"14 %05x=abcd\n" % n for n in range(4600))
    return gzip.compress(extended(tarfile.XHDTYPE, records) * 1000, 1)


def sparse_map() -> bytes:
    """A sparse file of the third kind, whose map is as long as the archive says."""
    marks = {"major": "1", "minor": "0", "name": "odd", "realsize": "1"}
    texts = [f" GNU.sparse.{key}={value}\n" for key, value in marks.items()]
    records = "".join(f"{len(text) + 2}{text}" for text in texts).encode()
    size = 60 * 2**20
    entry = tarfile.TarInfo("odd")
    entry.size = size
    content = b"%d\n" % (size // 8) + b"999\n" * (size // 4)
    return gzip.compress(extended(tarfile.XHDTYPE, records) + entry.tobuf() + content[:size], 1)


def sparse() -> bytes:
    """A sparse file: 10 GiB of zeros that the archive never holds."""

    def add(opened: tarfile.TarFile) -> None:
        entry = tarfile.TarInfo("odd")
        entry.pax_headers = {
            "GNU.sparse.major": "0",
            "GNU.sparse.minor": "1",
            "GNU.sparse.map": "0,1",
            "GNU.sparse.size": str(10 * 2**30),
        }
        entry.size = 1
        opened.addfile(entry, io.BytesIO(b"x"))

    return tar(extra=add)


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
    "unknown game": (
        lambda: manifest('name = "a"\ngames = ["chess"]\nrun = ["python3", "main.py"]'),
        "UNKNOWN_GAME",
        "chess",
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


ADMIT = """
import resource, sys
from arena_service.submissions import SubmissionError, admit
try:
    admit(sys.stdin.buffer.read())
except SubmissionError as refusal:
    print(refusal.reason, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, refusal)
"""


@pytest.mark.parametrize(
    ("make", "mebibytes", "refusals"),
    [
        (many_records, 64, {"HEADER_TOO_LARGE": "extended header"}),
        # Memory and the depth of the interpreter end at about the same header.
        (chained_records, 256, {"TOO_COSTLY": "256 MiB", "NOT_AN_ARCHIVE": "extended headers"}),
        (sparse_map, 256, {"TOO_COSTLY": "more than 256 MiB"}),
    ],
)
def test_what_an_archive_takes_is_bounded(
    make: Callable[[], bytes], mebibytes: int, refusals: dict[str, str]
) -> None:
    """Measured from a process that has had no other children."""
    told = subprocess.run([sys.executable, "-c", ADMIT], input=make(), capture_output=True)
    found, peak, message = told.stdout.decode().split(maxsplit=2)
    assert found in refusals
    assert int(peak) <= mebibytes
    assert refusals[found] in message


@pytest.mark.parametrize(
    ("limit", "value", "word"),
    [("CPU_SECONDS", 1, "1 s of CPU time"), ("DEADLINE_SECONDS", 0.2, "more than 0 s")],
)
def test_an_archive_that_takes_long_is_refused(
    limit: str, value: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MEMORY_BYTES", 2**30)
    monkeypatch.setattr(submissions, limit, value)
    with pytest.raises(SubmissionError, match=word) as refusal:
        admit(sparse_map())
    assert refusal.value.reason == "TOO_COSTLY"


def test_an_archive_that_breaks_its_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    breaks = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    monkeypatch.setattr(submissions, "_COMMAND", (sys.executable, "-c", breaks))
    with pytest.raises(SubmissionError, match="SIGSEGV") as refusal:
        admit(tar())
    assert refusal.value.reason == "NOT_AN_ARCHIVE"


def test_a_bug_of_the_reader_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "_COMMAND", (sys.executable, "-c", "1 / 0"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        admit(tar())


@pytest.mark.parametrize("case", ["link out", "nul in a name", "unknown game"])
def test_a_refusal_comes_back_whole_from_the_process_that_judges(case: str) -> None:
    make, _, _ = HOSTILE[case]
    with pytest.raises(SubmissionError) as here:
        judge(make())
    with pytest.raises(SubmissionError) as there:
        admit(make())
    assert vars(there.value) == vars(here.value)


@pytest.mark.parametrize(
    "archive", [tar(), zipped(), pack_files({n: PackedFile(c) for n, c in GOOD})]
)
def test_a_good_archive_gives_its_manifest(archive: bytes) -> None:
    assert admit(archive).manifest.name == "m"


@pytest.mark.parametrize("run", ['"python3", "./main.py"', '"python3", "-u", "main.py"'])
def test_a_program_may_be_named_in_several_ways(run: str) -> None:
    text = f'name = "a"\ngames = ["claim"]\nrun = [{run}]'
    assert admit(manifest(text)).manifest.run[0] == "python3"
