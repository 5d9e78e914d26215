"""Elimination at tables of three or four, each for himself: so many of a table go on, the rest is out.

From round to round those who are in are seeded anew, by their place at the last table, their points so far and their
score at the last table, then by seed; and spread over the tables like a snake. Whoever has left is replaced by the best
of those who had just been cut, so that tables stay full and the rounds are as many as were announced.

Reasons of a round: `advance (how many, asked)`: so many of each table go on, more than asked for where too few would be
left for a table otherwise; `final ()`; `cut_by_seed (number, number)`: two shared a place at the last cut, and the
first, the better seed, went on; `moved_up (number)`: in somebody's stead; `cut_to_fit (number)`: no round is left to
play this off, and the best sit at the last table; `over ()`: too few are left for a table, or the final was played;
those of `snake`. Of a table: `seeded (number, seed)` for each, the best first; of a bye: `sits_out (seed)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from tournaments.formats.meetings import Draw, Kind, Meeting, Position, Reason, Table, points_by_number
from tournaments.formats.seating import best_order, seat_counts
from tournaments.formats.settings import number
from tournaments.formats.snake import snaked

VERSION = 1
SEATS = (3, 4)
LEAST_AT_A_TABLE = 3


class ShortTables(StrEnum):
    """What becomes of those who do not fill a table of four."""

    SIT_OUT = "sit_out"
    """they are in the next round: the best, but nobody twice running where that can be helped"""
    ALLOW = "allow"
    """there are tables of three, as few as can be"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`advance`: how many of a table go on."""

    advance: int = number(2, 1, 3)
    short_tables: ShortTables = ShortTables.SIT_OUT


@dataclass(frozen=True, slots=True)
class Plan:
    """One round of so many: sizes of the tables, how many of each go on, how many sit out."""

    sizes: tuple[int, ...]
    advance: int
    sitting_out: int = 0

    @property
    def is_final(self) -> bool:
        return len(self.sizes) == 1 and not self.sitting_out

    @property
    def left(self) -> int:
        """How many are in the next round."""
        return sum(min(self.advance, size - 1) for size in self.sizes) + self.sitting_out


def plan_of(entrants: int, settings: Settings, seats: int) -> Plan | None:
    """How a round of so many is played; None where they do not fill a table.

    Every table that can be filled is; of five none is left but one of four, beside which one sits out. More go on than
    asked for where too few would be left for the next table.
    """
    least = LEAST_AT_A_TABLE if settings.short_tables is ShortTables.ALLOW else seats
    if entrants < least:
        return None
    if entrants <= seats:
        return Plan((entrants,), 1)
    short = -entrants % seats if least < seats and entrants > 5 else 0
    full = (entrants - least * short) // seats
    sizes = (seats,) * full + (least,) * short
    out = entrants - sum(sizes)
    enough = (one for one in count(settings.advance) if Plan(sizes, one, out).left >= least)
    return Plan(sizes, min(next(enough), seats - 1), out)


def plans_of(entrants: int, settings: Settings, seats: int) -> Iterator[Plan]:
    """The rounds of so many from the first to the final."""
    while plan := plan_of(entrants, settings, seats):
        yield plan
        if plan.is_final:
            return
        entrants = plan.left


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """What an organiser can do where this cannot be played; None if it can."""
    if seats not in SEATS:
        return f"Table elimination is for tables of three or four, not of {seats}: choose single elimination."
    if settings.advance >= seats:
        return f"At most {seats - 1} of a table of {seats} can go on, not {settings.advance}: let fewer go on."
    if plan_of(entrants, settings, seats) is None:
        return f"{entrants} entrants do not fill a table of {seats}: enter more."
    return None


def rounds_of(entrants: int, settings: Settings, seats: int) -> int:
    """How many rounds so many play."""
    return sum(1 for _ in plans_of(entrants, settings, seats))


def draw_next(position: Position, settings: Settings) -> Draw:
    """The tables of one more round; none where it is over before the last of the rounds announced."""
    field = _field(position, settings)
    plan = plan_of(len(field.order), settings, position.seats)
    if plan is None or field.had_its_final:
        return Draw((), (Reason("over"),))
    seeds = {one: seed for seed, one in enumerate(field.order, start=1)}
    out = _sitting_out(field.order, plan.sitting_out, _last(position))
    playing = [one for one in field.order if one not in out]
    seated, reasons = snaked(playing, plan.sizes, {one.number: one.shields for one in position.entrants})
    counts = seat_counts(position.meetings)
    tables = [
        Table(best_order(numbers, counts), reasons=tuple(Reason("seeded", (one, seeds[one])) for one in numbers))
        for numbers in seated
    ]
    byes = [Table((one,), Kind.BYE, reasons=(Reason("sits_out", (seeds[one],)),)) for one in out]
    kind = Reason("final") if plan.is_final else Reason("advance", (plan.advance, settings.advance))
    return Draw((*tables, *byes), (kind, *field.reasons, *reasons))


