"""Claim in words: what a ply brought about, told from the views before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.i18n.text import _

View = Mapping[str, Any]


def outcome(before: View, after: View) -> str:
    """What the ply won, or nothing while the trick is open."""
    if len(after["tricks"]) == len(before["tricks"]):
        return ""
    trick = after["tricks"][-1]
    by = _("leader") if trick["winner"] == trick["leader"] else _("answer")
    if trick["prize"]:
        return _("{who} takes {prize}").format(who=by, prize=trick["prize"])
    return _("{who} takes the trick").format(who=by)


def mark(before: View, after: View) -> str:
    """A label for the slider where the phase changes."""
    if after["phase"] == before["phase"]:
        return ""
    return _("Phase {phase}").format(phase=after["phase"])
