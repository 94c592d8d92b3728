"""Claim's board: the trick on the table, hands, followers, and who leads each vote.

Drawn from one viewer's view alone: what that viewer may not see is not in the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from dashboard.boards.cards import (
    FACTIONS,
    HEIGHT,
    STYLE,
    WIDTH,
    back,
    card,
    faction_names,
    row,
    shape,
)
from dashboard.boards.svg import short_names, shorten, stage, text
from dashboard.i18n.text import _, plural

View = Mapping[str, Any]
TRICKS = 13


def render(view: View, last_action: Mapping[str, Any] | None, names: Sequence[str] = ()) -> str:
    """One position as SVG; `last_action` (seat, action) is framed in gold, `names` go by seat."""
    labels = tuple(names) or (_("Seat 0"), _("Seat 1"))
    below = 1 if view["viewer"] == 1 else 0
    last = str(last_action["action"]) if last_action else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1180 772" class="board claim" '
        'role="img" preserveAspectRatio="xMidYMin meet" '
        f'aria-label="{escape(_summary(view, labels))}">{STYLE}'
        '<rect class="paper" width="1180" height="772" rx="16" style="fill:var(--paper)"/>'
        f'<g class="far">{_player(view, 1 - below, labels, 16)}</g>'
        f'<g class="table">{_table(view, last, labels, below)}</g>'
        f'<g class="piles">{_piles(view, labels, below)}</g>'
        f'<g class="near">{_player(view, below, labels, 606)}</g></svg>'
    )


def _summary(view: View, names: Sequence[str]) -> str:
    return _("Claim, phase {phase}, trick {trick}. {stage}").format(
        phase=view["phase"], trick=min(view["trick"] + 1, TRICKS), stage=stage(view["actor"], names)
    )


def _player(view: View, seat: int, names: Sequence[str], y: float) -> str:
    acting = view["actor"] == seat
    frame = (
        f'<rect class="seat" x="14" y="{y:g}" width="1152" height="150" rx="14" '
        f'style="fill:var(--panel);stroke:var(--{"gold" if acting else "line"});'
        f'stroke-width:{3 if acting else 1}"/>'
    )
    title = shorten(names[seat], 44)
    head = text(34, y + 29, "p", title)
    side = text(1146, y + 28, "s number", _("seat {seat}").format(seat=seat), "end")
    if acting:
        head += _pill(52 + 10.8 * len(title), y + 12, _("to act"))
    hand, size = view["hands"][seat], view["hand_sizes"][seat]
    parts = [frame, head, side, row(hand, size - len(hand), 34, y + 50, 650, 0.98)]
    if not size:
        parts.append(text(34, y + 96, "s", _("no cards left")))
    parts.append(_followers(view, seat, y))
    return "".join(parts)


def _followers(view: View, seat: int, y: float) -> str:
    if view["phase"] != 1:
        return ""
    known, blind = view["followers"][seat], view["blind_counts"][seat]
    total = len(known) + blind
    note = plural("{count} follower", "{count} followers", total)
    if blind:
        note += " · " + plural("{count} unseen", "{count} unseen", blind)
    cards = row(known, blind, 734, y + 74, 412, 0.72)
    return f'<g class="followers">{text(734, y + 62, "h", note)}{cards}</g>'


def _pill(x: float, y: float, label: str) -> str:
    width = 18 + 8 * len(label)
    return (
        f'<g class="turn"><rect x="{x:g}" y="{y:g}" width="{width}" height="23" rx="11.5" '
        'style="fill:var(--gold)"/>'
        f'<text x="{x + width / 2:g}" y="{y + 16:g}" text-anchor="middle" font-size="12.5" '
        f'font-weight="700" style="fill:var(--on-gold)">{escape(label)}</text></g>'
    )


def _table(view: View, last: str, names: Sequence[str], below: int) -> str:
    phase = _("recruiting followers") if view["phase"] == 1 else _("winning favour")
    head = _("Trick {trick} of 13 · phase {phase}, {what}").format(
        trick=min(view["trick"] + 1, TRICKS), phase=view["phase"], what=phase
    )
    return (
        '<rect x="14" y="180" width="716" height="412" rx="14" style="fill:var(--table)"/>'
        + text(38, 212, "h", head)
        + (_stakes(view) if view["phase"] == 1 else "")
        + (_outcome(view, names) if view["actor"] < 0 else _trick(view, last, names))
        + _last_trick(view, last, names)
        + _gone(view)
    )


def _stakes(view: View) -> str:
    prize = card(view["prize"], 46, 262, 1.3) if view["prize"] else _slot(46, 262, 1.3)
    deck, left = view["deck"], view["deck_size"]
    under = card(deck[0], 146, 279, 1.0) if deck else back(146, 279) if left else ""
    return (
        text(85, 250, "h", _("prize"), "middle")
        + text(85, 394, "s", _("to the winner"), "middle")
        + prize
        + (text(176, 250, "h", _("blind"), "middle") if left else "")
        + under
        + text(186, 414, "s", plural("{count} in deck", "{count} in deck", left), "middle")
    )


def _slot(x: float, y: float, scale: float, css: str = "") -> str:
    return (
        f'<rect class="slot {css}" x="{x:g}" y="{y:g}" width="{WIDTH * scale:g}" '
        f'height="{HEIGHT * scale:g}" rx="10"/>'
    )


def _trick(view: View, last: str, names: Sequence[str]) -> str:
    x = 268 if view["phase"] == 1 else 150
    leader, led, scale = view["leader"], view["led"], 1.62
    right = x + WIDTH * scale + 28
    parts = [
        text(x + 48, 240, "s", _("leads"), "middle"),
        text(right + 48, 240, "s", _("answers"), "middle"),
        card(led, x, 252, scale, led == last) if led else _slot(x, 252, scale, "now"),
        _slot(right, 252, scale, "now" if led else ""),
        text(x + 48, 412, "c", shorten(short_names(names)[leader], 14), "middle"),
        text(right + 48, 412, "c", shorten(short_names(names)[1 - leader], 14), "middle"),
    ]
    return "".join(parts)


def _outcome(view: View, names: Sequence[str]) -> str:
    votes = [view["votes"].count(seat) for seat in range(2)]
    if votes[0] == votes[1]:
        line = _("A draw")
    else:
        line = _("{name} takes the throne").format(
            name=shorten(short_names(names)[votes[1] > votes[0]], 22)
        )
    score = _("{most} votes to {least}").format(most=max(votes), least=min(votes))
    return text(258, 320, "big gold", line, "middle") + text(258, 350, "c", score, "middle")


def _last_trick(view: View, last: str, names: Sequence[str]) -> str:
    if not view["tricks"]:
        return ""
    trick = view["tricks"][-1]
    fresh = not view["led"]
    x, y, scale = 536, 252, 1.2
    played = "".join(
        card(code, x + i * 84, y, scale, fresh and i == 1 and code == last)
        for i, code in enumerate(trick["cards"])
    )
    won = x + 84 * (trick["winner"] != trick["leader"]) + 36
    crown = f'<path d="M{won - 9} 374l3 10h12l3-10-5 4-4-7-4 7Z" style="fill:var(--gold)"/>'
    gain = _("won {prize}").format(prize=trick["prize"]) if trick["prize"] else _("won the trick")
    return (
        f'<path d="M504 240V420" style="stroke:var(--line)"/><g class="{"" if fresh else "gone"}">'
        + text(614, 240, "s", _("last trick") if view["actor"] < 0 else _("trick before"), "middle")
        + played
        + crown
        + text(614, 412, "c", shorten(short_names(names)[trick["winner"]], 20), "middle")
        + text(614, 430, "s", gain, "middle")
        + "</g>"
    )


def _gone(view: View) -> str:
    """The discards by faction: once public, always known."""
    parts = [text(38, 480, "h", _("out of the game"))]
    if not view["discarded"]:
        parts.append(text(38, 516, "s", _("nothing yet")))
    column = 0
    for faction in FACTIONS:
        values = _values(view["discarded"], faction)
        if values:
            x, y = 48 + 226 * (column % 3), 512 + 44 * (column // 3)
            parts += [shape(faction, x, y, 0.8), text(x + 18, y + 5, f"c {faction}", faction)]
            parts.append(text(x + 36, y + 5, "v", values))
            column += 1
    return "".join(parts)


def _values(cards: Sequence[str], faction: str) -> str:
    return " ".join(sorted((c[1:] for c in cards if c[0] == faction), key=int, reverse=True))


def _piles(view: View, names: Sequence[str], below: int) -> str:
    columns = ((below, 974), (1 - below, 1098))
    parts = [
        '<rect x="744" y="180" width="422" height="412" rx="14" '
        'style="fill:var(--panel);stroke:var(--line)"/>',
        text(766, 212, "h", _("score piles")),
    ]
    parts += [
        text(x, 212, "s", shorten(short_names(names)[seat], 15), "middle") for seat, x in columns
    ]
    for index, faction in enumerate(FACTIONS):
        parts.append(_pile_row(view, faction, 262 + 56 * index, view["votes"][index], columns))
    parts.append('<path d="M766 532H1144" style="stroke:var(--line)"/>')
    parts.append(text(766, 567, "c", _("Votes now")))
    for seat, x in columns:
        votes = str(view["votes"].count(seat))
        parts.append(
            f'<text x="{x}" y="571" class="num" font-size="27" text-anchor="middle">{votes}</text>'
        )
    return "".join(parts)


def _pile_row(
    view: View, faction: str, y: float, leads: int, columns: Sequence[tuple[int, int]]
) -> str:
    parts = [
        shape(faction, 776, y - 2),
        text(796, y + 3, "c", faction_names()[faction]),
        text(796, y + 20, f"v {faction}", faction),
    ]
    for seat, x in columns:
        pile = [c for c in view["scored"][seat] if c[0] == faction]
        if leads == seat:
            parts.append(
                f'<rect x="{x - 60}" y="{y - 26}" width="120" height="50" rx="10" '
                'style="fill:var(--glow);stroke:var(--gold);stroke-width:1.5"/>'
                f'<circle cx="{x - 44}" cy="{y - 7}" r="5" style="fill:var(--gold)"/>'
            )
        parts.append(
            f'<text x="{x}" y="{y}" class="num" font-size="20" text-anchor="middle">'
            f"{len(pile)}</text>"
        )
        parts.append(text(x, y + 17, "v", _values(pile, faction), "middle"))
    return "".join(parts)
