"""What can be changed in an export without the audit telling: the table of docs/export.md."""

from __future__ import annotations

from dataclasses import dataclass

from tests.arena_service.audit.small import SMALL

EVERY = tuple(SMALL)
SEEDED = "double elimination, seeded by a ladder"


@dataclass(frozen=True)
class Row:
    """Values, of which events, and why; `small` are the exports of that kind that are walked."""

    paths: tuple[str, ...]
    of: str
    why: str
    small: tuple[str, ...] = EVERY

    def __str__(self) -> str:
        """As it stands on the page."""
        return f"| {', '.join(f'`{path}`' for path in self.paths)} | {self.of} | {self.why} |"


NOT_PROVEN = (
    Row(
        ("export.id", "export.name", "match.id"),
        "all",
        "they enter no seed and no digest; their form is proven, and that no match is there twice",
    ),
    Row(
        ("event.limits.start_cpu_ms", "event.limits.move_cpu_ms", "event.limits.bank_cpu_ms"),
        "all",
        "a replay holds no times; that they could be set is proven",
    ),
    Row(
        ("event.closed_at", "event.completed_at", "match.annulled_at"),
        "all",
        "a clock's word: when they are out of order the audit calls it odd",
    ),
    Row(
        ("entrant.owner", "entrant.bot"),
        "all, when changed in the replays too",
        "the digest of the entrants is of bot ids and archives, that of a replay is of no names",
    ),
    Row(
        ("entrant.version",),
        "versions that have played nothing",
        "it stands beside the names in replays",
        ("cancelled at once",),
    ),
    Row(
        ("entrant.bot_version",),
        "all, when changed wherever it stands to one of the same order",
        "an id of the arena's: draws begin with the versions sorted by it",
    ),
    Row(
        ("entrant.seed",),
        "formats that pair without a seeding, and equal ratings, when two are exchanged",
        "it is the order of entry",
        (
            "round robin",
            "somebody left",
            "cancelled",
            "cancelled at once",
            "gauntlet",
            "swiss",
            "challenge",
            "final",
        ),
    ),
    Row(
        ("event.settings.seeding", "entrant.rating"),
        "tournaments that a ladder seeds",
        "the ratings stand in the export of the ladder; that the order follows from them is proven",
        (SEEDED, "final"),
    ),
    Row(
        ("event.rounds",),
        "events that were over early or cancelled, final runs",
        "more could have been asked for than were needed",
        ("swiss, over early", "somebody left", "cancelled", "final"),
    ),
    Row(
        ("event.pairs",),
        "final runs, tests that a rule has stopped",
        "it is a bound, and other bounds lead to the same pairs",
        ("final", "test with a rule", "test with a rule, over early"),
    ),
    Row(
        ("event.state",),
        "events without ratings all of whose matches are over",
        "it could have been cancelled after its last match",
        ("challenge", "somebody left"),
    ),
    Row(
        ("departure.reason",),
        "tournaments that somebody left",
        "it is what the organiser wrote",
        ("somebody left",),
    ),
    Row(
        (
            "event.id",
            "event.state",
            "event.format",
            "event.game",
            "event.rules_version",
            "event.options",
            "event.seats",
            "event.pairs",
            "event.rounds",
        ),
        "events without a match",
        "nothing follows from them",
        ("nobody came",),
    ),
    Row(
        ("event.format",),
        "events of two entrants, by chance",
        "two formats can draw the same pairs",
        ("round robin", "test", "nobody came"),
    ),
)


def listed(small: str) -> set[str]:
    """The paths of the rows that speak of an export."""
    return {path for row in NOT_PROVEN if small in row.small for path in row.paths}
