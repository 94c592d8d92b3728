"""The King Is Dead in words: the last turn, what a ply brought about, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards.king_cards import card_names
from dashboard.boards.king_moves import moved, struggled, team, turn
from dashboard.boards.king_signs import FACTIONS, UNSTABLE, faction_names
from dashboard.i18n.text import _

View = Mapping[str, Any]
INSTABILITY = 3


def outcome(before: View, after: View) -> str:
    """What a pass brought about, or that a card had no effect; other plies speak for themselves."""
    region = struggled(after)
    if region:
        followers = before["regions"][region]
        said = [_decided(after, region), _numbers(followers)]
        return " · ".join([*said, ending(after)] if after["actor"] < 0 else said)
    if after["plays"][-1] == "pass":
        return _passes(after)
    return _("without effect") if _fell_flat(after) and before["stage"] != "summon" else ""


def mark(before: View, after: View) -> str:
    """The disc that a power struggle placed, as a label for the slider."""
    region = struggled(after)
    return str(after["discs"][region]) if region else ""


def headline(view: View, name: str) -> str:
    """Who did what in the last turn, in one line."""
    plies = turn(view)
    if not plies:
        return _("The deal")
    if plies[0] == "pass":
        return _("{name} passes").format(name=name)
    card = card_names()[plies[0].removeprefix("play ")]
    spied = [ply.removeprefix("spy ") for ply in plies if ply.startswith("spy ")]
    if not spied:
        return _("{name} plays {card}").format(name=name, card=card)
    copied = card_names()[view["discards"][int(spied[0])][-1]]
    return _("{name} plays {card} as {copied}").format(name=name, card=card, copied=copied)


def details(view: View) -> list[str]:
    """What the last turn has brought about so far: its effect, and the summons."""
    plies = turn(view)
    region = struggled(view)
    if region:
        return [_("Power struggle: {outcome}").format(outcome=_decided(view, region))]
    if plies[-1:] == ["pass"]:
        return [_passes(view)]
    said = [_("without effect")] if _fell_flat(view) else []
    return said + [_told(ply) for ply in plies[1:] if not ply.startswith("spy ")]


def ending(view: View) -> str:
    """How the game ended, by the discs that lie on the map."""
    unstable = list(view["discs"].values()).count(UNSTABLE)
    return _("Invasion") if unstable == INSTABILITY else _("Coronation")


def verdict(view: View, ranks: Sequence[int], names: Sequence[str]) -> str:
    """Who won, in one line."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len({team(view, seat) for seat in winners}) > 1:
        return _("{ending}: a draw").format(ending=ending(view))
    name = " + ".join(names[seat] for seat in winners)
    return _("{ending}: victory for {name}").format(ending=ending(view), name=name)


def _decided(view: View, region: str) -> str:
    owner = view["discs"][region]
    if owner == UNSTABLE:
        return _("{region} becomes unstable").format(region=region.title())
    return _("{region} falls to the {faction}").format(
        region=region.title(), faction=faction_names()[owner]
    )


def _numbers(followers: Sequence[int]) -> str:
    return " ".join(f"{f}{count}" for f, count in zip(FACTIONS, followers, strict=True))


def _passes(view: View) -> str:
    return _("{count} of {needed} in a row").format(
        count=view["passes"], needed=len(view["courts"])
    )


def _fell_flat(view: View) -> bool:
    """Whether the card of the last turn had no effect."""
    plies = turn(view)
    if plies[:1] in ([], ["pass"]) or view["stage"] == "effect":
        return False
    effects = [p for p in plies[1:] if not p.startswith(("spy ", "summon "))]
    return not effects


def _told(ply: str) -> str:
    """An effect or a summons in words."""
    match ply.split():
        case ["summon", region, faction]:
            return _("summons {faction} from {region}").format(
                faction=faction, region=region.title()
            )
        case ["exchange", first, second, *disc]:
            told = _("{first} and {second} change places").format(
                first=first.title(), second=second.title()
            )
            place = _("disc on {region}").format(region=disc[1].title()) if disc else ""
            return f"{told}, {place}" if place else told
        case ["swap", one, here, other, there]:
            return _("{one} in {here} against {other} in {there}").format(
                one=one, here=here.title(), other=other, there=there.title()
            )
        case ["move", group, start, end]:
            return _("{group} from {start} to {end}").format(
                group=group, start=start.title(), end=end.title()
            )
    return ", ".join(_placed(ply))


def _placed(ply: str) -> list[str]:
    """Followers that came and went, those to one region together."""
    groups: dict[tuple[int, str], str] = {}
    for each in moved(ply):
        key = each.sign, each.region
        groups[key] = groups.get(key, "") + each.group
    return [
        (_("{group} to {region}") if sign > 0 else _("{group} out of {region}")).format(
            group=group, region=region.title()
        )
        for (sign, region), group in groups.items()
    ]
