"""`python -m arena_service.admission MEMORY CPU`: judge one archive, from stdin to stdout, and end.

The limits, bytes and seconds, bound what a hostile archive can take in whatever library the hole
may be. The answer is a line of JSON with a `manifest` or a `refusal`; after a manifest the files
follow, packed anew. Without enough memory it ends with OUT_OF_MEMORY and no answer.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from dataclasses import asdict

from arena_service.archives import unpack
from arena_service.submissions import OUT_OF_MEMORY, Submission, SubmissionError
from bots.manifest import FILE, Manifest, ManifestError, parse
from bots.packing import PackedFile, pack_files


def main() -> None:
    """Bound this process, then read, judge and answer."""
    memory, cpu = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        submission = judge(sys.stdin.buffer.read())
    except (MemoryError, SystemError):  # the latter: no memory was left to raise the former
        os._exit(OUT_OF_MEMORY)  # nor, perhaps, for anything else
    except SubmissionError as refusal:
        _answer({"refusal": vars(refusal)})
    else:
        _answer({"manifest": asdict(submission.manifest)}, submission.archive)


def judge(archive: bytes) -> Submission:
    """Check an archive and pack its files anew; raises SubmissionError."""
    files = unpack(archive)
    return Submission(_manifest(files), pack_files(files))


def _answer(head: dict[str, object], archive: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n")
    sys.stdout.buffer.write(archive)


def _manifest(files: dict[str, PackedFile]) -> Manifest:
    if FILE not in files:
        raise SubmissionError("MANIFEST_MISSING", FILE, f"the archive has no {FILE} at its top")
    try:
        manifest = parse(files[FILE].content)
    except ManifestError as error:
        raise SubmissionError("MANIFEST_INVALID", error.field, str(error)) from error
    _check_program(manifest.run, files)
    return manifest


def _check_program(run: tuple[str, ...], files: dict[str, PackedFile]) -> None:
    """The program must be in the archive, under the name that `run` gives it."""
    interpreted = run[0] == "python3"
    if interpreted and (len(run) < 2 or run[1].startswith("-")):
        return
    program = run[1 if interpreted else 0].removeprefix("./")
    if program not in files:
        raise SubmissionError(
            "PROGRAM_MISSING", "run", f"{FILE}: run: the archive holds no {program!r}"
        )
    if not interpreted and "/" not in run[0]:
        # Without a slash it would be looked for in the system's folders.
        raise SubmissionError("PROGRAM_MISSING", "run", f"{FILE}: run: write './{program}'")
    if not interpreted and not files[program].executable:
        raise SubmissionError(
            "NOT_EXECUTABLE", "run", f"{FILE}: run: {program!r} may not be executed (chmod +x)"
        )


if __name__ == "__main__":
    main()
