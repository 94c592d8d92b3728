"""What the demo plays: a ladder of each game, all three at the same time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

import bots
from bots.packing import pack
from cli.checks import ACTIVE, wait_until_checked
from cli.client import Arena, new_key
from cli.failures import Failure
from cli.output import submitted
from cli.pages import pages
from cli.progress import pairs_of
from interrex.arena.v1.bot_service_pb2 import BotVersion, CheckBotRequest
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    EnterLadderRequest,
    ListLaddersRequest,
    ListSlotsRequest,
    RunLadderNowRequest,
    ShowLadderResponse,
)
from interrex.arena.v1.replay_service_pb2 import ListMatchesRequest

BASELINES = Path(bots.__file__).parent / "baselines"
PLAY_SECONDS = 1200.0


@dataclass(frozen=True)
class Showcase:
    """A ladder of the demo; `pairs` of every two bots."""

    ladder: str
    game: str
    bots: tuple[str, ...]
    pairs: int


# A search takes seconds of a match: fewer pairs where it takes more of them.
SHOWCASES = (
    Showcase("claim-demo", "claim", ("random", "first-legal", "highest", "greedy", "ismcts"), 4),
    Showcase("king-demo", "king_is_dead", ("random", "first-legal", "greedy", "ismcts"), 2),
    Showcase(
        "leaders-demo", "hidden_leaders_duel", ("random", "first-legal", "greedy", "ismcts"), 2
    ),
)


def submit_bots(arena: Arena, shown: Sequence[Showcase], console: Console) -> None:
    """Submit every bot that is needed and wait until each has come through its check.

    Baselines come through unless the machine is too busy for their clocks: each may try twice.
    """
    versions = []
    for name in dict.fromkeys(bot for each in shown for bot in each.bots):
        answer = arena.submit(pack(BASELINES / name.replace("-", "_")))
        versions.append(answer.version)
        console.print(f"  {submitted(answer)}")
    again = []
    for failed in _not_active(arena, versions):
        text = f"  {failed.bot} is checked again; it was {failed.state}: {failed.reason}"
        console.print(text, highlight=False, markup=False)
        again.append(arena.bots.CheckBot(CheckBotRequest(bot=failed.bot)).version)
    for failed in _not_active(arena, again):
        raise Failure(
            f"{failed.bot} did not come through its check (see: interrex bot log {failed.bot}); "
            "start the demo again when this machine has less to do, it carries on"
        )


def _not_active(arena: Arena, versions: Iterable[BotVersion]) -> list[BotVersion]:
    """Those that do not play, once every check is over."""
    checked = [answer.version for answer in wait_until_checked(arena, versions)]
    return [version for version in checked if version.state != ACTIVE]


def play(
    arena: Arena, shown: Sequence[Showcase], console: Console
) -> dict[Showcase, ShowLadderResponse]:
    """One slot of every ladder, at the same time; its standings when all are rated."""
    _create_ladders(arena, shown)
    before = {}
    for each in shown:
        for name in each.bots:
            arena.ladders.EnterLadder(EnterLadderRequest(ladder=each.ladder, bot=name))
        before[each] = arena.show(each.ladder).ladder.commitment
    for each in shown:
        arena.ladders.RunLadderNow(RunLadderNowRequest(ladder=each.ladder))
    return _wait_for_slots(arena, before, console)


def newest_match(arena: Arena, ladder: str) -> str:
    """The id of the match that was played last; the next slot may have been planned by then."""
    request = ListMatchesRequest(ladder=ladder, page_size=200)
    return next(match.id for match in arena.replays.ListMatches(request).matches if match.ending)


def _create_ladders(arena: Arena, shown: Iterable[Showcase]) -> None:
    """Make those that an earlier demo on the same folder did not make."""
    answers = pages(arena.ladders.ListLadders, ListLaddersRequest())
    known = {ladder.name for answer in answers for ladder in answer.ladders}
    for each in shown:
        if each.ladder not in known:
            arena.ladders.CreateLadder(
                CreateLadderRequest(
                    name=each.ladder,
                    game=each.game,
                    timezone="UTC",
                    pairs_per_slot=each.pairs,
                    request_key=new_key(),
                )
            )


def _wait_for_slots(
    arena: Arena, before: dict[Showcase, str], console: Console
) -> dict[Showcase, ShowLadderResponse]:
    """Draw how far the slots are that were just made due, until each is played and rated.

    `before` has the commitments of those slots while their entries were open.
    """
    done: dict[Showcase, ShowLadderResponse] = {}
    deadline = time.monotonic() + PLAY_SECONDS
    with pairs_of(console) as draw:
        for each in before:
            draw(each.ladder, 0, 0)
        while time.monotonic() < deadline:
            for each in before.keys() - done.keys():
                shown = arena.show(each.ladder)
                if shown.ladder.commitment == before[each] or not shown.pairs_planned:
                    continue
                draw(each.ladder, shown.pairs_done, shown.pairs_planned)
                if shown.pairs_done == shown.pairs_planned and _is_over(arena, each, before[each]):
                    done[each] = arena.show(each.ladder)
            if len(done) == len(before):
                return {each: done[each] for each in before}
            time.sleep(0.3)
    late = ", ".join(each.ladder for each in before if each not in done)
    raise Failure(f"{late} not finished after {PLAY_SECONDS:.0f} s; see the logs folder")


def _is_over(arena: Arena, shown: Showcase, commitment: str) -> bool:
    """Its key is public as soon as all of it is rated."""
    slots = arena.ladders.ListSlots(ListSlotsRequest(ladder=shown.ladder)).slots
    return any(slot.key and slot.commitment == commitment for slot in slots)
