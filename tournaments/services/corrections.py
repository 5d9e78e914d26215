"""Correcting what was decided, and being told beforehand what follows: every verb runs in the tournament's lock.

A corrected result is a ruling, and the version before it is kept. Draws that are made stand as they were made; seats
of a bracket are filled anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from matches.core.agreement import ReportedScore
from matches.models import Match, ScoreReport, User
from matches.services.desk import void_matches
from matches.services.reports import ReportRefused, rule
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, StageStatus, TournamentStatus
from tournaments.formats.registry import FormatKind
from tournaments.models import Pairing, PairingSeat, Stage, Tournament
from tournaments.services.advancing import MAY_GO_ON, advance, pairings_of
from tournaments.services.bracketing import is_bracket
from tournaments.services.log import note
from tournaments.services.proposing import standing_rounds
from tournaments.services.publishing import publish_locked
from tournaments.services.ranking import stage_standings
from tournaments.services.stages import format_of
from tournaments.services.state import lock
from tournaments.services.writing import DRAWN_FROM, has_begun, part_from_match

PLAYED = (RoundStatus.RELEASED, RoundStatus.CLOSED)
PREVIEWED = "a preview of a correction"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a correction brings with it, as a code and what goes with it.

    `place (entry, stage, before, after)`; `round_rests (stage, round)`: a later draw was made from the result, and
    stands; `cut_stands (stage)`: a later stage was seeded from it, and stands; `seat (stage, round, table, seat, entry
    before, entry after)` of a bracket; `match_void (match, stage, round, table)` and `played_void (…)`: made anew with
    others, the second although it was played; `reopened (status of the tournament before)`.
    """

    code: str
    values: tuple[int | str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """All that follows from a correction, in the order in which it is told. Nothing of it has happened.

    `needs_replay`: matches that were played would be void, which has to be said with `even_played`.
    """

    changes: tuple[Change, ...]

    @property
    def needs_replay(self) -> bool:
        return any(change.code == "played_void" for change in self.changes)


class _Undo(Exception):
    """Takes back what a preview tried."""


def preview(match_public_id: str, score: ReportedScore) -> Preview:
    """What would follow if this were the match's score: tried out and taken back.

    Locks the tournament for as long as that takes; raises TournamentError as `correct` does.
    """
    changes: tuple[Change, ...] = ()
    try:
        with transaction.atomic():
            pairing, tournament = _locked(match_public_id)
            before = _state(tournament)
            _rule(pairing, None, score, PREVIEWED)
            advance(tournament, even_played=True)
            changes = tuple(_changes(pairing, before, _state(tournament)))
            raise _Undo
    except _Undo:
        return Preview(changes)


@transaction.atomic
def correct(
    match_public_id: str, score: ReportedScore, reason: str, by: User | None = None, *, even_played: bool = False
) -> ScoreReport:
    """Rules how a match ended, whatever was said before, and brings everything that follows up to date.

    Where a bracket sends others to a later table, a match there that has not begun is made anew; one that has is so
    only with `even_played`, and TournamentError is raised otherwise. The same score twice changes nothing.
    """
    pairing, tournament = _locked(match_public_id)
    was = tournament.status
    ruling = _rule(pairing, by, score, reason)
    _advance(tournament, even_played)
    note(tournament, "corrected", by, match=match_public_id, version=ruling.version, reason=reason)
    _publish_again(tournament, was)
    return ruling


@transaction.atomic
def void(match_public_id: str, reason: str, by: User | None = None, *, even_played: bool = False) -> None:
    """Annuls a match for good: it counts for nothing, and in a bracket nobody goes on from it. Said twice it is
    logged once."""
    pairing, tournament = _locked(match_public_id)
    _check_reason(reason)
    was = tournament.status
    void_matches([pairing.match_id or 0], reason)
    _advance(tournament, even_played)  # also of one that was annulled elsewhere, whose table rests here
    if not tournament.events.filter(kind="annulled", payload__match=match_public_id).exists():
        note(tournament, "annulled", by, match=match_public_id, reason=reason)
    _publish_again(tournament, was)


@transaction.atomic
def reopen(match_public_id: str, reason: str, by: User | None = None, *, even_played: bool = False) -> Match:
    """Voids a match, whatever became of it, and makes another one for the same table, to be played; returns that."""
    pairing, tournament = _locked(match_public_id)
    _check_reason(reason)
    part_from_match(pairing, reason)
    Pairing.objects.filter(pk=pairing.pk).update(status=PairingStatus.OPEN)
    _advance(tournament, even_played)
    note(tournament, "match_reopened", by, match=match_public_id, reason=reason)
    again = Match.objects.filter(pairing=pairing.pk).first()
    if again is None:
        raise TournamentError("no_match", f"{pairing}: no other match can be made for this table.")
    return again


def _locked(match_public_id: str) -> tuple[Pairing, Tournament]:
    """The match's pairing as it is once its tournament is locked; raises TournamentError."""
    found = Pairing.objects.filter(match__public_id=match_public_id).select_related("match", "round__stage")
    known = found.values_list("round__stage__tournament_id", flat=True).first()
    tournament = None if known is None else lock(known)
    pairing = found.first()  # the table may have had another match made while we waited for the lock
    if tournament is None or pairing is None:
        raise TournamentError("no_such_table", f"{match_public_id} is at no table of a tournament now.")
    if tournament.status not in MAY_GO_ON:
        raise TournamentError("not_running", f"“{tournament}” is {tournament.status}: nothing of it is corrected.")
    if pairing.round.status not in PLAYED:
        raise TournamentError("not_released", f"{pairing.round} is {pairing.round.status}: nothing of it is played.")
    return pairing, tournament


def _rule(pairing: Pairing, by: User | None, score: ReportedScore, reason: str) -> ScoreReport:
    try:
        return rule(pairing.match_id or 0, by, score, reason, is_correction=True)
    except ReportRefused as refusal:
        raise TournamentError(refusal.code, str(refusal)) from refusal


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise TournamentError("reason_missing", "Say why: the page of the match shows it.")


def _advance(tournament: Tournament, even_played: bool) -> None:
    """Raises TournamentError where matches that were played stand in the way."""
    in_the_way = advance(tournament, even_played=even_played)
    if in_the_way:
        tables = ", ".join(f"{one.match}" for one in in_the_way)
        raise TournamentError(
            "played_later", f"Others would have met there, and it is played: {tables}. Say that it is to be replayed."
        )


def _publish_again(tournament: Tournament, was: str) -> None:
    """Standings that were published by themselves are so again, if the tournament is still over."""
    if was == TournamentStatus.PUBLISHED and tournament.status == was and tournament.auto_publish:
        try:
            publish_locked(tournament, None)
        except TournamentError as nothing_new:
            if nothing_new.code != "nothing_new":
                raise


@dataclass(frozen=True, slots=True)
class _State:
    """What a preview compares."""

    status: str
    places: Mapping[tuple[int, str], int]
    seats: Mapping[tuple[int, int, int, int], str | None]
    matches: Mapping[int, tuple[str, int, int, int, bool]]


def _state(tournament: Tournament) -> _State:
    stages = list(tournament.stages.exclude(status=StageStatus.PLANNED).order_by("number"))
    return _State(
        status=tournament.status,
        places={(stage.number, row.entry): row.place for stage in stages for row in stage_standings(stage)},
        seats=dict(_seats(stages)),
        matches=dict(_matches(tournament)),
    )


def _seats(stages: Sequence[Stage]) -> Iterator[tuple[tuple[int, int, int, int], str | None]]:
    """Of brackets: by stage, round, table and seat who sits there."""
    brackets = [stage for stage in stages if is_bracket(stage)]
    seats = PairingSeat.objects.filter(round__stage__in=brackets).exclude(round__status=RoundStatus.WITHDRAWN)
    columns = ("round__stage__number", "round__number", "pairing__number", "seat", "entry__public_id")
    for *place, entry in seats.order_by(*columns[:4]).values_list(*columns):
        yield (place[0], place[1], place[2], place[3]), entry


def _matches(tournament: Tournament) -> Iterator[tuple[int, tuple[str, int, int, int, bool]]]:
    for pairing in (
        pairings_of(tournament).filter(match__isnull=False).select_related("match", "round__stage").defer(*DRAWN_FROM)
    ):
        match, drawn = pairing.match, pairing.round
        if match is not None:
            yield match.pk, (match.public_id, drawn.stage.number, drawn.number, pairing.number, has_begun(match))


def _changes(pairing: Pairing, before: _State, after: _State) -> Iterator[Change]:
    if before.status != after.status:
        yield Change("reopened", (before.status,))
    for (stage, entry), place in sorted(before.places.items()):
        if place != after.places.get((stage, entry)):
            yield Change("place", (entry, stage, place, after.places.get((stage, entry))))
    yield from _resting(pairing)
    for spot, seated in sorted(before.seats.items()):
        if seated != after.seats.get(spot):
            yield Change("seat", (*spot, seated, after.seats.get(spot)))
    for match, (public_id, number, drawn, table, begun) in sorted(before.matches.items()):
        if match not in after.matches:
            yield Change("played_void" if begun else "match_void", (public_id, number, drawn, table))


def _resting(pairing: Pairing) -> Iterator[Change]:
    """Draws that were made from the result, and stand."""
    stage = pairing.round.stage
    if format_of(stage).kind is FormatKind.ROUND_BY_ROUND:
        later = standing_rounds(stage).filter(number__gt=pairing.round.number)
        yield from (Change("round_rests", (stage.number, number)) for number in later.values_list("number", flat=True))
    begun = Stage.objects.filter(tournament=stage.tournament_id, number__gt=stage.number)
    numbers = begun.exclude(status=StageStatus.PLANNED).order_by("number").values_list("number", flat=True)
    yield from (Change("cut_stands", (number,)) for number in numbers)
