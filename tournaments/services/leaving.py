"""Entries that go while there is play: withdrawn, not come, expelled; and those that are taken back in."""

from __future__ import annotations

from django.db import transaction

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, TournamentStatus, may_entry_move
from tournaments.models import Entry, Stage, Tournament
from tournaments.services.advancing import advance
from tournaments.services.field import check_not_over, current_stage, gone_from, is_in, join, lock_entry, make_way
from tournaments.services.log import note

_BEFORE_ANYBODY_COMES = (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION)


def withdraw(entry_id: int, reason: str = "", by: User | None = None) -> Entry:
    """Lets an entry go by its own wish: it is in no later draw, and what it played stands. Locks the tournament."""
    return _go(entry_id, EntryStatus.WITHDRAWN, reason, by)


def no_show(entry_id: int, reason: str = "", by: User | None = None) -> Entry:
    """Says that an entry did not come: it is in no draw until it is taken back in. Locks the tournament."""
    return _go(entry_id, EntryStatus.NO_SHOW, reason, by)


def expel(entry_id: int, reason: str, by: User | None = None) -> Entry:
    """Puts an entry out; what it played stands unless the organiser rules otherwise. Locks the tournament."""
    if not reason.strip():
        raise TournamentError("reason_missing", "Say why it is expelled: the list of entries shows it.")
    return _go(entry_id, EntryStatus.EXPELLED, reason, by)


@transaction.atomic
def _go(entry_id: int, new: EntryStatus, reason: str, by: User | None) -> Entry:
    tournament, entry = lock_entry(entry_id)
    if entry.status == new:
        return entry
    _check_move(tournament, entry, new)
    was_active = entry.status == EntryStatus.ACTIVE
    entry.status, entry.status_reason = new, reason.strip()[:200]
    stage = current_stage(tournament)
    if was_active and stage is not None and is_in(stage, entry):
        make_way(stage, f"{entry.name}: {entry.get_status_display()}", by)
        entry.left_stage, entry.left_round = stage.number, gone_from(stage, entry)
    entry.save(update_fields=["status", "status_reason", "left_stage", "left_round"])
    note(tournament, new, by, entry=entry.public_id, name=entry.name, reason=entry.status_reason)
    if was_active:
        _follow(tournament)
    return entry


def _follow(tournament: Tournament) -> None:
    """Whoever sits opposite need not wait: tables of somebody who has left are ruled, with all that follows; and what
    was proposed for others is drawn anew."""
    if tournament.is_frozen:
        advance(tournament)


@transaction.atomic
def reinstate(entry_id: int, by: User | None = None) -> Entry:
    """Takes an entry back in, from the next draw on: rounds that it missed bring it nothing, and forfeits stand.

    One that was not there at the start joins as a late entry does, whatever round late entries end with. Locks the
    tournament; raises TournamentError.
    """
    tournament, entry = lock_entry(entry_id)
    if entry.status == EntryStatus.ACTIVE:
        return entry
    _check_move(tournament, entry, EntryStatus.ACTIVE)
    stage = current_stage(tournament)
    if stage is not None:
        _take_back_in(stage, entry, by)
    entry.status, entry.status_reason = EntryStatus.ACTIVE, ""
    entry.left_stage = entry.left_round = None
    entry.save(update_fields=["status", "status_reason", "left_stage", "left_round"])
    note(tournament, "reinstated", by, entry=entry.public_id, name=entry.name)
    _follow(tournament)
    return entry


def _take_back_in(stage: Stage, entry: Entry, by: User | None) -> None:
    if is_in(stage, entry):
        make_way(stage, f"{entry.name} is back", by)
    elif entry.stage_entries.exists():
        raise TournamentError(
            "stage_without_it",
            f"Stage {stage.number} began without {entry.name}, and its places are taken: it cannot come back.",
        )
    else:
        join(stage, entry)


def _check_move(tournament: Tournament, entry: Entry, new: EntryStatus) -> None:
    check_not_over(tournament)
    if new == EntryStatus.NO_SHOW and tournament.status in _BEFORE_ANYBODY_COMES:
        raise TournamentError(
            "too_early", f"“{tournament}” is {tournament.status}: nobody has to be there yet. Withdraw {entry.name}."
        )
    old = EntryStatus(entry.status)
    if not may_entry_move(old, new):
        raise TournamentError(
            "illegal_move",
            f"{entry.name} is {entry.get_status_display()}; from there it cannot become {new.replace('_', ' ')}: "
            "take it back in first.",
        )
