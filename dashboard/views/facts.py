"""What is on record about a match: verification, players, seed, digest, the other legs."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from arena_service.access import Action, MatchSubject, may
from arena_service.store import bot_pages
from arena_service.store.legs import other_legs
from arena_service.store.queries import MatchDetail, PlayerRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import clipboard, markup, matches, rules, wording


def show(detail: MatchDetail, stored: bytes) -> None:
    """Players, seed and digest, and the replay to take away."""
    record, files = st.columns([3, 2], gap="large")
    with record:
        markup.show(_record(detail))
    with files:
        name = f"{detail.match.id}.replay.json"
        st.download_button(_("Download replay"), stored, name, "application/json")
        subject = MatchSubject(detail.pair_complete, detail.private_to)
        seed = detail.seed if may(arena.viewer(), Action.SEE_SEED, subject) else None
        for key, label, text in (("seed", _("Seed"), seed), ("digest", _("Digest"), detail.digest)):
            if text:
                st.caption(label)
                clipboard.show(key, text)


def show_other_legs(detail: MatchDetail) -> None:
    """The matches on the same deal."""
    legs = other_legs(arena.database(), detail.match.id)
    if legs:
        title = _("The same deal with the seats rotated")
        markup.show(markup.heading(title) + matches.table(legs))


def badge(stored: bytes) -> str:
    """Whether the engine finds the record true."""
    verdict = arena.verdict(stored)
    if verdict.ok:
        return markup.badge(_("verified: the engine replayed every ply"), "good")
    where = "" if verdict.ply is None else _(" at ply {ply}").format(ply=verdict.ply)
    said = _("not verified{where}: {problem}").format(where=where, problem=verdict.problem)
    return markup.badge(said, "bad")


def _record(detail: MatchDetail) -> str:
    match = detail.match
    about = _("{game}, rules version {version}, {plies} plies, ending: {ending}").format(
        game=rules.game(match.game, detail.options),
        version=detail.rules_version,
        plies=match.plies,
        ending=wording.ending_word(match.ending or ""),
    )
    heads = [_("Seat"), _("Player"), _("Rank"), _("Credit"), _("CPU time")]
    bots = bot_pages.bot_ids(arena.database(), [player.version_id for player in match.players])
    rows = [
        _player(seat, player, bots[player.version_id], credit)
        for seat, (player, credit) in enumerate(
            zip(match.players, _credits(match.players), strict=True)
        )
    ]
    table = markup.table(heads, rows, frozenset({0, 2, 3, 4}))
    return markup.soft(markup.safe(about)) + table


def _credits(players: Sequence[PlayerRow]) -> list[str]:
    """By seat, in one form; dashes while there are none."""
    known = [player.credit for player in players if player.credit is not None]
    return wording.alike(known) if len(known) == len(players) else ["-"] * len(players)


def _player(seat: int, player: PlayerRow, bot: str, credit: str) -> list[str]:
    name = markup.link(markup.address("bot", id=bot), f"{player.owner}/{player.bot}")
    return [
        str(seat),
        f'{name} <span class="soft">v{player.version}</span>',
        "-" if player.rank is None else str(player.rank),
        credit,
        "-" if player.cpu_ms is None else f"{player.cpu_ms:,.0f} ms",
    ]
