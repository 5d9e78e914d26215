"""Brackets as rows: written whole at the start, and filled by folding all decided matches, never step by step.

The k-th pairing of a stage, by round and table, is match k of its bracket, and its table has that number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from matches.core.lifecycle import MatchStatus
from matches.models import ResultSeat
from tournaments.formats.brackets import (
    LOSER,
    WINNER,
    Bracket,
    BracketMatch,
    Decision,
    Nobody,
    Place,
    Seed,
    Slot,
    SlotState,
    filled,
)
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, SeatState
from tournaments.formats.meetings import Kind
from tournaments.formats.positions import format_bracket_round
from tournaments.formats.registry import FormatKind
from tournaments.models import Feed, FeedKind, Pairing, PairingSeat, Round, Stage
from tournaments.services.stages import format_of, settings_of
from tournaments.services.writing import DRAWN_FROM, Numbered, has_begun, part_from_match

LEVEL = "level_better_seed"
"""The reason at a table that ended level in all that was counted: somebody has to go on, and the better seed does."""
ANEW = "a result before it was corrected, and others meet here"

Seats = tuple[Slot, ...]


def is_bracket(stage: Stage) -> bool:
    return format_of(stage).kind is FormatKind.BRACKET


def bracket_of(stage: Stage) -> Bracket:
    """The bracket of a stage that has begun."""
    drawn = format_of(stage).bracket_of
    if drawn is None:
        raise ValueError(f"{stage} is no bracket.")
    return drawn(stage.stage_entries.count(), settings_of(stage))


def pairings_of(stage: Stage) -> list[Pairing]:
    """The pairings in order of the bracket's matches, with their matches and seats. Two queries."""
    drawn = Pairing.objects.filter(round__stage=stage).exclude(round__status=RoundStatus.WITHDRAWN)
    ordered = drawn.select_related("match", "round").prefetch_related("seats").order_by("round__number", "number")
    return list(ordered.defer(*DRAWN_FROM))


def decisions_of(stage: Stage, pairings: Sequence[Pairing] | None = None) -> dict[int, Decision]:
    """What is decided, by match of the bracket: from results, and from matches that were annulled."""
    pairings = pairings_of(stage) if pairings is None else pairings
    numbers = dict(stage.stage_entries.values_list("entry_id", "number"))
    results = _results(pairings)
    decisions = {}
    for number, pairing in enumerate(pairings, start=1):
        met = tuple(numbers.get(seat.entry_id or 0, 0) for seat in pairing.seats.all())
        if pairing.match is None or not all(met):
            continue
        if pairing.match.status == MatchStatus.VOID:
            decisions[number] = Decision((), met)
        elif pairing.match_id in results:
            decisions[number] = Decision(_places(results[pairing.match_id], met), met)
    return decisions


Ended = tuple[int, int, int]
"""A side's place, and its card points and parties, less than nothing so that less is better."""


def _results(pairings: Sequence[Pairing]) -> dict[int, dict[int, Ended]]:
    """By match and side how it ended."""
    over = [one.match_id for one in pairings if one.match is not None and one.match.status == MatchStatus.FINISHED]
    sides: dict[int, dict[int, Ended]] = {}
    columns = ("result_id", "side", "place", "card_points", "parties")
    for match, side, place, card_points, parties in ResultSeat.objects.filter(result__in=over).values_list(*columns):
        sides.setdefault(match, {})[side] = (place, -card_points, -(parties or 0))
    return sides


def _places(ended: Mapping[int, Ended], met: tuple[int, ...]) -> tuple[int, ...]:
    """1 for the one who goes on: more card points, then more parties, then the better seed decide what ended level."""
    if all(place > WINNER for place, *_ in ended.values()):
        return (LOSER,) * len(met)
    first = min(range(len(met)), key=lambda side: (ended[side], met[side]))
    return tuple(WINNER if side == first else LOSER for side in range(len(met)))


