"""What a challenge came to: points, pairs by their points, faults, and its replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_service.figures import POINTS
from arena_service.ratings.pentanomial import Pentanomial
from arena_service.store.challenges import Outcome, Side
from arena_service.store.match_rows import MatchRow
from dashboard.i18n.text import _
from dashboard.views import markup, strength, wording


def show(found: Outcome, bots: Mapping[str, str]) -> str:
    """`bots`: ids by version."""
    seats = found.challenge.seats
    note = _("Unrated: no ladder counts it. The challenger stands first.")
    if seats > 2:
        note += " " + wording.of_more_seats()
    return (
        _sides(found.sides, seats, bots)
        + markup.soft(markup.safe(note))
        + (_pairs(found.sides[0], found.pentanomial) if found.pentanomial else "")
        + _replays(found.matches)
    )


def _sides(sides: Sequence[Side], seats: int, bots: Mapping[str, str]) -> str:
    heads = [
        _("Bot"),
        _("Points"),
        wording.record_heading(seats),
        _("Credit"),
        _("95 % interval"),
        _("Faults"),
    ]
    points = wording.alike(side.points for side in sides)
    rows = [_side(side, given, bots) for side, given in zip(sides, points, strict=True)]
    return markup.table(heads, rows, frozenset({1, 5}))


def _side(side: Side, points: str, bots: Mapping[str, str]) -> list[str]:
    row = side.standing
    target = markup.address("bot", id=bots[row.version_id])
    played = bool(row.pairs)
    return [
        f'<b class="ix-name">{markup.link(target, row.bot)}</b>'
        f" <span class=soft>v{row.version} · {markup.safe(row.owner)}</span>",
        f"<b>{points}</b>",
        f"{row.wins} - {row.draws} - {row.losses}",
        wording.percent(row.credit) if played else "-",
        wording.interval(row.credit_low, row.credit_high) if played else "-",
        str(row.faults),
    ]


def _pairs(challenger: Side, counts: Pentanomial) -> str:
    title = _("Pairs of {bot} by their points").format(bot=challenger.standing.bot)
    cells = [str(count) for count in counts.counts]
    elo = _("Elo of the challenger: {elo}").format(
        elo=wording.elo(strength.elo(challenger.standing))
    )
    return (
        markup.heading(title)
        + markup.table(list(POINTS), [cells], frozenset(range(len(POINTS))))
        + markup.soft(markup.safe(elo))
    )


def _replays(matches: Sequence[MatchRow]) -> str:
    heading = markup.heading(_("Replays"))
    if not matches:
        text = markup.safe(_("No pair has been played yet."))
        return f'{heading}<p class="ix-empty">{text}</p>'
    rows = [
        [
            markup.link(markup.address("match", replay=match.id), _("open")),
            str(match.pair),
            str(match.leg),
            markup.safe(wording.outcome(match)),
        ]
        for match in matches
    ]
    return heading + markup.table(["", _("Pair"), _("Leg"), _("Result")], rows, frozenset({1, 2}))
