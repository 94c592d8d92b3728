"""Archives as authors and attackers make them."""

from __future__ import annotations

import gzip
import io
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence

from arena_service.archives import MAX_HEADER_BYTES

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
