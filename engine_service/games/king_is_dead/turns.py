"""How the table goes on: a card, its effect, a summons; passes in a row and the power struggle."""

from __future__ import annotations

from typing import TypeVar

from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.effects import effects, has_effect
from engine_service.games.king_is_dead.state import (
    CARD,
    EFFECT,
    OVER,
    SUMMON,
    Dealt,
    Swap,
    Table,
)

INSTABILITY = 3  # discs, the last of which brings the invasion

T = TypeVar("T")


def laid(dealt: Dealt, supply: int) -> Table:
    """The table at ply 0; `supply` is what was not dealt."""
    seats, regions = len(dealt.courts), len(b.REGIONS)
    return Table(
        dealt=dealt,
        plays=(),
        seat=0,
        stage=CARD,
        card="",
        passes=0,
        regions=tuple(map(b.gather, dealt.regions)),
        discs=(b.OPEN,) * regions,
        supply=supply,
        courts=tuple(map(b.gather, dealt.courts)),
        row=dealt.row,
        resolved=0,
        negotiated=(-1,) * regions,
        discards=((),) * seats,
        last_cards=(0,) * seats,
        swap=None,
    )


def possible(table: Table) -> list[int]:
    """The actions that some hand allows, ascending; only cards depend on the hand."""
    if table.stage == EFFECT:
        return effects(table)
    if table.stage == SUMMON:
        return summons(table)
    return [a.PASS, *a.PLAY.values()] if table.stage == CARD else []


def summons(table: Table) -> list[int]:
    """Any follower on the board."""
    return [
        a.SUMMON[region, faction]
        for region, followers in enumerate(table.regions)
        for faction in b.groups(followers, 1)
    ]


def play(table: Table, action: int) -> Table:
    """The table after a possible action."""
    plays = (*table.plays, action)
    match a.ACTIONS[action]:
        case a.Pass():
            return _passed(table._replace(plays=plays, passes=table.passes + 1))
        case a.Play(card):
            return _begun(_played(table, card)._replace(plays=plays))
        case a.Spy(seat):
            return _begun(table._replace(plays=plays, card=table.discards[seat][-1]))
        case a.Change(changes):
            return _carried_out(_changed(table, changes)._replace(plays=plays), changes)
        case a.Exchange(first, second, disc):
            return _carried_out(_exchanged(table, first, second, disc)._replace(plays=plays), ())
        case a.Summon(region, faction):
            return _turned(_summoned(table, region, faction)._replace(plays=plays))


def _played(table: Table, card: str) -> Table:
    seat = table.seat
    return table._replace(
        stage=EFFECT,
        card=card,
        passes=0,
        discards=_with(table.discards, seat, (*table.discards[seat], card)),
        last_cards=_with(table.last_cards, seat, max(table.last_cards) + 1),
    )


def _begun(table: Table) -> Table:
    return table if has_effect(table) else _carried_out(table, ())


def _changed(table: Table, changes: a.Changes) -> Table:
    regions, supply = list(table.regions), table.supply
    for region, change in changes:
        regions[region] += change
        supply -= change
    return table._replace(regions=tuple(regions), supply=supply)


def _exchanged(table: Table, first: int, second: int, disc: int) -> Table:
    turned = {first: second, second: first}
    row = tuple(turned.get(region, region) for region in table.row)
    negotiated = table.negotiated
    if disc != a.NOWHERE:
        negotiated = _with(negotiated, disc, table.seat)
    return table._replace(row=row, negotiated=negotiated)


def _carried_out(table: Table, changes: a.Changes) -> Table:
    """After an effect, or none: on to the summons, which falls out on an empty board."""
    kept = changes and table.card in c.SWAPS_NOT_TO_UNDO
    swap = Swap(table.seat, table.card, changes) if kept else None
    table = table._replace(stage=SUMMON, card="", swap=swap)
    return table if any(table.regions) else _turned(table)


def _summoned(table: Table, region: int, faction: str) -> Table:
    unit = b.UNIT[faction]
    return table._replace(
        regions=_with(table.regions, region, table.regions[region] - unit),
        courts=_with(table.courts, table.seat, table.courts[table.seat] + unit),
    )


def _turned(table: Table) -> Table:
    return table._replace(seat=(table.seat + 1) % table.seats, stage=CARD)


def _passed(table: Table) -> Table:
    table = _turned(table)
    return _struggled(table) if table.passes == table.seats else table


def _struggled(table: Table) -> Table:
    """The region on the lowest space that is face up is decided, emptied and closed."""
    region = table.row[table.resolved]
    followers = table.regions[region]
    leaders = b.most(followers)
    discs = _with(table.discs, region, leaders if len(leaders) == 1 else b.UNSTABLE)
    resolved = table.resolved + 1
    over = discs.count(b.UNSTABLE) == INSTABILITY or resolved == len(table.row)
    return table._replace(
        passes=0,
        stage=OVER if over else CARD,
        regions=_with(table.regions, region, 0),
        supply=table.supply + followers,
        discs=discs,
        resolved=resolved,
    )


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