@dataclass(frozen=True, slots=True)
class _Field:
    """Who plays a round, seeded anew, and why."""

    order: tuple[int, ...]
    reasons: tuple[Reason, ...] = ()
    had_its_final: bool = False


def _field(position: Position, settings: Settings) -> _Field:
    last = _last(position)
    there = {one.number for one in position.there}
    if not last:  # after the first round: the one before was over already, and nobody comes back in
        return _Field(tuple(sorted(there))) if position.round == 1 else _Field((), had_its_final=True)
    drawn = [entrant for meeting in last for entrant in meeting.entrants]
    plan = plan_of(len(drawn), settings, position.seats)
    if plan is None or plan.is_final:
        return _Field(tuple(sorted(drawn)), had_its_final=True)
    seeded = _seeded_anew(position, last)
    cuts = [_cut(meeting, plan.advance) for meeting in last]
    staying = {entrant for cut in cuts for entrant in cut.staying} & there
    reasons = [Reason("cut_by_seed", cut.tied) for cut in cuts if cut.tied]
    eligible = [entrant for entrant in seeded if entrant in there and not _was_absent(entrant, last)]
    for moved in [entrant for entrant in eligible if entrant not in staying][: max(0, plan.left - len(staying))]:
        staying.add(moved)
        reasons.append(Reason("moved_up", (moved,)))
    order = tuple(entrant for entrant in seeded if entrant in staying)
    most = position.seats if position.round == position.rounds else len(order)
    reasons += [Reason("cut_to_fit", (entrant,)) for entrant in order[most:]]
    return _Field(order[:most], tuple(reasons))


_ASKED = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE})
"""Byes of those who were not drawn."""


def _last(position: Position) -> list[Meeting]:
    """The tables and byes of the round before, as they were drawn."""
    return [one for one in position.meetings if one.round == position.round - 1 and one.kind not in _ASKED]


def _seeded_anew(position: Position, last: Sequence[Meeting]) -> list[int]:
    """All who were drawn last, by place, points so far, score and seed."""
    points = points_by_number(position.entrants, position.meetings)
    keys = {
        entrant: (
            place_at(meeting, seat),
            -points.get(entrant, 0),
            -meeting.scores[seat] if meeting.scores else 0,
            entrant,
        )
        for meeting in last
        for seat, entrant in enumerate(meeting.entrants)
    }
    return sorted(keys, key=keys.__getitem__)


@dataclass(frozen=True, slots=True)
class _Cut:
    staying: tuple[int, ...]
    tied: tuple[int, ...] = ()
    """who went on and who did not, of one place"""


def _cut(meeting: Meeting, advance: int) -> _Cut:
    """Who goes on from this table: by place, and where one is shared by seed; nobody who was absent."""
    present = [
        (place_at(meeting, seat), entrant)
        for seat, entrant in enumerate(meeting.entrants)
        if entrant not in meeting.absent
    ]
    present.sort()
    most = min(advance, max(1, len(meeting.entrants) - 1))
    staying, out = present[:most], present[most:]
    tied = (staying[-1][1], out[0][1]) if staying and out and staying[-1][0] == out[0][0] else ()
    return _Cut(tuple(entrant for _, entrant in staying), tied)


def place_at(meeting: Meeting, seat: int) -> int:
    """The place at a table; where it was not played, the first for those who came, and the last for others."""
    if meeting.entrants[seat] in meeting.absent:
        return len(meeting.entrants)
    return meeting.places[seat] if meeting.places else 1


def _was_absent(entrant: int, meetings: Iterable[Meeting]) -> bool:
    return any(entrant in meeting.absent for meeting in meetings)


def _sitting_out(order: Sequence[int], many: int, last: Iterable[Meeting]) -> list[int]:
    """The best of those who did not sit out just before."""
    rested = {meeting.entrants[0] for meeting in last if meeting.kind is Kind.BYE}
    chosen = sorted(order, key=lambda entrant: (entrant in rested, order.index(entrant)))[:many]
    return sorted(chosen, key=order.index)


def places_of(numbers: Iterable[int], meetings: Sequence[Meeting]) -> dict[int, int]:
    """The places of all of these by number, as they are now: by the last round played, then by place at its table.

    Those who left the same round with the same place share one; before the final is over those who are still in share
    the first places.
    """
    reached = dict.fromkeys(numbers, (0, 0))
    for meeting in sorted(meetings, key=lambda meeting: meeting.round):
        for seat, entrant in enumerate(meeting.entrants):
            if meeting.kind not in _ASKED and entrant in reached:
                reached[entrant] = (-meeting.round, place_at(meeting, seat))
    ranks = sorted(reached.values())
    return {entrant: ranks.index(rank) + 1 for entrant, rank in sorted(reached.items())}
