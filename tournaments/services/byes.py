"""Rounds that an entry asks to sit out."""

from __future__ import annotations

from django.db import transaction

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, StageStatus
from tournaments.models import AskedBye, ByeKind, Entry, Stage, Tournament
from tournaments.services.field import (
    ROUND_BY_ROUND,
    check_not_over,
    is_in,
    lock_entry,
    make_way,
    next_round,
    rounds_planned,
)
from tournaments.services.log import note

HALF_BYES = 1
"""So many rounds of a stage an entry may sit out for half the points; the last round is none of them."""


@transaction.atomic
def ask_bye(entry_id: int, round_number: int, kind: ByeKind = ByeKind.ZERO, by: User | None = None) -> AskedBye:
    """Lets an entry sit out a round that is not drawn yet, of the stage that is on or comes first.

    Locks the tournament; raises TournamentError.
    """
    tournament, entry = lock_entry(entry_id)
    stage = _stage_of(tournament, entry)
    _check_round(stage, entry, round_number)
    if kind == ByeKind.HALF:
        _check_half(stage, entry, round_number)
    asked, is_new = AskedBye.objects.get_or_create(
        entry=entry, stage_number=stage.number, round_number=round_number, defaults={"kind": kind}
    )
    if is_new or asked.kind != kind:
        asked.kind = kind
        asked.save(update_fields=["kind"])
        _tell(stage, entry, round_number, "bye_asked", by, kind=kind)
    return asked


@transaction.atomic
def take_back_bye(entry_id: int, round_number: int, by: User | None = None) -> None:
    """Lets an entry play a round after all, if it is not drawn yet. Locks the tournament; raises TournamentError."""
    tournament, entry = lock_entry(entry_id)
    stage = _stage_of(tournament, entry)
    asked = entry.asked_byes.filter(stage_number=stage.number, round_number=round_number)
    if not asked.exists():
        return
    _check_round(stage, entry, round_number)
    asked.delete()
    _tell(stage, entry, round_number, "bye_taken_back", by)


def _tell(stage: Stage, entry: Entry, round_number: int, event: str, by: User | None, **more: str) -> None:
    if round_number == next_round(stage):
        make_way(stage, f"{entry.name}: a bye was asked for or taken back", by)
    told = {"entry": entry.public_id, "name": entry.name, "stage": stage.number, "round": round_number}
    note(stage.tournament, event, by, **told, **more)


def _stage_of(tournament: Tournament, entry: Entry) -> Stage:
    """The stage that is on or comes first; raises TournamentError where nobody can sit out a round of it."""
    check_not_over(tournament)
    stage = tournament.stages.exclude(status=StageStatus.FINISHED).order_by("number").first()
    if stage is None or stage.format not in ROUND_BY_ROUND:
        raise TournamentError(
            "bye_impossible",
            f"“{tournament}” is not drawn round by round: every table is drawn at the start, and who does not come to "
            "one forfeits it.",
        )
    if stage.status == StageStatus.RUNNING and not is_in(stage, entry):
        raise TournamentError("not_in_stage", f"{entry.name} is not in stage {stage.number}: it has no rounds there.")
    stage.tournament = tournament
    return stage


def _check_round(stage: Stage, entry: Entry, round_number: int) -> None:
    if entry.status != EntryStatus.ACTIVE:
        raise TournamentError(
            "entry_not_active", f"{entry.name} is {entry.get_status_display()}: it is in no draw, and needs no bye."
        )
    following, last = next_round(stage), rounds_planned(stage)
    first = max(following, entry.joined_round if stage.number == 1 else 1)
    if round_number < first:
        raise TournamentError(
            "round_drawn", f"Round {round_number} is drawn already: a bye can be asked for from round {first} on."
        )
    if round_number > last:
        raise TournamentError("no_such_round", f"Stage {stage.number} has {last} rounds, there is no {round_number}.")


def _check_half(stage: Stage, entry: Entry, round_number: int) -> None:
    if round_number == rounds_planned(stage):
        raise TournamentError(
            "half_bye_in_last_round", f"Round {round_number} is the last: a bye there brings nothing. Ask for that."
        )
    others = entry.asked_byes.filter(stage_number=stage.number, kind=ByeKind.HALF).exclude(round_number=round_number)
    if others.count() >= HALF_BYES:
        raise TournamentError(
            "too_many_half_byes",
            f"{entry.name} has had a bye for half the points, in round {others[0].round_number}: a further one brings "
            "nothing. Ask for that.",
        )
