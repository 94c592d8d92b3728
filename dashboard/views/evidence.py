"""What the runner kept about a seat: for the owner of the bot that sat there, and nobody else."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.access import Action, SeatSubject, may
from arena_service.store.queries import EvidenceRow, MatchDetail
from dashboard import arena
from dashboard.charts import effort
from dashboard.i18n.text import _
from dashboard.views import markup


def show(detail: MatchDetail, names: Sequence[str]) -> None:
    """The evidence of every seat that the reader may see."""
    viewer = arena.viewer()
    for row in detail.evidence:
        if may(viewer, Action.SEE_EVIDENCE, SeatSubject(row.owner_id, detail.pair_complete)):
            _seat(row, names[row.seat])


def notes(detail: MatchDetail) -> list[list[object]]:
    """Seat, ply and text of the notes that the reader may see, in the order of the plies."""
    viewer = arena.viewer()
    found = [
        (ply, row.seat, text)
        for row in detail.evidence
        if may(viewer, Action.SEE_EVIDENCE, SeatSubject(row.owner_id, detail.pair_complete))
        for ply, text in row.notes
    ]
    return [[seat, ply, text] for ply, seat, text in sorted(found)]


def _seat(row: EvidenceRow, name: str) -> None:
    title = _("Evidence of seat {seat}: {name}").format(seat=row.seat, name=name)
    verdict = (
        markup.badge(_("at fault"), "bad") + f" <b>{markup.safe(row.limit)}</b>"
        if row.limit
        else markup.badge(_("no limit broken"), "good")
    )
    private = _(
        "Only you see this part: the bot is yours. Where its process still ran from an earlier"
        " match, the start took almost no time."
    )
    markup.show(
        f'<section class="ix-evidence">{markup.heading(title)}<p>{verdict}</p>'
        f"{markup.soft(markup.safe(private))}{markup.tiles(_facts(row))}</section>"
    )
    if row.cpu_per_ply and len(row.wall_per_ply) == len(row.cpu_per_ply):
        markup.draw(
            effort.draw(
                row.cpu_per_ply,
                row.wall_per_ply,
                _("Time of every decision"),
                _("decision"),
                _("Decision {number}: {cpu} ms CPU, {wall} ms on the clock"),
            )
        )
        legend = f"<i class=cpu></i>{markup.safe(_('CPU time'))} <i class=wall></i>"
        markup.show(f'<p class="ix-soft ix-key">{legend}{markup.safe(_("time on the clock"))}</p>')
    markup.show(_texts(row))


def _facts(row: EvidenceRow) -> list[tuple[str, str]]:
    return [
        (_("CPU time of the start"), _ms(row.start_cpu_ms)),
        (_("CPU time of all decisions"), _ms(sum(row.cpu_per_ply))),
        (_("Slowest decision on the clock"), _ms(max(row.wall_per_ply, default=None))),
        (_("CPU time of the last answer"), _ms(row.used_ms)),
        (_("Most memory"), _size(row.peak_bytes)),
    ]


def _texts(row: EvidenceRow) -> str:
    texts = [
        (_("End of its stderr"), row.stderr_tail, True),
        (_("Its last line"), row.last_line, bool(row.limit)),
        (_("The last view it got"), row.last_view, False),
    ]
    return "".join(
        f'<details class="ix-text"{" open" if opened else ""}><summary>{markup.safe(label)}'
        f"</summary><pre>{markup.safe(text)}</pre></details>"
        for label, text, opened in texts
        if text
    ) + _notes(row)


def _notes(row: EvidenceRow) -> str:
    if not row.notes:
        return ""
    lines = "".join(
        f"<li><b>{markup.safe(_('ply {ply}').format(ply=ply))}</b> {markup.safe(text)}</li>"
        for ply, text in row.notes
    )
    title = markup.safe(_("Notes beside plies"))
    return f'<details class="ix-text"><summary>{title}</summary><ul>{lines}</ul></details>'


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f} ms"


def _size(count: int | None) -> str:
    return "-" if count is None else f"{count / 2**20:,.1f} MiB"
