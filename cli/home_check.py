"""The check of a submission at home: the same admission, matches, limits, sandbox and words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from arena_service.scheduling.checks import Check, checks_of
from arena_service.submissions import Submission, SubmissionError, admit
from arena_service.verdicts import CheckedMatch, CheckedSeat, verdict
from bots.manifest import ManifestError, load
from bots.packing import PackingError, pack
from cli.failures import Failure
from cli.home import home_runtime
from engine_service.client import LocalEngine, MatchStart
from engine_service.core.seeds import deal_seed
from interrex.arena.v1.bot_service_pb2 import BotLog
from interrex.arena.v1.replay_service_pb2 import Evidence, Match, Note
from workers.match.evidence import SeatEvidence
from workers.match.local import ENTRANTS, LocalOutcome, play_itself
from workers.match.series import BotSource

EVENT = "check"


@dataclass(frozen=True)
class HomeCheck:
    """How a folder's matches against itself went; without a `reason` it would be active.

    The same `seed` repeats them.
    """

    bot: str
    seed: str
    reason: str
    checks: list[BotLog]


def packed(folder: Path) -> bytes:
    """The folder as it is uploaded; raises Failure."""
    try:
        load(folder)
        return pack(folder)
    except (ManifestError, PackingError) as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{error.filename} cannot be read: {error.strerror}") from error


def check_folder(folder: Path, seed: str) -> HomeCheck:
    """Check a bot's folder as the arena would check its upload; raises Failure.

    `seed`, 64 hex digits, is that of the deal where the bot plays one game, else the key.
    """
    try:
        submission = admit(packed(folder))
    except SubmissionError as error:
        raise Failure(f"{error} ({error.reason})") from error
    outcomes = _play(submission, seed)
    reason = verdict(map(_checked, outcomes))
    return HomeCheck(submission.manifest.name, seed, reason, list(map(_log, outcomes)))


def _play(submission: Submission, seed: str) -> list[LocalOutcome]:
    manifest, archive = submission.manifest, submission.archive
    checks = checks_of(manifest.games)
    starts = [
        _start(check, _deal(seed, number, len(checks))) for number, check in enumerate(checks)
    ]
    outcomes: list[LocalOutcome] = []
    with home_runtime() as runtime:
        staged = runtime.stage_bot(hashlib.sha256(archive).hexdigest(), lambda: archive)
        source = BotSource(staged, manifest.run)
        play_itself(source, manifest.name, starts, LocalEngine(), runtime, outcomes.append)
    return outcomes


def _deal(seed: str, number: int, games: int) -> str:
    return seed if games == 1 else deal_seed(bytes.fromhex(seed), EVENT, ENTRANTS, number).hex()


def _start(check: Check, seed: str) -> MatchStart:
    return MatchStart(
        game=check.game,
        options=check.options,
        seats=check.seats,
        seed=seed,
        rules_version=check.rules_version,
    )


def _checked(local: LocalOutcome) -> CheckedMatch:
    replay, evidence = local.outcome.replay, local.outcome.evidence
    return CheckedMatch(
        game=replay["game"],
        ending=replay["result"]["ending"],
        at_fault=replay["result"]["at_fault"],
        plies=len(replay["plies"]),
        seats=tuple(
            CheckedSeat(kept.limit, bool(kept.cpu_per_ply), kept.stderr_tail) for kept in evidence
        ),
    )


def _log(local: LocalOutcome) -> BotLog:
    replay = local.outcome.replay
    match = Match(
        game=replay["game"],
        state="finished",
        ending=replay["result"]["ending"],
        at_fault=replay["result"]["at_fault"],
        plies=len(replay["plies"]),
        kind="check",
    )
    return BotLog(match=match, evidence=map(_evidence, local.outcome.evidence))


def _evidence(kept: SeatEvidence) -> Evidence:
    return Evidence(
        seat=kept.seat,
        limit=kept.limit,
        used_ms=kept.used_ms,
        last_view=kept.last_view,
        last_line=kept.last_line,
        stderr_tail=kept.stderr_tail,
        cpu_ms_per_ply=kept.cpu_per_ply,
        wall_ms_per_ply=kept.wall_per_ply,
        start_cpu_ms=kept.start_cpu_ms,
        peak_bytes=kept.peak_bytes,
        notes=[Note(ply=int(ply), text=str(text)) for ply, text in kept.notes],
    )
