"""The slots of a ladder: what was promised before and what can be checked after."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.access import Action, EventSubject, Viewer, may
from arena_service.store.queries import EventRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, wording


def table(slots: Sequence[EventRow], ladder: str) -> str:
    """The newest first, each with its commitment and, once complete, its key."""
    heads = [_("Slot"), _("State"), _("Entries closed"), _("Completed"), _("Commitment and key")]
    note = _(
        "The commitment is the SHA-256 of the key. It is public before anybody plays; the key that"
        " every deal came from follows when the slot is complete."
    )
    viewer = arena.viewer()
    rows = [_row(slot, viewer, ladder) for slot in slots]
    return markup.table(heads, rows, frozenset({0})) + markup.soft(markup.safe(note))


def secrets(
    viewer: Viewer, ended: bool, commitment: str, key: bytes | None, entrants: str | None = None
) -> str:
    """The values to check an event by, as short labelled codes; its key when it may be seen."""
    if not may(viewer, Action.SEE_KEY, EventSubject(ended)):
        key = None
    values = [
        (_("commitment"), commitment),
        (_("key"), key.hex() if key else None),
        (_("entrants"), entrants),
    ]
    lines = [
        f"<div><dt>{markup.safe(label)}</dt><dd><code>{markup.safe(value)}</code></dd></div>"
        for label, value in values
        if value
    ]
    return f'<dl class="ix-codes">{"".join(lines)}</dl>'


def _row(slot: EventRow, viewer: Viewer, ladder: str) -> list[str]:
    target = markup.address("ladders", ladder=ladder, show="slots", slot=slot.slot)
    return [
        f"<b>{markup.link(target, slot.slot) if slot.closed_at else slot.slot}</b>",
        markup.badge(*wording.state(slot.state)),
        f'<span class="ix-when">{wording.moment(slot.closed_at)}</span>',
        f'<span class="ix-when">{wording.moment(slot.completed_at)}</span>',
        secrets(viewer, slot.completed_at is not None, slot.commitment, slot.key),
    ]
