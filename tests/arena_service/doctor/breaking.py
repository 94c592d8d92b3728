"""Ways to break an arena by SQL: what no program of the arena would do."""

from __future__ import annotations

from dataclasses import dataclass

RATED = (
    "(SELECT min(ledger.match) FROM ledger JOIN result ON result.match = ledger.match "
    "WHERE ending = 'completed')"
)
OTHER = "(SELECT max(match) FROM ledger)"
SLOT = "(SELECT id FROM event WHERE state = 'complete' AND slot = 1)"
# A match that ratings are made of: of a complete event, with every leg of its pair.
COUNTED = (
    f"(SELECT min(match) FROM ledger WHERE event = {SLOT} AND pair IN "
    "(SELECT pair FROM ledger GROUP BY pair HAVING count(*) = 2))"
)
TO_PLAY = "(SELECT min(id) FROM \"match\" WHERE state = 'planned')"
OF_SLOT = f'(SELECT min(id) FROM "match" WHERE event = {SLOT})'
CHECKED = "(SELECT id FROM \"match\" WHERE kind = 'check')"
NO_CONTEST = "(SELECT match FROM result WHERE ending = 'no_contest')"
STRANGER = f"(SELECT bot_version FROM match_seat WHERE match = {CHECKED} AND seat = 0)"
CHECK_OF_STRANGER = (
    f'UPDATE bot_version SET check_series = (SELECT series FROM "match" WHERE id = {CHECKED}) '
    f"WHERE id = {STRANGER}"
)
FIRST_LEG = (
    '(SELECT min("match".id) FROM "match" JOIN event ON event.id = event '
    "WHERE slot IS NULL AND leg = 0)"
)
PAIR = f"(SELECT min(id) FROM pair WHERE event = {SLOT})"
ZEROS = "0" * 64


@dataclass(frozen=True)
class Break:
    """What is done to the data, and which check must say what of it."""

    check: str
    says: str
    sql: tuple[str, ...]


def broken(check: str, says: str, *sql: str) -> Break:
    return Break(check, says, sql)


def disqualified(version: str, round: int = 1) -> str:
    """A departure from the tournament without what follows from it."""
    return (
        f"INSERT INTO departure SELECT id, {version}, 'disqualified', {round}, "
        "(SELECT min(id) FROM account), '', created_at FROM event WHERE slot IS NULL"
    )
