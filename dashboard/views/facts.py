"""What is on record about a match: verification, players, seed, digest, the other legs."""

from __future__ import annotations

import streamlit as st

from arena_service.store.legs import other_legs
from arena_service.store.queries import MatchDetail, PlayerRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, matches


def show(detail: MatchDetail, stored: bytes, names: tuple[str, ...]) -> None:
    """Everything below the player."""
    record, files = st.columns([3, 2], gap="large")
    with record:
        markup.show(_badge(stored) + _record(detail, names))
    with files:
        name = f"{detail.match.id}.replay.json"
        st.download_button(_("Download replay"), stored, name, "application/json")
        for label, text in ((_("Seed"), detail.seed), (_("Digest"), detail.digest)):
            if text:
                st.caption(label)
                st.code(text, language=None, wrap_lines=True)
    legs = other_legs(arena.database(), detail.match.id)
    if legs:
        title = _("The same deal with the seats swapped")
        markup.show(f"<h4>{markup.safe(title)}</h4>" + matches.table(legs))


def _badge(stored: bytes) -> str:
    verdict = arena.verdict(stored)
    if verdict.ok:
        return markup.badge(_("verified: the engine replayed every ply"), good=True)
    where = "" if verdict.ply is None else _(" at ply {ply}").format(ply=verdict.ply)
    said = _("not verified{where}: {problem}").format(where=where, problem=verdict.problem)
    return markup.badge(said, good=False)


def _record(detail: MatchDetail, names: tuple[str, ...]) -> str:
    match = detail.match
    about = _("{game}, rules version {version}, {plies} plies, ending: {ending}").format(
        game=match.game, version=detail.rules_version, plies=match.plies, ending=match.ending
    )
    heads = [_("Seat"), _("Player"), _("Rank"), _("Credit"), _("CPU time")]
    rows = [
        _player(seat, name, player)
        for seat, (name, player) in enumerate(zip(names, match.players, strict=True))
    ]
    table = markup.table(heads, rows, frozenset({0, 2, 3, 4}))
    return f'<p class="ix-soft">{markup.safe(about)}</p>{table}'


def _player(seat: int, name: str, player: PlayerRow) -> list[str]:
    return [
        str(seat),
        markup.safe(name),
        "-" if player.rank is None else str(player.rank),
        "-" if player.credit is None else f"{player.credit:g}",
        "-" if player.cpu_ms is None else f"{player.cpu_ms:,.0f} ms",
    ]
