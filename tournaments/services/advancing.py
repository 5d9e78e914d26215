"""What follows from what is decided: seats filled, rounds closed, the next one drawn, stages and tournament at an end.

Looks at rows and never at news: the same rows lead to the same state, in whatever order and however often they were
written. To be called under the tournament's lock.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from matches.core.agreement import forfeit_of
from matches.core.lifecycle import OVER, MatchStatus
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
from tournaments.services.log import note
from tournaments.services.proposing import IN_PROGRESS, propose, rounds_planned, standing_rounds
from tournaments.services.publishing import publish_locked
from tournaments.services.qualifying import starters_of
from tournaments.services.releasing import confirm, release
from tournaments.services.schedule import follow
from tournaments.services.stages import format_of
from tournaments.services.starting import start_stage
from tournaments.services.state import move
from tournaments.services.writing import entries_of, make_matches

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
            follow(tournament)
            return in_the_way


def _decide_pairings(tournament: Tournament) -> None:
    for match_status, pairing_status in DECIDED_BY.items():
        behind = pairings_of(tournament).filter(match__status=match_status).exclude(status=pairing_status)
        behind.update(status=pairing_status)


def _begun(tournament: Tournament) -> Iterator[Stage]:
    for stage in tournament.stages.exclude(status=StageStatus.PLANNED).order_by("number"):
        stage.tournament = tournament
        yield stage


def _fill_brackets(tournament: Tournament, even_played: bool) -> list[Pairing]:
    in_the_way: list[Pairing] = []
    for stage in _begun(tournament):
        if is_bracket(stage):
            in_the_way += refill(stage, entries_of(stage), even_played=even_played)
    return in_the_way


def _make_matches(tournament: Tournament) -> None:
    for stage in _begun(tournament):
        make_matches(stage)


def _forfeit_absent(tournament: Tournament) -> bool:
    """Rules against those who have left, at tables that are still open; whether there were any."""
    absent = PairingSeat.objects.filter(pairing=OuterRef("pk"), entry__status__in=_AWAY)
    of_absent = pairings_of(tournament).filter(Exists(absent), status=PairingStatus.OPEN, match__isnull=False)
    still_open = of_absent.exclude(match__status__in=sorted(OVER)).order_by("pk")
    pairings = list(still_open.select_related("match").prefetch_related("seats__entry"))
    for pairing in pairings:
        _forfeit(pairing)
    return bool(pairings)


_AWAY = [status.value for status in EntryStatus if status is not EntryStatus.ACTIVE]


def _forfeit(pairing: Pairing) -> None:
    seats = list(pairing.seats.all())
    away = {seat.side: seat.entry for seat in seats if seat.entry is not None and seat.entry.status in _AWAY}
    reason = "; ".join(f"{entry}: {entry.get_status_display()}" for entry in away.values())
    if pairing.match is not None:
        rule(pairing.match.pk, None, forfeit_of(len({seat.side for seat in seats}), sorted(away)), reason)


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
    """Whether every round that the stage has is closed."""
    rounds = list(stage.rounds.values_list("number", "status"))
    standing = {number: status for number, status in rounds if status != RoundStatus.WITHDRAWN}
    if {number for number, _ in rounds} != set(standing) or not standing:
        return False
    if set(standing.values()) != {RoundStatus.CLOSED}:
        return False
    if format_of(stage).kind is not FormatKind.ROUND_BY_ROUND:
        return True
    return max(standing) >= rounds_planned(stage, stage.stage_entries.count())


def _draw_next(stage: Stage) -> bool:
    """Proposes the next round of a stage that is drawn round by round, and releases it where that goes by itself."""
    latest = standing_rounds(stage).last()
    if format_of(stage).kind is not FormatKind.ROUND_BY_ROUND:
        return False
    if latest is not None and latest.status in IN_PROGRESS and latest.status != RoundStatus.PROPOSED:
        return False
    try:
        with transaction.atomic():
            drawn = propose(stage)
    except TournamentError as none:
        _tell_once(stage, "no_draw", code=none.code, text=str(none))
        return False
    if stage.tournament.auto_draw:
        confirm(drawn)
        release(drawn, Audience.PUBLIC)
        return True
    return False


def _tell_once(stage: Stage, kind: str, **payload: str) -> None:
    """Logs what the organiser has to look after, unless it is the last thing that was logged."""
    latest = stage.tournament.events.order_by("-id").first()
    told = {"stage": stage.number, **payload}
    if latest is None or (latest.kind, latest.payload) != (kind, told):
        note(stage.tournament, kind, None, **told)


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
        _tell_once(stage, "stage_cannot_start", code=refusal.code, text=str(refusal))
        return False
    return True


def _finish(tournament: Tournament) -> None:
    if tournament.status not in GOES_ON:
        return
    move(tournament, TournamentStatus.FINISHED)
    note(tournament, "finished", None)
    if tournament.auto_publish:
        publish_locked(tournament, None)
