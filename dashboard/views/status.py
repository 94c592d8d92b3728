"""How the arena is doing: its queue, what is played now, what went wrong, its processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena_service.access import Action, may
from arena_service.status.problems import problems
from arena_service.status.report import BOT, CauseCount, ProcessRow, Queue, RunningMatch, Status
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.live import section
from dashboard.views import markup, wording


def page() -> None:
    """The report, drawn anew every few seconds."""
    markup.show(markup.heading(_("Status"), 1))
    section.show("status", _draw)


def _draw() -> bool:
    report = _report()
    markup.show(
        _problems(report)
        + _queue(report.queue)
        + _running(report.running)
        + _causes(report.causes)
        + _processes(report.processes)
    )
    return True


def _report() -> Status:
    """What the reader may see; engine and broker are asked only for those who see processes."""
    viewer, report = arena.viewer(), arena.reports().newest()
    if may(viewer, Action.SEE_PROCESSES, None):
        report = replace(report, processes=(*report.processes, *arena.probes().rows()))
    return report.seen_by(viewer)


def _problems(report: Status) -> str:
    found = problems(report)
    if not found:
        return f"<p>{markup.badge(_('all is well'), 'good')}</p>"
    lines = "".join(
        f"<li><b>{markup.safe(each.what)}</b><br><span class=soft>{markup.safe(each.advice)}"
        "</span></li>"
        for each in found
    )
    return f'<ul class="ix-problems" role="alert">{lines}</ul>'


def _queue(queue: Queue) -> str:
    oldest = queue.oldest_seconds
    return markup.tiles(
        [
            (_("Matches that wait"), str(queue.matches_waiting)),
            (_("Series being played"), str(queue.series_leased)),
            (_("Matches in the last minute"), str(queue.matches_last_minute)),
            (_("Oldest in the queue"), "-" if oldest is None else _ago(oldest)),
            (_("Clock ticked"), "-" if queue.tick_seconds is None else _ago(queue.tick_seconds)),
        ]
    )


def _ago(seconds: float) -> str:
    return markup.safe(wording.span(seconds))


def _running(running: Sequence[RunningMatch]) -> str:
    title = markup.heading(_("Being played"))
    if not running:
        return title + f'<p class="ix-empty">{markup.safe(_("Nothing is being played."))}</p>'
    heads = ["", _("Competition"), _("Ply"), _("For")]
    rows = [
        [
            markup.link(markup.address("match", replay=each.match_id), _("open"))
            if each.match_id
            else "",
            markup.safe(each.competition or _("check of a new version")),
            str(each.ply),
            _ago(each.seconds),
        ]
        for each in running
    ]
    return title + markup.table(heads, rows, frozenset({2, 3}))


def _causes(causes: Sequence[CauseCount]) -> str:
    title = markup.heading(_("What went wrong in the last 24 hours"))
    if not causes:
        return title + f'<p class="ix-empty">{markup.safe(_("Nothing."))}</p>'
    endings = {
        "illegal_action": _("illegal answer"),
        "timeout": _("out of time"),
        "crash": _("crash"),
        "no_contest": _("failed start of more than one bot"),
    }
    whose = {
        BOT: _("a bot"),
        "engine": _("the engine"),
        "worker": _("a worker"),
        "infrastructure": _("the infrastructure"),
        "operator": _("the operator"),
    }
    most = max(each.count for each in causes)
    rows = [
        [
            markup.safe(whose.get(each.cause, each.cause)),
            markup.safe(endings.get(each.what, each.what)),
            str(each.count),
            _still(each),
            f'<div class="ix-count"><i style="width:{100 * each.count / most:.0f}%"></i></div>',
        ]
        for each in causes
    ]
    heads = [_("Whose"), _("What"), _("How often"), "", ""]
    return title + markup.table(heads, rows, frozenset({2}))


def _still(cause: CauseCount) -> str:
    """What of the arena's own failures is still the case."""
    if cause.cause == BOT:
        return ""
    if cause.goes_on:
        return markup.badge(_("goes on"), "bad")
    return f"<span class=soft>{markup.safe(_('over'))}</span>"


def _processes(processes: Sequence[ProcessRow]) -> str:
    title = markup.heading(_("Processes"))
    if not processes:
        text = (
            _("Sign in to see the processes.") if arena.visitor() is None else _("None is known.")
        )
        return title + f'<p class="ix-empty">{markup.safe(text)}</p>'
    heads = [
        _("Process"),
        _("State"),
        _("Where"),
        _("Last sign of life"),
        _("Since"),
        _("Restarts"),
        "",
    ]
    rows = [
        [
            f"<b>{markup.safe(each.kind)}</b>",
            markup.badge(_("alive"), "good") if each.lives else markup.badge(_("silent"), "bad"),
            markup.safe(f"{each.host} · {each.pid}" if each.pid else each.host),
            _ago(each.seen_seconds),
            f'<span class="ix-when">{wording.moment(each.started_at)}</span>',
            str(each.restarts or ""),
            f"<span class=soft>{markup.safe(each.detail)}</span>",
        ]
        for each in processes
    ]
    return title + markup.table(heads, rows, frozenset({3, 5}))
