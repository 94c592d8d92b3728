"""A ladder with any number of matches, made by PostgreSQL itself in minutes.

The rows are those that an arena would have written, but no game was played: replays do not verify,
and evidence is there of faults alone. It takes a superuser.
Every slot but the last is complete; the last is played half, its series wait.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select, text
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store import ladder_tallies, tallies
from arena_service.store.database import Database
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.states import EventState, VersionState, now_utc
from arena_service.store.tables import (
    Account,
    Artifact,
    Bot,
    BotVersion,
    Event,
    Ladder,
    LadderEntry,
)

VERSIONS = 100
PAIRS = 100  # of a slot, two matches each
SERIES = 4  # pairs of a series
LIMITS = {"start_cpu_ms": 1000, "move_cpu_ms": 200, "bank_cpu_ms": 5000}
BEGINNING = timedelta(days=365)
_PATIENT = ("statement_timeout = 0", "idle_in_transaction_session_timeout = 0")
# References are not checked row by row: every row that is named is written here.
_SETTINGS = (*_PATIENT, "session_replication_role = replica", "work_mem = '256MB'")

# Of pair n: its slot, the two versions (by their place, from 0), and when it was planned.
_PAIRS = f"""
CREATE TEMPORARY TABLE planned ON COMMIT DROP AS
SELECT n, n / {PAIRS} + 1 AS slot, n % {PAIRS} + 1 AS number,
    md5('pair' || n) AS pair,
    md5('series' || n / {SERIES}) AS series,
    n % {VERSIONS} AS a,
    (n % {VERSIONS} + 1 + n / {VERSIONS} % {VERSIONS - 1}) % {VERSIONS} AS b
FROM generate_series(0, :pairs - 1) AS n
"""
_MATCHES = """
CREATE TEMPORARY TABLE played ON COMMIT DROP AS
SELECT p.*, leg,
    md5('match' || n || '-' || leg) AS match, md5('attempt' || n || '-' || leg) AS attempt,
    (p.slot < :slots OR number <= :done) AS finished,
    -- The stronger of two wins four times of five, whichever seat it has.
    CASE WHEN (n * 7 + leg * 3) % 5 = 0 THEN leg ELSE 1 - leg END AS winner,
    CASE WHEN (n * 2 + leg) % 97 = 0 THEN 'timeout' ELSE 'completed' END AS ending,
    e.id AS event, e.created_at AS at
FROM planned p JOIN event e ON e.slot = p.slot CROSS JOIN generate_series(0, 1) AS leg
"""
_FILL = (
    """
INSERT INTO pair (id, event, round, number, seed, legs)
SELECT pair, event, 1, number, md5(pair) || md5(pair), 2 FROM played WHERE leg = 0
""",
    """
INSERT INTO series (id, event, priority, turn, position, limits, state, fence, progress, failures,
    created_at)
SELECT series, event, 1, 0, min(number), :limits,
    CASE WHEN bool_and(finished) THEN 'done' ELSE 'waiting' END, 1, '{}', 0, at
FROM played GROUP BY series, event, at
""",
    """
INSERT INTO match (id, pair, series, event, leg, seed, kind, game, rules_version, options, seats,
    state, position, created_at)
SELECT match, pair, series, event, leg, md5(pair) || md5(pair), 'rated', 'claim', 1, '{}', 2,
    CASE WHEN finished THEN 'finished' ELSE 'planned' END, number * 2 + leg, at
FROM played ORDER BY n, leg
""",
    """
INSERT INTO match_seat (match, seat, bot_version, bot_seed)
SELECT match, seat, (CAST(:versions AS text[]))[1 + CASE WHEN seat = leg THEN a ELSE b END],
    md5(match)
FROM played CROSS JOIN generate_series(0, 1) AS seat ORDER BY n, leg, seat
""",
    """
INSERT INTO attempt (id, match, series, fence, worker, outcome, detail, started_at, ended_at)
SELECT attempt, match, series, 1, 'crowd-1', 'accepted', '', at, at + interval '2 seconds'
FROM played WHERE finished ORDER BY n, leg
""",
    """
INSERT INTO result (match, attempt, ending, at_fault, plies, digest, replay, accepted_at)
SELECT match, attempt, ending, CASE WHEN ending = 'timeout' THEN 1 - winner END, 52,
    md5(match) || md5(pair), decode(repeat(md5(match) || md5(pair), 24), 'hex'),
    at + interval '1 second' * (number * 2 + leg)
FROM played WHERE finished ORDER BY n, leg
""",
    """
INSERT INTO seat_result (match, seat, rank, credit, cpu_ms)
SELECT match, seat, CASE WHEN seat = winner THEN 1 ELSE 2 END,
    CASE WHEN seat = winner THEN 1.0 ELSE 0.0 END, 150
FROM played CROSS JOIN generate_series(0, 1) AS seat WHERE finished ORDER BY n, leg, seat
""",
    """
INSERT INTO evidence (attempt, seat, "limit", used_ms, start_cpu_ms, last_view, last_line,
    stderr_tail, cpu_per_ply, wall_per_ply, notes)
SELECT attempt, seat,
    CASE WHEN seat <> winner THEN 'move_cpu_ms' ELSE '' END,
    150, 40, '', '', '', '[1.5, 2.5, 1.5]', '[1.6, 2.7, 1.5]', '[]'
FROM played CROSS JOIN generate_series(0, 1) AS seat WHERE finished AND ending = 'timeout'
""",
    """