def write_bracket(stage: Stage, entries: Numbered, **columns: Any) -> None:
    """Writes every round with its pairings, seats and feeds; `columns` are the rounds' own."""
    bracket = bracket_of(stage)
    slots = filled(bracket, {})
    pairings: dict[int, Pairing] = {}
    for number, group in groupby(bracket.matches, key=lambda match: match.round):
        matches = list(group)
        draw = format_bracket_round(bracket, number)
        drawn = Round.objects.create(stage=stage, number=number, part=matches[-1].part.value, draw=draw, **columns)
        _write_pairings(drawn, matches, slots, pairings)
        _write_seats(drawn, matches, slots, pairings, entries)


def _write_pairings(
    drawn: Round, matches: Sequence[BracketMatch], slots: Mapping[int, Seats], pairings: dict[int, Pairing]
) -> None:
    """Adds the round's to `pairings`, which has those of the rounds before."""
    rows = []
    for match in matches:
        status, bye = _standing(slots[match.number], None)
        earlier = None if match.conditional_on is None else pairings[match.conditional_on]
        rows.append(Pairing(round=drawn, number=match.number, status=status, bye=bye, conditional_on=earlier))
    written = Pairing.objects.bulk_create(rows)
    pairings.update({match.number: row for match, row in zip(matches, written, strict=True)})


def _write_seats(
    drawn: Round,
    matches: Sequence[BracketMatch],
    slots: Mapping[int, Seats],
    pairings: Mapping[int, Pairing],
    entries: Numbered,
) -> None:
    seats, sources = [], []
    for match in matches:
        for index, (slot, source) in enumerate(zip(slots[match.number], match.sources, strict=True)):
            pairing, (state, entry) = pairings[match.number], _seated(slot, entries)
            seats.append(PairingSeat(round=drawn, pairing=pairing, seat=index, side=index, entry=entry, state=state))
            sources.append(source)
    written = PairingSeat.objects.bulk_create(seats)
    feeds = (
        _feed(seat, source, pairings)
        for seat, source in zip(written, sources, strict=True)
        if not isinstance(source, Nobody)
    )
    Feed.objects.bulk_create(feeds)


def _feed(seat: PairingSeat, source: Seed | Place, pairings: Mapping[int, Pairing]) -> Feed:
    if isinstance(source, Seed):
        return Feed(seat=seat, kind=FeedKind.STAGE_PLACE, place=source.number)
    return Feed(seat=seat, kind=FeedKind.MATCH_PLACE, source=pairings[source.match], place=source.place)


def _seated(slot: Slot, entries: Numbered) -> tuple[SeatState, Any]:
    if slot.state is SlotState.FILLED and slot.entrant is not None:
        return SeatState.FILLED, entries[slot.entrant]
    return SeatState(slot.state.value), None


def _standing(seats: Seats, match: MatchStatus | None) -> tuple[PairingStatus, str]:
    """A pairing's status as its seats and its match have it, and the kind of its bye."""
    states = [slot.state for slot in seats]
    if SlotState.OPEN in states:
        return PairingStatus.WAITING, ""
    there = states.count(SlotState.FILLED)
    if there == 1:
        return PairingStatus.BYE, Kind.BYE.value
    if there == 0 or match is MatchStatus.VOID:
        return PairingStatus.VOID, ""
    return (PairingStatus.DECIDED if match is MatchStatus.FINISHED else PairingStatus.OPEN), ""


def refill(stage: Stage, entries: Numbered, *, even_played: bool = False) -> list[Pairing]:
    """Brings seats and pairings up to date with all that is decided; returns those that stand in the way.

    Where a correction sends somebody else to a table, a match that has not begun there is voided and made anew. One
    that has begun stays, and with it all that follows from the same results, unless `even_played`: then it is voided
    too, and kept beside the pairing. To be called under the tournament's lock.
    """
    bracket, pairings = bracket_of(stage), dict(enumerate(pairings_of(stage), start=1))
    slots = filled(bracket, decisions_of(stage, list(pairings.values())))
    numbers = dict(stage.stage_entries.values_list("entry_id", "number"))
    changed = [number for number, pairing in pairings.items() if _differs(pairing, slots[number], numbers)]
    in_the_way = [] if even_played else [number for number in changed if _is_played(pairings[number])]
    kept = _following(bracket, in_the_way, pairings, slots, numbers)
    again = [(pairings[number], slots[number]) for number in changed if number not in kept]
    for pairing, _ in again:
        part_from_match(pairing, ANEW)
    _reseat(again, entries)
    _restate(bracket, {number: one for number, one in pairings.items() if number not in kept}, slots, numbers)
    return [pairings[number] for number in in_the_way]


