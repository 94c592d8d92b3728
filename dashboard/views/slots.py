"""The slots of a ladder: what was promised before and what can be checked after."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.store.queries import EventRow
from dashboard.i18n.text import _
from dashboard.views import markup, wording


def table(slots: Sequence[EventRow]) -> str:
    """The newest first, each with its commitment and, once complete, its key."""
    heads = [_("Slot"), _("State"), _("Entries closed"), _("Completed"), _("Commitment and key")]
    note = _(
        "The commitment is the SHA-256 of the key. It is public before anybody plays; the key that"
        " every deal came from follows when the slot is complete."
    )
    return markup.table(heads, [_row(slot) for slot in slots], frozenset({0})) + markup.soft(
        markup.safe(note)
    )


def secrets(commitment: str, key: bytes | None, entrants: str | None = None) -> str:
    """The values to check an event by, as short labelled codes."""
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


def _row(slot: EventRow) -> list[str]:
    return [
        f"<b>{slot.slot}</b>",
        markup.badge(*wording.state(slot.state)),
        f'<span class="ix-when">{wording.moment(slot.closed_at)}</span>',
        f'<span class="ix-when">{wording.moment(slot.completed_at)}</span>',
        secrets(slot.commitment, slot.key),
    ]
