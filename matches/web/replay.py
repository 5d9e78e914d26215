"""A revealed party as a page replays it: the table after every step, every step in words, and the score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine import Rules, Step, rules_of, steps
from matches.models import MatchSeat, Party
from matches.web.clauses import clause_words
from matches.web.moves import BidsOfSeat, Move, Names, Said, bids_of, move_of
from matches.web.sheets import ScoreSheet, score_sheet, settlement_lines
from matches.web.table_states import table_states
from matches.web.wording import PARTY_REASON, rules_words, seat_names

PLACES = {2: ("south", "north"), 3: ("south", "west", "east"), 4: ("south", "west", "north", "east")}
"""Where the seats sit around the table: clockwise from the reader, partners opposite (R6)."""
SHEET_CLAUSE = "R63"


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table: who sits there, and on which side of it."""

    index: int
    name: str
    place: str

    @property
    def is_narrow(self) -> bool:
        """Whether it shares its row of the table with another seat."""
        return self.place in ("west", "east")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rule book in one sentence."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class DealOfMoves:
    number: int
    bids: tuple[BidsOfSeat, ...]
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A record told and drawn. `clauses`: those that any of its sentences names."""

    title: str
    rules_words: str
    seats: tuple[Seat, ...]
    sides: tuple[str, ...]
    deals: tuple[DealOfMoves, ...]
    sheet: ScoreSheet
    settlement: tuple[Said, ...]
    clauses: tuple[Clause, ...]
    states: tuple[dict[str, Any], ...]
    has_bottom: bool
    totals: tuple[int, ...]
    winner: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A replay and where in its match it stands."""

    match_id: str
    party_id: str
    number: int
    board: int
    replay: Replay
    previous: int | None
    following: int | None


def replay_page(party: Party) -> ReplayPage:
    """The whole replay of a party. The caller has made sure that it `is_revealed`."""
    others = _revealed_numbers(party)
    return ReplayPage(
        match_id=party.match.public_id,
        party_id=party.public_id,
        number=party.number,
        board=party.board.number,
        replay=replay_of(party.record, _names(party)),
        previous=max((number for number in others if number < party.number), default=None),
        following=min((number for number in others if number > party.number), default=None),
    )


def _names(party: Party) -> list[str]:
    """Names in table order: the seats of the match, turned by the party's rotation."""
    seats = MatchSeat.objects.filter(match=party.match).select_related("agent__player").order_by("index")
    by_index = seat_names([seat.agent for seat in seats])
    return [by_index[party.match_seat(seat, len(by_index))] for seat in range(len(by_index))]


def replay_of(record: Mapping[str, Any], seats: Sequence[str]) -> Replay:
    """A record with the names of those at its seats."""
    rules = rules_of(record["rules"], record["overrides"])
    names = names_at_table(rules, seats)
    walked, result = steps(record), record["result"]
    deals, sheet = _deals(walked, names), score_sheet(walked, rules, names.sides)
    settlement = settlement_lines(rules, result, names.sides)
    return Replay(
        title=" – ".join(names.sides),
        rules_words=rules_words(record["rules"]),
        seats=tuple(Seat(index, name, PLACES[rules.players][index]) for index, name in enumerate(names.seats)),
        sides=names.sides,
        deals=deals,
        sheet=sheet,
        settlement=settlement,
        clauses=_clauses(deals, sheet, settlement),
        states=table_states(walked, rules, names.sides),
        has_bottom=any(step.bottom for step in walked),
        totals=tuple(result["totals"]),
        winner=names.sides[result["winner"]] if result["winner"] is not None else "",
        reason=str(PARTY_REASON.get(result["reason"], result["reason"])),
    )


def names_at_table(rules: Rules, seats: Sequence[str]) -> Names:
    """Seats and sides by name; who sits at both hands of a pair is told apart at the seats by a letter."""
    by_side = [[name for seat, name in enumerate(seats) if rules.side_of(seat) == side] for side in range(rules.sides)]
    hands = zip("AB", (seats[: rules.sides], seats[rules.sides :]), strict=False)
    told = [f"{name} ({hand})" if seats.count(name) > 1 else name for hand, half in hands for name in half]
    return Names(tuple(told), tuple(" & ".join(dict.fromkeys(side)) for side in by_side))


def _revealed_numbers(party: Party) -> list[int]:
    """The other parties of the match that can be replayed."""
    parties = Party.objects.filter(match=party.match).defer("record_json").select_related("board__match")
    return [one.number for one in parties.prefetch_related("board__parties") if one.is_revealed]


def _deals(walked: Sequence[Step], names: Names) -> tuple[DealOfMoves, ...]:
    deals, index = [], 0
    for deal, group in groupby(walked, key=lambda step: step.deal):
        of_deal = list(group)
        moves = tuple(move_of(step, number, index + number, names) for number, step in enumerate(of_deal))
        deals.append(DealOfMoves(deal + 1, bids_of(of_deal, index, names), moves))
        index += len(moves)
    return tuple(deals)


def _clauses(deals: Sequence[DealOfMoves], sheet: ScoreSheet, settlement: Sequence[Said]) -> tuple[Clause, ...]:
    said = [one for deal in deals for move in deal.moves for one in move.said]
    said += [one for deal in sheet.deals for one in deal.waiting]
    named = {one.clause for one in (*said, *settlement) if one.is_clause} | {SHEET_CLAUSE}
    return tuple(Clause(name, clause_words(name)) for name in sorted(named, key=lambda clause: int(clause[1:])))
