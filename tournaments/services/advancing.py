"""What follows from what is decided: seats filled, rounds closed, the next one drawn, stages and tournament at an end.

Looks at rows and never at news: the same rows lead to the same state, in whatever order and however often they were
written. To be called under the tournament's lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from matches.core.agreement import forfeit_of
from matches.core.lifecycle import MatchStatus
from matches.models import Match
from matches.services.reports import rule
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import (
    Audience,
    EntryStatus,
    PairingStatus,
    RoundStatus,
    StageStatus,
    TournamentStatus,
)
from tournaments.formats.registry import FormatKind
from tournaments.models import Pairing, PairingSeat, Round, Stage, Tournament
from tournaments.services.bracketing import is_bracket, refill
from tournaments.services.log import note, tell_once
from tournaments.services.proposing import propose, rounds_planned, standing_rounds
from tournaments.services.publishing import publish_locked
from tournaments.services.qualifying import starters_of
from tournaments.services.ranking import stages_begun
from tournaments.services.releasing import confirm, release
from tournaments.services.schedule import follow
from tournaments.services.stages import format_of
from tournaments.services.starting import start_stage
from tournaments.services.state import move
from tournaments.services.writing import NOT_BEGUN, entries_of, make_matches

NOBODY_LEFT = "nobody_left"
"""The code of a draw that seats nobody: the stage is over before its last round."""
OPEN = (PairingStatus.OPEN, PairingStatus.WAITING)
DECIDED_BY = {MatchStatus.FINISHED: PairingStatus.DECIDED, MatchStatus.VOID: PairingStatus.VOID}
GOES_ON = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
MAY_GO_ON = (*GOES_ON, TournamentStatus.FINISHED, TournamentStatus.PUBLISHED)


def pairings_of(tournament: Tournament) -> QuerySet[Pairing]:
    """The pairings that stand, in every stage."""
    drawn = Pairing.objects.filter(round__stage__tournament=tournament)
    return drawn.exclude(round__status=RoundStatus.WITHDRAWN)


def advance(tournament: Tournament, *, even_played: bool = False) -> list[Pairing]:
    """Brings all that follows up to date; returns the pairings of brackets that stand in the way of a correction.

    `even_played`: see `bracketing.refill`.
    """
    in_the_way: list[Pairing] = []
    while True:
        _decide_pairings(tournament)
        if tournament.status not in MAY_GO_ON:
            _close_rounds(tournament)
            follow(tournament)
            return in_the_way
        in_the_way = _fill_brackets(tournament, even_played)
        _close_rounds(tournament)
        _make_matches(tournament)
        if not _forfeit_absent(tournament) and not _go_on(tournament):
            _tell_of_played(in_the_way)
            follow(tournament)
            return in_the_way


def _decide_pairings(tournament: Tournament) -> None:
    for match_status, pairing_status in DECIDED_BY.items():
        behind = pairings_of(tournament).filter(match__status=match_status).exclude(status=pairing_status)
        behind.update(status=pairing_status)


def _fill_brackets(tournament: Tournament, even_played: bool) -> list[Pairing]:
    in_the_way: list[Pairing] = []
    for stage in stages_begun(tournament):
        if is_bracket(stage):
            in_the_way += refill(stage, entries_of(stage), even_played=even_played)
    return in_the_way


def _tell_of_played(in_the_way: Iterable[Pairing]) -> None:
    for stage, of_stage in groupby(in_the_way, key=lambda pairing: pairing.round.stage):
        pairings = list(of_stage)
        called = ", ".join(f"round {one.round.number}, table {one.number}" for one in pairings)
        text = (
            f"A corrected result sends others to what is played already: {called}. Correct it once more, and say "
            "whether that is played again; until then nobody goes on from there."
        )
        tables = [[one.round.number, one.number] for one in pairings]
        tell_once(stage.tournament, "played_later", stage=stage.number, tables=tables, text=text)


def _make_matches(tournament: Tournament) -> None:
    """What is decided is kept where a match that follows from it cannot be made."""
    for stage in stages_begun(tournament):
        try:
            with transaction.atomic():
                make_matches(stage)
        except TournamentError as refusal:
            tell_once(tournament, "no_match", stage=stage.number, code=refusal.code, text=str(refusal))


_AWAY = [status.value for status in EntryStatus if status is not EntryStatus.ACTIVE]
_NOT_PLAYED = [*NOT_BEGUN, MatchStatus.STALLED]


def forfeited(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    """Of these the open ones that cannot be played: somebody has left, and fewer than two whole sides are there.

    Where more are, they play on without him. What is being played goes on to its end, and what people have reported is
    left to be confirmed or ruled.
    """
    gone = PairingSeat.objects.filter(pairing=OuterRef("pk"), entry__status__in=_AWAY)
    partner = PairingSeat.objects.filter(pairing=OuterRef("pairing"), side=OuterRef("side"), entry__status__in=_AWAY)
    whole = PairingSeat.objects.filter(~Exists(partner), pairing=OuterRef("pk")).order_by().values("pairing")
    sides = Coalesce(Subquery(whole.annotate(sides=Count("side", distinct=True)).values("sides")), 0)
    at_hand = pairings.filter(Exists(gone), status=PairingStatus.OPEN, match__status__in=_NOT_PLAYED)
    return at_hand.alias(whole_sides=sides).filter(whole_sides__lt=2)


def _forfeit_absent(tournament: Tournament) -> bool:
    """Rules against those who have left, at tables that cannot be played; whether there were any."""
    tables = forfeited(pairings_of(tournament)).order_by("match_id")
    locked = Match.objects.select_for_update().filter(pk__in=tables.values("match"), status__in=_NOT_PLAYED)
    quiet = list(locked.order_by("pk").values_list("pk", flat=True))  # nobody has been quicker than we
    for pairing in tables.filter(match__in=quiet).prefetch_related("seats__entry"):
        _forfeit(pairing)
    return bool(quiet)


def _forfeit(pairing: Pairing) -> None:
    seats = list(pairing.seats.all())
    away = {seat.side: seat.entry for seat in seats if seat.entry is not None and seat.entry.status in _AWAY}
    reason = "; ".join(f"{entry}: {entry.get_status_display()}" for entry in away.values())
    rule(pairing.match_id or 0, None, forfeit_of(len({seat.side for seat in seats}), sorted(away)), reason)


def _close_rounds(tournament: Tournament) -> None:
    rounds = Round.objects.filter(stage__tournament=tournament)
    undecided = Pairing.objects.filter(round__stage__tournament=tournament, status__in=OPEN).values("round")
    over = rounds.filter(status=RoundStatus.RELEASED).exclude(pk__in=undecided)
    over.update(status=RoundStatus.CLOSED, closed_at=timezone.now())
    again = rounds.filter(status=RoundStatus.CLOSED, pk__in=undecided)
    again.update(status=RoundStatus.RELEASED, closed_at=None)


def _go_on(tournament: Tournament) -> bool:
    """One step of the chain of stages; whether there was one."""
    _reopen(tournament)
    stage = tournament.stages.exclude(status=StageStatus.FINISHED).order_by("number").first()
    if stage is None:
        _finish(tournament)
        return False
    stage.tournament = tournament
    if stage.status == StageStatus.PLANNED:
        return tournament.status in GOES_ON and _start(stage)
    if not is_over(stage):
        return _draw_next(stage)
    finish_stage(stage)
    return True


def _reopen(tournament: Tournament) -> None:
    """After a correction: stages that have something to play again, and with them the tournament."""
    undecided = pairings_of(tournament).filter(status__in=OPEN)
    stages = tournament.stages.filter(status=StageStatus.FINISHED, pk__in=undecided.values("round__stage"))
    if not stages.exists():
        return
    for stage in stages:
        note(tournament, "stage_reopened", None, stage=stage.number)
    stages.update(status=StageStatus.RUNNING, finished_at=None)
    if tournament.status not in GOES_ON:
        move(tournament, TournamentStatus.RUNNING)
        note(tournament, "reopened", None)


def is_over(stage: Stage) -> bool:
    """Whether every round that the stage has is closed; of one that was ended early, those that it had then."""
    rounds = list(stage.rounds.values_list("number", "status"))
    standing = {number: status for number, status in rounds if status != RoundStatus.WITHDRAWN}
    if set(standing.values()) - {RoundStatus.CLOSED}:
        return False
    if stage.ended_with is not None:
        return len(standing) >= stage.ended_with
    if {number for number, _ in rounds} != set(standing) or not standing:
        return False
    if format_of(stage).kind is not FormatKind.ROUND_BY_ROUND:
        return True
    return max(standing) >= rounds_planned(stage, stage.stage_entries.count())


def _draw_next(stage: Stage) -> bool:
    """Proposes the next round of a stage that is drawn round by round, and releases it where that goes by itself.

    Where it cannot be drawn or played nothing of it is kept, and the organiser is told.
    """
    if format_of(stage).kind is not FormatKind.ROUND_BY_ROUND:
        return False
    if standing_rounds(stage).exclude(status__in=[RoundStatus.CLOSED, RoundStatus.PROPOSED]).exists():
        return False
    try:
        with transaction.atomic():
            before = stage.rounds.count()
            drawn = propose(stage)
            if stage.rounds.count() > before:
                _note_of(drawn, "round_proposed")
            if not stage.tournament.auto_draw or _is_for_the_organiser(drawn):
                return False
            confirm(drawn)
            _note_of(drawn, "round_confirmed", violations=[])
            release(drawn, Audience.PUBLIC)
            _note_of(drawn, "round_released", audience=Audience.PUBLIC)
    except TournamentError as none:
        if none.code == NOBODY_LEFT:
            finish_stage(stage)
            return True
        tell_once(stage.tournament, "no_draw", stage=stage.number, code=none.code, text=str(none))
        return False
    return True


def _note_of(drawn: Round, kind: str, **told: Any) -> None:
    """What went by itself is in the log as what an organiser does, with nobody's name."""
    note(drawn.stage.tournament, kind, None, stage=drawn.stage.number, round=drawn.number, **told)


