"""Check-in: those who came say so, and who does not is not drawn."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, TournamentStatus
from tournaments.models import Entry, Tournament
from tournaments.services.field import lock_entry
from tournaments.services.log import note

NOT_CHECKED_IN = "not checked in"


@transaction.atomic
def check_in(entry_id: int, by: User | None = None) -> Entry:
    """Says that an entry is there. Twice is as good as once. Locks the tournament; raises TournamentError."""
    tournament, entry = _lock_for_check_in(entry_id)
    if entry.checked_in_at is None:
        entry.checked_in_at = timezone.now()
        entry.save(update_fields=["checked_in_at"])
        note(tournament, "checked_in", by, entry=entry.public_id, name=entry.name)
    return entry


@transaction.atomic
def check_out(entry_id: int, by: User | None = None) -> Entry:
    """Says that it is not there after all. Locks the tournament; raises TournamentError."""
    tournament, entry = _lock_for_check_in(entry_id)
    if entry.checked_in_at is not None:
        entry.checked_in_at = None
        entry.save(update_fields=["checked_in_at"])
        note(tournament, "checked_out", by, entry=entry.public_id, name=entry.name)
    return entry


def _lock_for_check_in(entry_id: int) -> tuple[Tournament, Entry]:
    tournament, entry = lock_entry(entry_id)
    if tournament.status != TournamentStatus.CHECK_IN:
        told = "after the start take a no-show back in" if tournament.is_frozen else "open it first"
        raise TournamentError(
            "no_check_in", f"“{tournament}” is {tournament.status}, there is no check-in now: {told}."
        )
    if entry.status != EntryStatus.ACTIVE:
        raise TournamentError(
            "entry_not_active", f"{entry.name} is {entry.get_status_display()}: take it back in before it checks in."
        )
    return tournament, entry


def close_check_in(tournament: Tournament, by: User | None = None) -> list[Entry]:
    """Makes no-shows of those who have not checked in, and returns them; nobody, if there was no check-in.

    To be called under the tournament's lock, while it still is in check-in.
    """
    if tournament.status != TournamentStatus.CHECK_IN:
        return []
    away = list(tournament.entries.filter(status=EntryStatus.ACTIVE, checked_in_at=None).order_by("number"))
    for entry in away:
        entry.status, entry.status_reason = EntryStatus.NO_SHOW, NOT_CHECKED_IN
    Entry.objects.bulk_update(away, ["status", "status_reason"], batch_size=1000)
    if away:
        note(tournament, "check_in_closed", by, no_shows=[entry.public_id for entry in away])
    return away
