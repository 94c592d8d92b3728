"""The examination of a whole arena: one snapshot, one walk through its matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor import events, matches
from arena_service.doctor.inputs import check_inputs
from arena_service.doctor.oddities import oddities
from arena_service.doctor.ratings import check_ratings
from arena_service.doctor.records import Matches
from arena_service.doctor.references import check_references
from arena_service.doctor.replays import Replays
from arena_service.doctor.report import Oddity, Proof, Report
from arena_service.doctor.rounds import check_rounds
from arena_service.doctor.seeds import check_seeds
from arena_service.doctor.standings import check_standings
from arena_service.doctor.values import check_values
from arena_service.doctor.versions import check_archives, check_versions
from arena_service.store.database import Database
from arena_service.store.tables import Departure, Entrant, Event, Match
from engine_service.client import Engine

CLAIMS = {
    "values": "every value can be read and is of its column's kind",
    "references": "every reference has its row",
    "events": "slots follow each other, events are in the state of their matches",
    "archives": "the archives of bots are the bytes that their hashes name",
    "versions": "versions are checked while their check is played, then in the state it asks for",
    "series": "series wait or are leased as long as there is something to play",
    "pairs": "every pair has all its legs",
    "rounds": "rounds follow each other, byes are as drawn, who is disqualified counts for nobody",
    "schedule": "matches belong to their pair, series and event, and entrants play them",
    "results": "every match has one result, of its one accepted attempt, once it has ended",
    "seats": "every seat has a rank, and the credit that follows from the ranks",
    "ledger": "rated results stand in the ledger, with their credits and digests, and no others",
    "replays": "every replay is true by the rules, and is the match as planned and as decided",
    "seeds": "commitments, entrants, deals, bot seeds and seatings follow from the keys",
    "inputs": "what match-making was told of the entrants of a slot follows from the slots before",
    "standings": "what ladders and versions keep of their results is what the results say",
    "ratings": "the ratings of complete events are those of a fit from the ledger alone",
}
LEFT_OUT = Oddity("proofs left out", "all others", "they need values that can be read")
OnMatch = Callable[[int, int], None]


def examine(db: Database, engine: Engine, now: datetime, on_match: OnMatch) -> Report:
    """Look at everything; `on_match` is told how many matches are done, and of how many.

    All is read in one transaction that sees one state, so the arena may run meanwhile. What is kept
    in memory grows with the rows of the ledger and not with the replays.
    """
    proofs = {name: Proof(name, claim) for name, claim in CLAIMS.items()}
    replays = Replays(engine, proofs["replays"])
    with db.snapshot() as session:
        check_values(session, proofs["values"])
        if proofs["values"].failed:
            return Report([proofs["values"]], [LEFT_OUT])
        check_references(session, proofs["references"])
        events.check_events(session, proofs["events"])
        check_archives(session, proofs["archives"])
        check_versions(session, proofs["versions"])
        events.check_series(session, proofs["series"])
        events.check_pairs(session, proofs["pairs"])
        check_rounds(session, proofs["rounds"])
        check_seeds(session, proofs["seeds"])
        check_inputs(session, proofs["inputs"])
        check_standings(session, proofs["standings"])
        check_ratings(session, proofs["ratings"])
        odd = oddities(session, now)
        _check_matches(session, proofs, replays, on_match)
    return Report(list(proofs.values()), [*odd, *replays.oddities()])


def _check_matches(
    session: Session, proofs: dict[str, Proof], replays: Replays, on_match: OnMatch
) -> None:
    states = _event_states(session)
    entrants, gone = _versions(session, Entrant), _versions(session, Departure)
    total = session.scalar(select(func.count()).select_from(Match)) or 0
    for done, record in enumerate(Matches(session), 1):
        event = record.match.event or ""
        about = f"match {record.match.id}"
        proofs["schedule"].take(about, matches.planned(record, entrants[event]))
        proofs["results"].take(about, matches.resulted(record, states.get(event), gone[event]))
        proofs["seats"].take(about, matches.seated(record))
        proofs["ledger"].take(about, matches.entered_in_ledger(record))
        replays.judge(record)
        on_match(done, total)


def _event_states(session: Session) -> dict[str, str]:
    return dict(session.execute(select(col(Event.id), col(Event.state))).all())


def _versions(
    session: Session, table: type[Entrant] | type[Departure]
) -> defaultdict[str, set[str]]:
    """By event."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for event, version in session.execute(select(col(table.event), col(table.bot_version))):
        found[event].add(version)
    return found
