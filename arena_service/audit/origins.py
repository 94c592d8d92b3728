"""Whether commitment, entrants, pairings, seatings and seeds follow from the revealed key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from arena_service.audit.books import Book
from arena_service.audit.candidates import recorded
from arena_service.audit.documents import Entrant
from arena_service.audit.history import field_of, group_of, history
from arena_service.doctor.report import Proof
from arena_service.formats import catalogue
from arena_service.formats.drawing import Origin, in_order, of_slot, seated
from arena_service.formats.format import Draws, Extends, Field, Pairing, Round
from arena_service.store.errors import InvalidError
from engine_service.core.seeds import commitment, entrants_digest

MAX_GROUPS = 100_000

NextRound = Callable[[Field, Sequence[Round], Draws], Pairing | None]


def check_commitment(book: Book, proof: Proof) -> None:
    """The key is the one that was committed to."""
    same = commitment(book.key) == book.event.commitment
    proof.take(book.name, [] if same else ["the SHA-256 of its key is another commitment"])


def check_entrants(book: Book, proof: Proof) -> None:
    """The digest is of these entrants; an event that was cancelled before its start has none."""
    if book.event.entrants_digest is None:
        played = book.entrants or book.pairs
        proof.take(book.name, ["it has no entrants digest and was played"] if played else [])
        return
    digest = entrants_digest([(each.bot_id, each.sha256) for each in book.entrants.values()])
    proof.take(book.name, [] if digest == book.digest else ["its entrants give another digest"])


def check_pairings(book: Book, proof: Proof) -> None:
    """Every round is the one that is drawn from what was known before it; none is missing."""
    if not book.is_sound:
        proof.take(
            book.name, ["what it holds does not fit together: its rounds are not drawn again"]
        )
        return
    try:
        field, played, draws = field_of(book), history(book), _origin(book).draw
        next_round = _next_round(book, field)
    except ValueError as error:  # of the format, or of its stopping rule
        proof.take(book.name, [str(error)])
        return
    for number in range(1, len(played) + 1):
        pairing = next_round(field, played[: number - 1], draws)
        failed = proof.failed
        proof.take(f"{book.name} round {number}", _of_round(book, number, pairing or Pairing(())))
        if proof.failed > failed:
            return  # the rounds after it would be drawn from results that do not belong there
    if book.event.state == "complete" and book.event.entrants_digest is not None:
        further = next_round(field, played, draws)
        more = further is not None and len(further.groups) > 0
        proof.take(book.name, ["one more round is drawn, and is not there"] if more else [])
    book.is_drawn = True


def check_seeding(book: Book, proof: Proof) -> None:
    """Places of the seeding from 1 without a gap, a better rating never behind a worse one."""
    seeded = [each for each in book.entrants.values() if each.seed is not None]
    seeded.sort(key=lambda each: each.seed or 0)
    proof.take(book.name, _of_seeding(book, seeded))


def check_seats(book: Book, proof: Proof) -> None:
    """Every leg seats the group of its pair moved on by one, and gives each bot its seed."""
    origin = _origin(book)
    for pair, legs in sorted(book.legs.items()):
        group = group_of(book, pair)
        for leg, match in sorted(legs.items()):
            seeds = tuple(player.bot_seed for player in match.players)
            moved = not group or match.versions == seated(group, leg)
            follow = seeds == origin.bot_seeds(pair, leg, len(seeds))
            problems = [] if moved else ["its seating is not that of leg 0 moved on"]
            problems += [] if follow else ["the seeds of its bots do not follow from the key"]
            proof.take(book.about(pair, leg), problems)


def check_seeds(book: Book, proof: Proof) -> None:
    """The deal of every pair follows from the key."""
    origin = _origin(book)
    for number, pair in sorted(book.pairs.items()):
        same = pair.seed == origin.deal_seed(number)
        proof.take(book.about(number), [] if same else ["its seed does not follow from the key"])


def _origin(book: Book) -> Origin:
    return Origin(book.key, book.event.id, book.digest)


def _next_round(book: Book, field: Field) -> NextRound:
    """How the event pairs; raises InvalidError for a format that is not known, or far too large."""
    if book.is_slot:
        return _slot(book)
    format = catalogue.find(book.event.format)
    size = format.size(len(field.entrants), field.seats, field.rounds, len(field.challengers))
    if size > MAX_GROUPS:
        raise InvalidError("format", f"at most {MAX_GROUPS} groups")
    return format.next_round


def _slot(book: Book) -> NextRound:
    known = recorded(book)

    def next_round(field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        if history:
            return None
        pairs = max(1, book.event.pairs)
        return Pairing(tuple(of_slot(known, field.seats, pairs, _origin(book))))

    return next_round


def _of_seeding(book: Book, seeded: Sequence[Entrant]) -> Iterator[str]:
    if [each.seed for each in seeded] != list(range(1, len(seeded) + 1)):
        yield "its places of the seeding are not numbered from 1 without a gap"
    for better, worse in pairwise(seeded):
        if worse.rating is not None and (better.rating is None or better.rating < worse.rating):
            yield f"{book.called(worse.bot_version)} is seeded behind a lower rating"


def _of_round(book: Book, number: int, pairing: Pairing) -> Iterator[str]:
    planned = book.rounds[number]
    pairs = [pair for pair in sorted(book.pairs) if book.pairs[pair].round == number]
    if sorted(planned.byes) != sorted(pairing.byes):
        yield f"byes of {_listed(book, planned.byes)}, drawn are {_listed(book, pairing.byes)}"
    wanted = _pairs_wanted(book, number, pairing)
    if planned.pairs != wanted:
        yield f"has {planned.pairs} pairs of each group, planned are {wanted}"
    if len(pairs) != (drawn := len(pairing.groups) * planned.pairs):
        yield f"{len(pairs)} pairs, drawn are {drawn}"
    for pair, group in zip(pairs, in_order(pairing.groups, planned.pairs), strict=False):
        if (seats := group_of(book, pair)) and seats != group:
            yield f"pair {pair} seats {_listed(book, seats)}, drawn are {_listed(book, group)}"


def _pairs_wanted(book: Book, number: int, pairing: Pairing) -> int:
    """Of each group; when a tournament was extended, and by how much, its rounds alone tell."""
    planned, event = book.rounds[number].pairs, book.event
    if event.settings.sprt is not None:
        return min(pairing.pairs, max(1, planned))
    extends = not book.is_slot and catalogue.find(event.format).extends is Extends.PAIRS
    return pairing.pairs or (planned if extends and number > 1 else event.pairs)


def _listed(book: Book, versions: Sequence[str]) -> str:
    return ", ".join(map(book.called, versions)) or "nobody"
