"""What has happened in a stage, as the plain values that draws and standings are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from matches.models import ResultKind, ResultSeat
from tournaments.formats.lifecycle import Audience, PairingStatus, RoundStatus, SeatState
from tournaments.formats.meetings import Entrant, Kind, Meeting
from tournaments.formats.registry import Meets, meets_at
from tournaments.models import AskedBye, EntriesAre, Entry, Pairing, PairingSeat, Stage, Tournament
from tournaments.services.seeding import shields_of
from tournaments.standings.points import Count, Scheme, bye_points, points_of

IN_FORCE = (RoundStatus.RELEASED, RoundStatus.CLOSED)
"""Rounds whose results count; the others are still to be settled, or were taken back."""


def scheme_of(tournament: Tournament) -> Scheme:
    """How the tournament's meetings become points."""
    meets = meets_at(tournament.table_kind, individuals=tournament.entries_are == EntriesAre.INDIVIDUALS)
    return Scheme(
        count=Count(tournament.count),
        win=tournament.win_points,
        draw=tournament.draw_points,
        loss=tournament.loss_points,
        sides=int(tournament.table_kind) if meets is Meets.LARGE_TABLES else 2,
    )


def closed_rounds(stage: Stage) -> int:
    """How many rounds are over, from the first without a gap. One query."""
    closed = set(stage.rounds.filter(status=RoundStatus.CLOSED).values_list("number", flat=True))
    return next(number for number in range(len(closed) + 1) if number + 1 not in closed)


def entrants_of(stage: Stage) -> tuple[Entrant, ...]:
    """Who is in the stage, by number, with when each was there and whom it should not meet. Three queries."""
    rows = list(stage.stage_entries.select_related("entry").order_by("number"))
    entries = [row.entry_id for row in rows]
    shields, away = shields_of([row.entry for row in rows]), _away(stage, entries)
    return tuple(
        Entrant(
            number=row.number,
            rating=row.entry.rating or 0,
            shields=shields[row.entry_id],
            joined=row.entry.joined_round if stage.number == 1 else 1,
            left=_left(stage, row.entry),
            carried=row.carried,
            away=frozenset(away.get(row.entry_id, ())),
        )
        for row in rows
    )


def _left(stage: Stage, entry: Entry) -> int | None:
    """The first round of this stage that it is gone from; 1 if it left in a stage before."""
    if entry.left_stage is None or entry.left_stage > stage.number:
        return None
    return (entry.left_round or 1) if entry.left_stage == stage.number else 1


def _away(stage: Stage, entries: Sequence[int]) -> dict[int, list[int]]:
    """By entry: the rounds of this stage that it asked to sit out."""
    away: dict[int, list[int]] = {}
    asked = AskedBye.objects.filter(entry__in=entries, stage_number=stage.number)
    for entry, number in asked.values_list("entry_id", "round_number"):
        away.setdefault(entry, []).append(number)
    return away


@dataclass(frozen=True, slots=True)
class _Ended:
    """What the result of a match says of one side."""

    place: int
    points: int
    parties: int | None
    is_absent: bool
    kind: str


def meetings_of(stage: Stage, numbers: Mapping[int, int] | None = None) -> tuple[Meeting, ...]:
    """Every table that is decided, byes among them, in order of the draw. Four queries, however many rounds.

    `numbers`: the entrants' by their entries' keys, if the caller has them, which is one query less. What was annulled
    stands there as such, so that nobody seems to have been away. What a round brought counts once everybody may see
    the round, or it is over: the standings would tell who met whom.
    """
    if numbers is None:
        numbers = dict(stage.stage_entries.values_list("entry_id", "number"))
    pairings = list(_pairings(stage).values_list("pk", "round__number", "bye", "match_id", "status"))
    seats = _seats([pk for pk, *_ in pairings], numbers)
    results, scheme = _results([match for *_, match, _ in pairings if match]), scheme_of(stage.tournament)
    found = []
    for pk, number, bye, match, status in pairings:
        if bye and len(seats[pk]) == 1:
            (entrant, _), kind = seats[pk][0], Kind(bye)
            found.append(Meeting(number, (entrant,), (bye_points(kind, scheme),), kind))
        elif status == PairingStatus.VOID:
            found += _annulled(number, [entrant for entrant, _ in seats[pk]])
        elif match in results:
            found.append(_meeting(number, seats[pk], results[match], scheme))
    return tuple(found)


def _annulled(number: int, entrants: Sequence[int]) -> list[Meeting]:
    """Nothing, where nobody was to meet: a bracket's table that was not needed."""
    return [Meeting(number, tuple(entrants), (0,) * len(entrants), Kind.ANNULLED)] if len(entrants) > 1 else []


def _pairings(stage: Stage) -> QuerySet[Pairing]:
    public = Q(round__status=RoundStatus.CLOSED) | Q(round__audience=Audience.PUBLIC)
    counted = [PairingStatus.BYE, PairingStatus.DECIDED, PairingStatus.VOID]
    drawn = Pairing.objects.filter(public, round__stage=stage, round__status__in=IN_FORCE, status__in=counted)
    return drawn.order_by("round__number", "number")


def _seats(pairings: Sequence[int], numbers: Mapping[int, int]) -> dict[int, list[tuple[int, int]]]:
    """By pairing, in seat order: the entrant's number and its side."""
    filled = PairingSeat.objects.filter(pairing__in=pairings, state=SeatState.FILLED).order_by("pairing", "seat")
    seats: dict[int, list[tuple[int, int]]] = {pairing: [] for pairing in pairings}
    for pairing, entry, side in filled.values_list("pairing_id", "entry_id", "side"):
        seats[pairing].append((numbers[entry], side))
    return seats


def _results(matches: Sequence[int]) -> dict[int, dict[int, _Ended]]:
    """By match and side; partners' seats say the same."""
    columns = ("result_id", "side", "place", "points", "parties", "is_absent", "result__kind")
    results: dict[int, dict[int, _Ended]] = {}
    for match, side, *ended in ResultSeat.objects.filter(result__in=matches).values_list(*columns):
        results.setdefault(match, {})[side] = _Ended(*ended)
    return results


def _kind(ended: Sequence[_Ended]) -> Kind:
    """At a larger table those who came may have played it out without the one who did not."""
    came = [one for one in ended if not one.is_absent]
    was_played = len(came) > 1 and any(one.points for one in came)
    return Kind.FORFEIT if ended[0].kind == ResultKind.FORFEIT and not was_played else Kind.PLAYED


def _meeting(number: int, seats: Sequence[tuple[int, int]], ended: Mapping[int, _Ended], scheme: Scheme) -> Meeting:
    by_seat, kind = [ended[side] for _, side in seats], _kind(list(ended.values()))
    sides = tuple(side for _, side in seats)
    partners = sides if len(set(sides)) < len(sides) else ()
    places = tuple(one.place for one in by_seat)
    scores = tuple(one.points for one in by_seat)
    parties = tuple(one.parties or 0 for one in by_seat)
    absent = frozenset(seat for seat, one in enumerate(by_seat) if one.is_absent)
    return Meeting(
        round=number,
        entrants=tuple(entrant for entrant, _ in seats),
        points=points_of(kind, places, scores, parties, absent, scheme, partners),
        kind=kind,
        places=places if kind is Kind.PLAYED else (),
        scores=scores if kind is Kind.PLAYED else (),
        parties=parties if kind is Kind.PLAYED else (),
        sides=partners,
        absent=frozenset(seats[seat][0] for seat in absent),
    )
