"""Whether every replay is true by the rules, and is the match that was planned and decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from arena_service.audit.books import Book
from arena_service.audit.documents import NO_REPLAY, Match, Result
from arena_service.doctor.report import Oddity, Proof
from arena_service.formats.credit import credits_of
from arena_service.verdicts import NOBODY_STARTED, OWN_FAULTS
from engine_service import catalogue
from engine_service.core import replay as replay_file
from engine_service.core.errors import ReplayError, UnknownGameError

CREDITS_CLOSE = 1e-12

Teams = tuple[int, ...] | None


class Replays:
    """Judges one match after the other; of its replay only the teams are kept.

    Replays of rules that are not installed here are compared and not played again.
    """

    def __init__(self, replays: Proof, results: Proof, credits: Proof) -> None:
        """Where the verdicts go."""
        self._replays, self._results, self._credits = replays, results, credits
        self._unplayed: Counter[str] = Counter()

    def judge(self, book: Book, match: Match) -> Teams:
        """Take a match; the team of every seat, None where each is alone or nobody can tell."""
        about = f"{book.about(match.pair)} leg {match.leg} match {match.id}"
        content = bytes(match.replay)
        if (match.result is None) != (content == NO_REPLAY):
            self._replays.take(about, ["has a result or a replay without the other"])
            return None
        if match.result is None:
            return None
        try:
            replay = self._verified(content)
        except ReplayError as error:
            self._replays.take(about, [f"its replay does not hold: {error}"])
            return None
        self._replays.take(about, _not_as_planned(book, match, replay))
        self._results.take(about, _not_as_played(match.result, replay))
        self._credits.take(about, _not_as_ranked(match.result, replay))
        teams = replay.get("teams")
        return None if teams is None else tuple(teams)

    def oddities(self) -> Iterator[Oddity]:
        """Which replays could not be played again."""
        for rules, count in sorted(self._unplayed.items()):
            yield Oddity("replays not played again", rules, f"{count} matches")

    def _verified(self, content: bytes) -> dict[str, Any]:
        replay = replay_file.read(content)
        try:
            installed = catalogue.game(replay["game"]).rules_version == replay["rules_version"]
        except UnknownGameError:
            installed = False
        if installed:
            replay_file.verify(replay, catalogue.game)
            return replay
        self._unplayed[f"{replay['game'][:40]} rules {str(replay['rules_version'])[:20]}"] += 1
        if replay_file.digest(replay) != replay["digest"]:
            raise ReplayError(None, "wrong digest")
        _check_ranks(replay)
        return replay


def _check_ranks(replay: dict[str, Any]) -> None:
    """What the rules would have seen to; raises ReplayError."""
    ranks, seats = replay["result"]["ranks"], replay["seats"]
    whole = isinstance(ranks, list) and all(type(rank) is int for rank in ranks)
    if ranks is not None and not (whole and len(ranks) == seats >= 2):
        raise ReplayError(None, "ranks are not one per seat")


def _not_as_planned(book: Book, match: Match, replay: dict[str, Any]) -> Iterator[str]:
    event, pair = book.event, book.pairs.get(match.pair)
    planned = {
        "game": event.game,
        "rules_version": event.rules_version,
        "options": event.options,
        "seats": event.seats,
        "seed": pair.seed if pair else None,
        "players": [_named(book, player.bot_version) for player in match.players],
    }
    for field, value in planned.items():
        if replay[field] != value:
            yield f"{field} in its replay is not as planned"


def _named(book: Book, version: str) -> dict[str, Any]:
    found = book.entrants.get(version)
    return {"bot": f"{found.owner}/{found.bot}", "version": found.version} if found else {}


def _not_as_played(result: Result, replay: dict[str, Any]) -> Iterator[str]:
    played = replay["result"]
    for field in ("ending", "at_fault", "ranks"):
        if getattr(result, field) != played[field]:
            yield f"{field} is {getattr(result, field)}, in its replay {played[field]}"
    if result.digest != replay["digest"]:
        yield "its digest is another than that of its replay"
    if played["ending"] != NOBODY_STARTED:
        blamed = [played["at_fault"]] if played["ending"] in OWN_FAULTS else []
        if result.faults != blamed:
            yield f"blames the seats {result.faults[:8]}, its replay {blamed}"


def _not_as_ranked(result: Result, replay: dict[str, Any]) -> Iterator[str]:
    ranks = replay["result"]["ranks"]
    expected = None if ranks is None else credits_of(ranks, replay.get("teams"))
    found = result.credits
    if expected is None or found is None:
        if expected is not found:
            yield f"has the credits {found}, from its ranks follow {expected}"
    elif len(found) != len(expected) or any(
        abs(mine - other) > CREDITS_CLOSE for mine, other in zip(found, expected, strict=True)
    ):
        yield f"has the credits {found}, from its ranks follow {expected}"
