"""The action cards: what they are called, what they do in signs, and how they look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.boards.king_signs import FACTIONS, MINUS, token
from dashboard.boards.svg import text
from dashboard.i18n.text import _

View = Mapping[str, Any]

_COMMON = ("assemble", "assemble", "negotiate", "manoeuvre", "outmanoeuvre")
KNOWN_SETS = {
    "basic": ("support-s", "support-w", "support-e", *_COMMON),
    "cunning": _COMMON,
}
HAND = 8
ALL = -2  # the viewer that sees everything

#: Letters and `?` are followers, `?` of any faction; the rest is text.
EFFECTS = {
    "support-s": "+SS",
    "support-w": "+WW",
    "support-e": "+EE",
    "assemble": "+SWE",
    "negotiate": "1⇄2",
    "manoeuvre": "?⇄?",
    "outmanoeuvre": "?⇄??",
    "spy": "=",
    "ambush": "+SS-?",
    "march": "??→",
    "plot": "+?",
    "aid": "+??",
    "influence": "E⇄??",
    "dispute": "W⇄?",
    "edict": "SS⇄??",
    "resist": "+??",
    "quell": "-W+??",
    "muster": "-S+??",
    "suppress": "-E-?+?",
}


def card_names() -> dict[str, str]:
    """What the cards are called."""
    return {
        "support-s": _("Support S"),
        "support-w": _("Support W"),
        "support-e": _("Support E"),
        "assemble": _("Assemble"),
        "negotiate": _("Negotiate"),
        "manoeuvre": _("Manoeuvre"),
        "outmanoeuvre": _("Outmanoeuvre"),
        "spy": _("Spy"),
        "ambush": _("Ambush"),
        "march": _("March"),
        "plot": _("Plot"),
        "aid": _("Aid"),
        "influence": _("Influence"),
        "dispute": _("Dispute"),
        "edict": _("Edict"),
        "resist": _("Resist"),
        "quell": _("Quell"),
        "muster": _("Muster"),
        "suppress": _("Suppress"),
    }


@dataclass(frozen=True)
class Slot:
    """A place of a hand: its card, empty when the viewer does not know it, and if it was played."""

    card: str
    played: bool


def slots(view: View, seat: int) -> list[Slot]:
    """The eight places of a seat's hand, the same from the first ply to the last."""
    known, discards = KNOWN_SETS[view["variant"]], list(view["discards"][seat])
    places = []
    for place, card in enumerate(known):
        copies = known[: place + 1].count(card)
        places.append(Slot(card, discards.count(card) >= copies))
    return places + _secret_slots(view, seat, HAND - len(known))


def _secret_slots(view: View, seat: int, size: int) -> list[Slot]:
    """All in one order for who sees the hand; else the played ones as they came, then the rest."""
    played = [card for card in view["discards"][seat] if card not in _COMMON][:size]
    held = [card for card in view["hands"][seat] if card not in _COMMON][:size]
    if view["viewer"] in (seat, ALL):
        order = sorted((*played, *held), key=list(EFFECTS).index)
        return [Slot(card, card in played) for card in order]
    backs = [Slot("", False)] * (size - len(played) - len(held))
    return [Slot(card, True) for card in played] + backs + [Slot(card, False) for card in held]


def draw(slot: Slot, x: float, y: float, size: tuple[float, float], now: bool) -> str:
    """A card, face up, faded once played, or its back; `now` frames it in gold."""
    width, height = size
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7"'
    if not slot.card:
        middle = f"{x + width / 2:g} {y + height / 2:g}"
        diamond = f'<path transform="translate({middle})" d="M0-8 6 0 0 8-6 0Z"'
        return (
            f'<g class="hidden"><rect class="back" {place}/>'
            f'{diamond} style="fill:none;stroke:var(--gold);stroke-width:1.5"/></g>'
        )
    face = f'<rect class="card{" now" if now else ""}" {place}/>'
    gone = ' class="gone"' if slot.played and not now else ""
    return f"{face}<g{gone}>{_front(slot.card, x + width / 2, y, height)}</g>"


def _front(card: str, middle: float, y: float, height: float) -> str:
    """The name, and below it what the card does where there is room."""
    label = card_names()[card]
    if height < 46:
        return text(middle, y + height / 2 + 4.5, "", label, "middle")
    scale = 0.55 if height < 80 else 0.8
    return text(middle, y + 20, "", label, "middle") + signs(
        EFFECTS[card], middle, y + 20 + (height - 20) / 2, scale
    )


def signs(effect: str, middle: float, y: float, scale: float) -> str:
    """An effect in signs, centred on the point."""
    widths = [27 if sign in FACTIONS else 22 if sign == "?" else 20 for sign in effect]
    x = middle - sum(widths) * scale / 2
    parts = []
    for sign, width in zip(effect, widths, strict=True):
        centre = x + width * scale / 2
        if sign in (*FACTIONS, "?"):
            parts.append(token(sign, centre, y, scale))
        else:
            size = f'style="font-size:{23 * scale:g}px;fill:var(--soft)"'
            parts.append(
                f'<text x="{centre:g}" y="{y + 8 * scale:g}" text-anchor="middle" {size}>'
                f"{sign.replace('-', MINUS)}</text>"
            )
        x += width * scale
    return "".join(parts)
