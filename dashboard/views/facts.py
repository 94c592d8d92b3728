"""What is on record about a match: verification, players, seed, digest, the other legs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from arena_service.store import queries
from arena_service.store.queries import MatchRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, matches


def show(match_id: str, replay: Mapping[str, Any], stored: bytes, names: Sequence[str]) -> None:
    """Everything below the player."""
    record, files = st.columns([3, 1], vertical_alignment="top")
    with record:
        markup.show(_badge(stored) + _record(replay, names))
    with files:
        st.download_button(
            _("Download replay"), stored, f"{match_id}.replay.json", "application/json"
        )
    for label, text in ((_("Seed"), replay["seed"]), (_("Digest"), replay["digest"])):
        st.caption(label)
        st.code(text, language=None)
    _legs(match_id)


def _badge(stored: bytes) -> str:
    verdict = arena.verdict(stored)
    if verdict.ok:
        return markup.badge(_("verified: the engine replayed every ply"), good=True)
    where = "" if verdict.ply is None else _(" at ply {ply}").format(ply=verdict.ply)
    said = _("not verified{where}: {problem}").format(where=where, problem=verdict.problem)
    return markup.badge(said, good=False)


def _record(replay: Mapping[str, Any], names: Sequence[str]) -> str:
    result = replay["result"]
    ranks = result["ranks"] or [None] * len(names)
    rows = [
        [str(seat), markup.safe(name), "-" if rank is None else str(rank)]
        for seat, (name, rank) in enumerate(zip(names, ranks, strict=True))
    ]
    table = markup.table([_("Seat"), _("Player"), _("Rank")], rows, frozenset({0, 2}))
    about = _("{game}, rules version {version}, {plies} plies, ending: {ending}").format(
        game=replay["game"],
        version=replay["rules_version"],
        plies=len(replay["plies"]),
        ending=result["ending"],
    )
    return f'<p class="ix-soft">{markup.safe(about)}</p>{table}'


def _legs(match_id: str) -> None:
    others: list[MatchRow] = queries.other_legs(arena.database(), match_id)
    if not others:
        return
    heads = [_("Match"), _("Pair"), _("Players by seat"), _("Result"), _("Plies"), _("Finished")]
    rows = [matches.row(leg) for leg in others]
    title = _("The same deal with the seats swapped")
    markup.show(f"<h4>{markup.safe(title)}</h4>" + markup.table(heads, rows, frozenset({1, 4})))
