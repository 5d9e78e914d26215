"""In which order entries go into a stage, and which of them are to be kept apart there."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Seeding
from tournaments.formats.lots import Lots
from tournaments.models import Entry, EntryMember, StandingsSnapshot, Tournament


def order_of(
    tournament: Tournament,
    entries: Sequence[Entry],
    seeding: Seeding,
    lots: Lots,
    snapshot: StandingsSnapshot | None = None,
) -> list[Entry]:
    """The entries as they are seeded, the best first; the same for the same rows, in whatever order they come.

    Without a rating one is behind all who have one, and the lot orders those whose ratings are equal. `snapshot`: the
    standings that EARLIER goes by; who is not in them comes last, by number. Raises TournamentError for EARLIER without
    a snapshot.
    """
    numbered = sorted(entries, key=lambda entry: entry.number)
    match seeding:
        case Seeding.ENTERED:
            return numbered
        case Seeding.LOT:
            return _by_lot(numbered, lots)
        case Seeding.RATING:
            return sorted(_by_lot(numbered, lots), key=lambda entry: -(entry.rating or 0))
        case Seeding.EARLIER:
            return _by_standings(tournament, numbered, snapshot)


def _by_lot(entries: Sequence[Entry], lots: Lots) -> list[Entry]:
    by_number = {entry.number: entry for entry in entries}
    return [by_number[number] for number in lots.order("seeding", by_number)]


def _by_standings(tournament: Tournament, entries: Sequence[Entry], snapshot: StandingsSnapshot | None) -> list[Entry]:
    """Rows of a snapshot are in order; where a place is shared, the lots that ordered them there order them here."""
    if snapshot is None:
        raise TournamentError(
            "no_standings_to_seed_by",
            f"“{tournament}” has no standings of an earlier stage to seed by: seed as entered, by rating or by lot.",
        )
    stood = {row["entry"]: position for position, row in enumerate(snapshot.rows)}
    return sorted(entries, key=lambda entry: stood.get(entry.public_id, len(stood)))


def shields_of(entries: Sequence[Entry]) -> dict[int, frozenset[str]]:
    """By entry: what keeps it apart from others with the same, the owners of its members' players and its club.

    One query, however many entries.
    """
    owned = EntryMember.objects.filter(entry__in=[entry.pk for entry in entries], player__owner__isnull=False)
    shields = {entry.pk: {f"club:{_plain(entry.club)}"} if entry.club.strip() else set() for entry in entries}
    for entry, owner in owned.values_list("entry_id", "player__owner_id"):
        shields[entry].add(f"owner:{owner}")
    return {entry: frozenset(found) for entry, found in shields.items()}


def _plain(club: str) -> str:
    """One club, however it was typed."""
    return " ".join(unicodedata.normalize("NFKC", club).casefold().split())
