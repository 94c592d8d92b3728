"""Results, endings, states and times in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from arena_service import figures
from arena_service.ratings.elo import Elo
from arena_service.store.queries import MatchRow
from dashboard.i18n.text import _

MOST = 0.999  # no chance is told to be larger


class Named(Protocol):
    """Somebody who plays, or an entrant."""

    @property
    def owner(self) -> str: ...

    @property
    def bot(self) -> str: ...

    @property
    def version(self) -> int: ...


def ending(kind: str, at_fault: int | None, names: Sequence[str]) -> str:
    """How a match ended, where it did not end by the rules of its game; else empty."""
    if kind == "no_contest":
        return _("No contest: more than one bot failed to start")
    faults = {
        "resigned": _("{name} resigned"),
        "illegal_action": _("{name} gave an illegal answer"),
        "timeout": _("{name} ran out of time"),
        "crash": _("{name} crashed"),
    }
    if kind not in faults or at_fault is None:
        return ""
    return faults[kind].format(name=names[at_fault])


def ending_word(kind: str) -> str:
    """The same in a word, for a list of facts."""
    words = {
        "completed": _("by the rules"),
        "no_contest": _("no contest"),
        "resigned": _("resigned"),
        "illegal_action": _("illegal answer"),
        "timeout": _("out of time"),
        "crash": _("crash"),
    }
    return words.get(kind, kind)


def result(ranks: Sequence[int] | None, names: Sequence[str]) -> str:
    """Who won, in words."""
    if not ranks:
        return _("No result")
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == min(ranks)]
    if len(winners) == len(names):
        return _("A draw")
    return _("{names} won").format(names=_(" and ").join(winners))


def player_names(players: Sequence[Named]) -> tuple[str, ...]:
    """Owner, bot and version by seat."""
    return tuple(f"{player.owner}/{player.bot} v{player.version}" for player in players)


def short_names(players: Sequence[Named]) -> tuple[str, ...]:
    """By seat the shortest names that tell the players apart."""
    forms = (
        tuple(player.bot for player in players),
        tuple(f"{player.owner}/{player.bot}" for player in players),
        player_names(players),
    )
    for names in forms:
        if len(set(names)) == len(names):
            return names
    return tuple(
        _("{name} on seat {seat}").format(name=player.bot, seat=seat)
        for seat, player in enumerate(players)
    )


def outcome(match: MatchRow) -> str:
    """The result of a match, and how it came about when a bot failed."""
    if not match.ending:
        return _("Not played yet")
    names = short_names(match.players)
    ranks = [player.rank for player in match.players if player.rank is not None]
    how = ending(match.ending, match.at_fault, names)
    if not ranks:
        return how or result(None, names)
    said = result(ranks, names)
    return f"{said}: {how}" if how else said


def record_heading(seats: int) -> str:
    """What the three numbers of a record count."""
    return _("Won - drawn - lost") if seats == 2 else _("First - shared - behind")


def of_more_seats() -> str:
    """The same as a sentence, for matches of more than two seats."""
    return _(
        "The record counts how often a bot came first (alone or with its partner), shared the first"
        " place with a rival, or was behind one."
    )


def state(word: str) -> tuple[str, str]:
    """A state of an event, a match or a version: how it is called and the kind of its badge."""
    states = {
        "open": (_("entries open"), "plain"),
        "running": (_("being played"), "busy"),
        "paused": (_("paused"), "plain"),
        "complete": (_("complete"), "good"),
        "cancelled": (_("cancelled"), "plain"),
        "waiting": (_("waiting"), "plain"),
        "finished": (_("finished"), "good"),
        "checking": (_("being checked"), "busy"),
        "active": (_("active"), "good"),
        "failed": (_("failed its check"), "bad"),
        "disabled": (_("disabled"), "bad"),
    }
    return states.get(word, (word, "plain"))


def version_state(word: str, owned: bool) -> tuple[str, str]:
    """The same for a version: only its owner is told why it does not play."""
    if owned or word == "active":
        return state(word)
    return _("does not play"), "plain"


def format_of(name: str) -> str:
    """How the pairs of a tournament are made."""
    formats = {
        "round_robin": _("everybody against everybody"),
        "gauntlet": _("challengers against all others"),
        "swiss": _("Swiss system"),
        "double_elimination": _("double elimination"),
        "test": _("one version against another"),
        "challenge": _("challenge"),
        "final": _("final run"),
    }
    return formats.get(name, name)


def departure(kind: str) -> str:
    """How an entrant left."""
    kinds = {"withdrawn": _("withdrawn"), "disqualified": _("disqualified")}
    return kinds.get(kind, kind)


def schedule(cron: str) -> str:
    """When slots begin: in words where they are simple, else as the five fields of cron."""
    minute, hour, *days = cron.split()
    if days == ["*", "*", "*"] and minute.isdecimal():
        if hour == "*":
            return _("every hour at minute {minute}").format(minute=minute)
        if hour.isdecimal():
            return _("every day at {time}").format(time=f"{int(hour):02}:{int(minute):02}")
    return _("by {cron}").format(cron=cron)


def moment(at: datetime | None) -> str:
    """An instant to the minute, in UTC; a dash for none."""
    return "-" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def span(seconds: float) -> str:
    """A length of time, roughly."""
    for unit, length in (
        (_("{count} d"), 86_400),
        (_("{count} h"), 3600),
        (_("{count} min"), 60),
    ):
        if seconds >= 2 * length:
            return unit.format(count=round(seconds / length))
    return _("{count} s").format(count=round(seconds))


def elo(difference: Elo) -> str:
    """A difference with its interval, in whole points; what it is at least or at most."""
    low, high, value = difference.low, difference.high, difference.value
    if low is not None and high is not None and value is not None:
        return f"{signed(value)} [{signed(low)}, {signed(high)}]"
    if low is not None:
        return _("at least {value}").format(value=signed(low))
    return _("unknown") if high is None else _("at most {value}").format(value=signed(high))


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign; 0 has none."""
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}".replace(".", _(".")) if rounded else "0"


def chance(likely: float) -> str:
    """A probability in percent that is never certain."""
    if likely > MOST:
        return _("more than {share}").format(share=percent(MOST))
    if likely < 1.0 - MOST:
        return _("less than {share}").format(share=percent(1.0 - MOST))
    return percent(likely)


def interval(low: float, high: float) -> str:
    """From one share of 1 to another."""
    return _("{low} to {high}").format(low=percent(low), high=percent(high))


def alike(values: Iterable[float]) -> list[str]:
    """The numbers of one column, all with as many decimals."""
    decimal_mark = _(".")
    return [each.replace(".", decimal_mark) for each in figures.alike(values)]


def percent(share: float) -> str:
    """A share of 1 with one decimal."""
    decimal_mark = _(".")
    return f"{100 * share:.1f} %".replace(".", decimal_mark)
