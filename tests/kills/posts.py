"""Results that come twice, late and contradicting, posted against an arena that runs."""

from __future__ import annotations

from collections.abc import Callable

from arena_service.store.work_store import StoreWork
from arena_service.work import Assignment
from tests.arena_service.outcomes import first, last, played
from tests.kills.arena import LEASE_SECONDS, wait_for
from tests.kills.books import Books


def post_twice_late_and_contradicting(books: Books, follow: Callable[[], None]) -> None:
    """Lease a series, post one match twice and otherwise, let the lease run out, post another.

    `follow` lets a slot be planned when there is none left to lease from.
    """
    work = StoreWork(books.db, LEASE_SECONDS, LEASE_SECONDS)
    lease: Assignment = wait_for(lambda: _lease(work, follow), "a series with two matches left")
    one, other = lease.matches[:2]
    assert work.accept(lease.series, lease.fence, played(one, first))
    assert work.accept(lease.series, lease.fence, played(one, first))
    assert not work.accept(lease.series, lease.fence, played(one, last))
    wait_for(lambda: not books.is_held(lease.series, lease.fence), "the test's lease to run out")
    assert not work.accept(lease.series, lease.fence, played(other, first))
    assert not work.progress(lease.series, lease.fence, {other.match_id: 50})


def _lease(work: StoreWork, follow: Callable[[], None]) -> Assignment | None:
    follow()
    found = work.lease("the test")
    if found is not None and (not found.event or len(found.matches) < 2):
        work.fail(found.series, found.fence, "operator", "not what the test looks for")
        return None
    return found
