"""What the books tell Prometheus; counted by the process that wrote, once it stands."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import Counter
from sqlalchemy import event
from sqlalchemy.orm import Session

from arena_service.store.states import AttemptOutcome, Cause
from arena_service.verdicts import OWN_FAULTS
from arena_service.work import AcceptedOutcome

RESULTS = Counter("interrex_results", "Results that were accepted.", ["game", "ending"])
FAULTS = Counter(
    "interrex_faults",
    "Bots that lost by their own fault, by ending; series that came back to be played again.",
    ["cause", "what"],
)
EXPIRIES = Counter("interrex_lease_expiries", "Leases that ran out.")


def count_result(outcome: AcceptedOutcome) -> None:
    """A result that stands."""
    ending = outcome.replay["result"]["ending"]
    RESULTS.labels(outcome.replay["game"], ending).inc()
    if ending in OWN_FAULTS:
        FAULTS.labels(Cause.BOT, ending).inc()


def count_given_back(session: Session, outcome: AttemptOutcome, cause: str) -> None:
    """A series that a slot or the sweeper gives back in this transaction."""

    def count(_session: Session) -> None:
        FAULTS.labels(cause, outcome).inc()
        if outcome is AttemptOutcome.EXPIRED:
            EXPIRIES.inc()

    _when_committed(session, count)


def _when_committed(session: Session, act: Callable[[Session], None]) -> None:
    event.listen(session, "after_commit", act, once=True)