INSERT INTO ledger (match, event, pair, seats, credits, digest)
SELECT p.match, p.event, p.pair, json_agg(s.bot_version ORDER BY s.seat),
    CASE WHEN p.winner = 0 THEN '[1.0, 0.0]' ELSE '[0.0, 1.0]' END::json,
    md5(p.match) || md5(p.pair)
FROM played p JOIN match_seat s ON s.match = p.match
WHERE p.finished GROUP BY p.n, p.leg, p.match, p.event, p.pair, p.winner ORDER BY p.n, p.leg
""",
    """
INSERT INTO entrant (event, bot_version, bot_id, sha256)
SELECT e.id, v.id, v.bot, v.sha256 FROM event e CROSS JOIN bot_version v WHERE e.slot <= :slots
""",
    """
INSERT INTO rating (event, bot_version, value, error)
SELECT e.id, v.id, 10 * length(v.sha256), 50 FROM event e CROSS JOIN bot_version v
WHERE e.slot < :slots
""",
    """
UPDATE bot_version SET wins = got.wins, losses = got.losses, faults = got.faults
FROM (
    SELECT s.bot_version, count(*) FILTER (WHERE r.rank = 1) AS wins,
        count(*) FILTER (WHERE r.rank = 2) AS losses,
        count(*) FILTER (WHERE r.rank = 2 AND p.ending = 'timeout') AS faults
    FROM match_seat s JOIN seat_result r USING (match, seat) JOIN played p USING (match)
    GROUP BY s.bot_version
) got WHERE got.bot_version = bot_version.id
""",
)


@dataclass(frozen=True)
class Crowd:
    """What there is: the ladder, a bot that plays in every slot, and how many matches are done."""

    ladder: str
    bot: str
    matches: int


def fill(db: Database, matches: int) -> Crowd:
    """Fill an empty database that is up to date; `matches` is a multiple of two hundred."""
    slots = matches // (2 * PAIRS)
    with db.write() as session:
        for setting in _SETTINGS:
            session.execute(text(f"SET LOCAL {setting}"))
        ladder, versions = _people(session)
        _events(session, ladder.id, slots)
        values = {
            "pairs": slots * PAIRS,
            "slots": slots,
            "done": PAIRS // 2,
            "limits": json.dumps(LIMITS),
            "versions": [each.id for each in versions],
        }
        for statement in (_PAIRS, _MATCHES, "ANALYZE played", *_FILL):
            asked = text(statement)
            session.execute(asked, {name: values[name] for name in asked.compile().params})
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SET statement_timeout = 0"))
        connection.execute(text("VACUUM ANALYZE"))
    with db.write() as session:
        for setting in _PATIENT:
            session.execute(text(f"SET LOCAL {setting}"))
        _keep(session, ladder.id, slots - 1)
    return Crowd(ladder.id, versions[0].bot, slots * 2 * PAIRS)


def _people(session: Session) -> tuple[Ladder, list[BotVersion]]:
    now = now_utc()
    account = Account(name="crowd", token_sha256="0" * 64)
    session.add(account)
    session.flush()
    ladder = Ladder(
        owner=account.id,
        name="crowd",
        game="claim",
        rules_version=1,
        options={},
        seats=2,
        cron="0 * * * *",
        timezone="UTC",
        pairs_per_slot=PAIRS,
        limits=LIMITS,
        next_due=now + timedelta(hours=1),
    )
    bots = [Bot(owner=account.id, name=f"bot-{number}") for number in range(VERSIONS)]
    artifacts = [Artifact(sha256=f"{n:064x}", content=b"x", size=1) for n in range(VERSIONS)]
    session.add_all([ladder, *bots, *artifacts])
    session.flush()
    versions = [
        BotVersion(
            bot=bot.id,
            number=1,
            sha256=artifact.sha256,
            games=["claim"],
            run=["python3", "main.py"],
            protocol="json",
            state=VersionState.ACTIVE,
        )
        for bot, artifact in zip(bots, artifacts, strict=True)
    ]
    session.add_all(versions)
    session.add_all(LadderEntry(ladder=ladder.id, bot=bot.id, active=True) for bot in bots)
    session.flush()
    return ladder, versions


def _events(session: Session, ladder: str, slots: int) -> None:
    """The slots, an hour apart or less: all within the last year."""
    now = now_utc()
    apart = min(timedelta(hours=1), BEGINNING / (slots + 1))
    for slot in range(1, slots + 2):
        at = now - apart * (slots + 1 - slot)
        state = EventState.COMPLETE if slot < slots else EventState.RUNNING
        is_open = slot > slots
        session.add(
            Event(
                ladder=ladder,
                slot=slot,
                key=slot.to_bytes(32, "big"),
                commitment=f"{slot:064x}",
                rules_version=None if is_open else 1,
                limits=LIMITS,
                state=EventState.OPEN if is_open else state,
                created_at=at,
                closed_at=None if is_open else at,
                completed_at=at + apart / 2 if state == EventState.COMPLETE else None,
            )
        )
    session.flush()


def _keep(session: Session, ladder: str, slot: int) -> None:
    """What the arena keeps when it completes a slot."""
    event = session.scalars(select(Event).where(col(Event.slot) == slot)).one()
    scope = Scope(ladder, slots=(1, slot))
    faults = tallies.faults(session, scope, 1)
    ladder_tallies.keep(session, event, rated_rows(session, scope, 1), faults)
