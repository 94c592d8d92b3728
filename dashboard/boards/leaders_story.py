"""Hidden Leaders: Duel in words: the last turn, what a ply brought about, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards.fitting import Line, fitted
from dashboard.boards.leaders_standing import strength
from dashboard.i18n.text import _

View = Mapping[str, Any]
GAME = "hidden_leaders_duel"
COUNCIL = -1
LEFT, TOP, WIDTH, HEIGHT, LINE = 816, 474, 350, 124, 24
TITLE, NAME = 18.5, 236  # its size on a phone; the room for a name in it


def draw(view: View, names: Sequence[str], ranks: Sequence[int]) -> str:
    """The panel that tells the last turn, ply by ply, or who won; `ranks` are empty till then."""
    short = [Line(name, TITLE, bold=True).within(NAME).content for name in names]
    title = verdict(ranks, short) if ranks else _title(view, short)
    more = told(view, short)
    over, latest = view["actor"] < 0, len(more) - 1
    lines = "".join(
        fitted(
            LEFT + 22,
            TOP + 54 + LINE * i,
            "" if over or i == latest else "old",
            Line(line, 14),
            WIDTH - 34,
        )
        for i, line in enumerate(more)
    )
    bar = f'<rect class="pill" x="{LEFT + 11}" y="{TOP + 42 + LINE * latest}" width="4" '
    return (
        f'<rect class="panel" x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" rx="14"/>'
        + fitted(LEFT + 16, TOP + 28, "p", Line(title, TITLE, bold=True), WIDTH - 28)
        + f'{bar}height="16" rx="2"/>'
        + lines
    )


def _title(view: View, names: Sequence[str]) -> str:
    if not view["turns"]:
        return _("The deal")
    turn = view["turns"][-1]
    return _("{name}, turn {turn}").format(name=names[turn["seat"]], turn=len(view["turns"]))


def told(view: View, names: Sequence[str]) -> list[str]:
    """The plies of the last turn; at the end, first what the armies are."""
    if not view["turns"]:
        return [_("{name} begins").format(name=names[view["actor"]])]
    turn = view["turns"][-1]
    lines = [_taken(turn)]
    if turn["returned"]:
        lines.append(_returned(turn))
    if turn["played"]:
        lines.append(_played(turn))
    return [_armies(view), *lines[-1:]] if view["actor"] < 0 else lines


def _taken(turn: Mapping[str, Any]) -> str:
    heroes = zip(turn["taken"], turn["slots"], strict=True)
    return _("takes {heroes}").format(
        heroes=", ".join(
            _("{hero} from {slot}").format(hero=hero, slot=slot) for hero, slot in heroes
        )
    )


def _returned(turn: Mapping[str, Any]) -> str:
    heroes = zip(turn["returned"], turn["slots"], strict=True)
    return _("returns {heroes}").format(
        heroes=", ".join(
            _("{hero} to {slot}").format(hero=hero, slot=slot) for hero, slot in heroes
        )
    )


def _played(turn: Mapping[str, Any]) -> str:
    played, target = turn["played"], turn["target"]
    if target == COUNCIL:
        words = _("{hero} joins the Council").format(hero=played)
    else:
        words = _("{hero} blocks slot {slot}").format(hero=played, slot=target)
    return f"{words}, {_drawn(turn)}" if turn["drawn"] else words


def _drawn(turn: Mapping[str, Any]) -> str:
    return _("draws {hero}").format(hero=turn["drawn"])


def verdict(ranks: Sequence[int], names: Sequence[str]) -> str:
    """Who won, in one line."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len(winners) > 1:
        return _("A draw")
    return _("{name} wins").format(name=names[winners[0]])


def _armies(view: View) -> str:
    """By seat, as the numbers beside the rows."""
    return _("strength {strength}, heroes {heroes}, {gone} discarded").format(
        strength=" : ".join(str(sum(map(strength, army))) for army in view["armies"]),
        heroes=" : ".join(str(len(army)) for army in view["armies"]),
        gone=len(view["discarded"]),
    )


def outcome(before: View, after: View) -> str:
    """What a ply turned up or brought, for the list of moves."""
    if after["actor"] < 0:
        return _armies(after)
    turn = after["turns"][-1]
    if turn["drawn"]:
        return _drawn(turn)
    return "" if turn["returned"] else ", ".join(turn["taken"])


def mark(before: View, after: View) -> str:
    """The number of a turn with which a new round begins, as a label for the slider."""
    begins = after["turn"] != before["turn"] and after["turn"] % 2 == 0
    return str(after["turn"] + 1) if begins else ""
