"""The bracket of a double elimination: what stands in its boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_service.figures import decimals
from arena_service.formats.bracket import Side, Source
from arena_service.store.courses import BracketRow, Course, EncounterRow, EntrantRow
from dashboard.charts import bracket as chart
from dashboard.charts.bracket import Card, Heading, Line
from dashboard.charts.bracket_layout import Layout, Place, layout
from dashboard.i18n.text import _
from dashboard.views import entrants, markup
from dashboard.views.rounds import score

Met = Mapping[tuple[int, frozenset[str]], EncounterRow]


def show(course: Course, tournament: str) -> None:
    """The picture with a line below; a sentence while there is none."""
    if not course.bracket:
        text = _("The bracket is drawn when at least two bots have started.")
        markup.show(f'<p class="ix-empty">{markup.safe(text)}</p>')
        return
    places = layout(len(course.entrants))
    drawn = cards(course, places, tournament)
    markup.draw(chart.draw(places, drawn, headings(places), _("The bracket")))
    note = _(
        "The numbers before the names are the seeds, those behind them the credit of each time that"
        " the two played: a drawn encounter is played again. The last of the losers must beat the"
        " unbeaten twice."
    )
    markup.show(markup.soft(markup.safe(note)))


def cards(course: Course, places: Layout, tournament: str) -> dict[int, Card]:
    """What stands in every box, by index of the encounter."""
    known = _Cards(course, places, tournament)
    return {index: known.card(place) for index, place in places.places.items()}


def headings(places: Layout) -> list[Heading]:
    """Above every column, in each of the two halves."""
    words = {
        Side.WINNERS: _("Round {number}"),
        Side.LOSERS: _("Losers' round {number}"),
        Side.FINAL: _("Final"),
        Side.RESET: _("Second final"),
    }
    tops: dict[tuple[Side, int], float] = {}
    for place in places.places.values():
        key = place.slot.side, place.column
        tops[key] = min(tops.get(key, place.row), place.row)
    found = []
    numbers: dict[Side, int] = dict.fromkeys(Side, 0)
    for (side, column), top in sorted(tops.items(), key=lambda each: each[0][1]):
        numbers[side] += 1
        row = {Side.WINNERS: 0.0, Side.LOSERS: places.lower}.get(side, top)
        found.append(Heading(column, row, words[side].format(number=numbers[side])))
    return found


class _Cards:
    """What is known of the encounters of one tournament."""

    def __init__(self, course: Course, places: Layout, tournament: str) -> None:
        self.rows, self.places, self.tournament = course.bracket, places, tournament
        self.entrants = course.entrants
        self.names = entrants.short_names(course.entrants)
        self.met: Met = {
            (round.number, frozenset(each.version_id for each in encounter.players)): encounter
            for round in course.rounds
            for encounter in round.encounters
        }

    def card(self, place: Place) -> Card:
        row = self.rows[place.index]
        players = row.players or self._expected(place)
        played = self._played(row)
        first, other = (
            self._line(row, player, source, played)
            for player, source in zip(players, place.origins, strict=True)
        )
        state, note = _state(row, played)
        known = [player for player in players if player is not None]
        return Card((first, other), state, note, self._target(known, played), self._said(known))

    def _played(self, row: BracketRow) -> list[EncounterRow]:
        both = frozenset(each.version_id for each in row.players or () if each is not None)
        known = self.met.items()
        return [
            encounter
            for (number, players), encounter in known
            if players == both and (number in row.rounds or not (row.decided or encounter.points))
        ]

    def _line(
        self,
        row: BracketRow,
        player: EntrantRow | None,
        source: Source,
        played: Sequence[EncounterRow],
    ) -> Line:
        if player is None:
            return Line("", self._from(source), (), "nobody")
        scores = tuple(
            score([credit], decimals(each.credits))
            for each in played
            if each.pairs_done
            for one, credit in zip(each.players, each.credits, strict=True)
            if one == player
        )
        seed = "" if player.seed is None else str(player.seed)
        name = self.names[player.version_id]
        return Line(seed, name, scores, _fate(row, player), bool(player.left))

    def _expected(self, place: Place) -> tuple[EntrantRow | None, EntrantRow | None]:
        """Of an encounter whose two are not both known: who of them is."""
        first, other = place.origins
        return self._arrived(first), self._arrived(other)

    def _arrived(self, source: Source) -> EntrantRow | None:
        if source.encounter is None:
            return next(
                (each for each in self.entrants if each.seed == (source.seed or 0) + 1), None
            )
        before = self.rows[source.encounter]
        if source.won or not before.decided:
            return before.winner
        lost = (each for each in before.players or () if each is not None)
        return next((each for each in lost if each != before.winner and not each.left), None)

    def _from(self, source: Source) -> str:
        if source.encounter is None or self.rows[source.encounter].decided:
            return _("nobody")
        number = self.places.places[source.encounter].number
        words = _("Winner of {number}") if source.won else _("Loser of {number}")
        return words.format(number=number)

    def _target(self, known: Sequence[EntrantRow], played: Sequence[EncounterRow]) -> str:
        if not played:
            return ""
        first, other = (f"{each.owner}/{each.bot}" for each in known)
        return markup.address("matches", tournament=self.tournament, bot=first, against=other)

    def _said(self, known: Sequence[EntrantRow]) -> str:
        return _(" against ").join(map(entrants.full_name, known))


def _fate(row: BracketRow, player: EntrantRow) -> str:
    if not row.decided or _is_needless(row):
        return "plays"
    return "won" if row.winner == player else "lost"


def _is_needless(row: BracketRow) -> bool:
    return row.side == Side.RESET and row.decided and not row.rounds


def _state(row: BracketRow, played: Sequence[EncounterRow]) -> tuple[str, str]:
    if _is_needless(row):
        return "idle", _("not needed")
    if row.decided:
        return ("done", "") if row.rounds else ("idle", _("not played"))
    if played:
        done, planned = played[-1].pairs_done, played[-1].pairs_planned
        return "live", _("{done} of {planned} pairs").format(done=done, planned=planned)
    return "ahead", _("if needed") if row.side == Side.RESET else ""