def _is_for_the_organiser(drawn: Round) -> bool:
    """Whether he took a draw of this round back: the lots draw the same again, and he may want another one."""
    taken_back = drawn.stage.tournament.events.filter(kind="round_taken_back", payload__is_by_hand=True)
    return taken_back.filter(payload__stage=drawn.stage.number, payload__round=drawn.number).exists()


def finish_stage(stage: Stage) -> None:
    """Ends a stage; what follows is for `advance`."""
    stage.status, stage.finished_at = StageStatus.FINISHED, timezone.now()
    stage.save(update_fields=["status", "finished_at"])
    note(stage.tournament, "stage_finished", None, stage=stage.number)


def _start(stage: Stage) -> bool:
    """Begins the next stage with those who go on; whether it could."""
    try:
        with transaction.atomic():
            start_stage(stage, starters_of(stage))
    except TournamentError as refusal:
        told = {"stage": stage.number, "code": refusal.code, "text": str(refusal)}
        tell_once(stage.tournament, "stage_cannot_start", **told)
        return False
    return True


def _finish(tournament: Tournament) -> None:
    if tournament.status not in GOES_ON:
        return
    move(tournament, TournamentStatus.FINISHED)
    note(tournament, "finished", None)
    if tournament.auto_publish:
        publish_locked(tournament, None)