def _following(
    bracket: Bracket,
    in_the_way: Sequence[int],
    pairings: Mapping[int, Pairing],
    slots: Mapping[int, Seats],
    numbers: Mapping[int, int],
) -> set[int]:
    """The matches in the way, and all that follows from the results that would send others there.

    What the loser of such a result goes on to is among them: he has played on as its winner.
    """
    corrected = {
        source.match
        for number in in_the_way
        for seat, slot, source in zip(
            pairings[number].seats.all(), slots[number], bracket.by_number[number].sources, strict=True
        )
        if isinstance(source, Place) and _is_other(seat, slot, numbers)
    }
    kept = set(in_the_way)
    for match in bracket.matches:
        before = {source.match for source in match.sources if isinstance(source, Place)} | {match.conditional_on}
        if before & (corrected | kept):
            kept.add(match.number)
    return kept


def _differs(pairing: Pairing, slots: Seats, numbers: Mapping[int, int]) -> bool:
    return any(_is_other(seat, slot, numbers) for seat, slot in zip(pairing.seats.all(), slots, strict=True))


def _is_other(seat: PairingSeat, slot: Slot, numbers: Mapping[int, int]) -> bool:
    wanted = slot.entrant if slot.state is SlotState.FILLED else None
    return (seat.state, numbers.get(seat.entry_id or 0)) != (slot.state.value, wanted)


def _is_played(pairing: Pairing) -> bool:
    return pairing.match is not None and pairing.match.status != MatchStatus.VOID and has_begun(pairing.match)


def _reseat(changed: Sequence[tuple[Pairing, Seats]], entries: Numbered) -> None:
    """All seats are emptied before any is filled: two who change places must not sit twice in a round meanwhile."""
    seats = [(seat, slot) for pairing, slots in changed for seat, slot in zip(pairing.seats.all(), slots, strict=True)]
    if not seats:
        return
    PairingSeat.objects.filter(pk__in=[seat.pk for seat, _ in seats]).update(entry=None, state=SeatState.OPEN)
    for seat, slot in seats:
        seat.state, seat.entry = _seated(slot, entries)
    # a pairing that waits or has a bye has no match, and its row says so before
    PairingSeat.objects.bulk_update([seat for seat, _ in seats], ["entry", "state"], batch_size=500)


def _restate(
    bracket: Bracket, pairings: Mapping[int, Pairing], slots: Mapping[int, Seats], numbers: Mapping[int, int]
) -> None:
    results = _results(list(pairings.values()))
    behind = []
    for number, pairing in pairings.items():
        status = None if pairing.match is None else MatchStatus(pairing.match.status)
        now = (*_standing(slots[number], status), list(_reasons(bracket, pairing, results, numbers)))
        if now != (pairing.status, pairing.bye, pairing.reasons):
            pairing.status, pairing.bye, pairing.reasons = now
            behind.append(pairing)
    Pairing.objects.bulk_update(behind, ["status", "bye", "reasons"], batch_size=500)


def _reasons(
    bracket: Bracket, pairing: Pairing, results: Mapping[int, Mapping[int, Ended]], numbers: Mapping[int, int]
) -> Iterator[list[Any]]:
    """Those that the draw gave, and that a level table sent the better seed on."""
    yield from (reason for reason in pairing.reasons if reason[0] != LEVEL)
    ended = list(results.get(pairing.match_id or 0, {}).values())
    if bracket.by_points or not ended:
        return
    best = min(ended)
    if best[0] == WINNER and ended.count(best) > 1:
        level = [seat.entry_id for seat in pairing.seats.all()]
        yield [LEVEL, min(numbers[entry] for entry in level if entry is not None)]
