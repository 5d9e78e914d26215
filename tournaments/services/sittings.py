"""Who sits where from when to when, as rows; and what is in the way where it cannot be written.

That nobody and no table is in two places at once is kept by the database, across all tournaments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from psycopg.types.range import TimestamptzRange

from matches.models import Player, PlayerKind
from tournaments.errors import TournamentError
from tournaments.models import Entry, Pairing, Sitting, Tournament, Venue, VenueTable

CLASHES_TOLD = 5


@dataclass(frozen=True, slots=True)
class Clash:
    """A player or a table that is taken already: by which event, at which of its tables, from when to when."""

    name: str
    is_table: bool
    event: str
    round: int
    table: int
    starts_at: datetime
    ends_at: datetime

    def sentence(self, zone: ZoneInfo) -> str:
        """What is in the way, with the times of that zone."""
        start, end = self.starts_at.astimezone(zone), self.ends_at.astimezone(zone)
        what = f"Table {self.name} is taken by" if self.is_table else f"{self.name} plays at"
        return f"{what} “{self.event}”, round {self.round}, table {self.table}, {start:%d.%m.%Y %H:%M}–{end:%H:%M}."


def zone_of(tournament: Tournament) -> ZoneInfo:
    """The zone that the tournament's times are told in: its venue's, or the site's."""
    return venue_zone(tournament.venue)


def venue_zone(venue: Venue | None) -> ZoneInfo:
    try:
        return ZoneInfo(venue.time_zone) if venue else ZoneInfo(timezone.get_default_timezone_name())
    except (KeyError, ValueError):  # typed wrongly; ZoneInfoNotFoundError is a KeyError
        return ZoneInfo(timezone.get_default_timezone_name())


def span(starts_at: datetime, minutes: int) -> TimestamptzRange:
    """From then on for so long; the moment of its end is free again."""
    return TimestamptzRange(starts_at, starts_at + timedelta(minutes=minutes))


def players_of(pairing: Pairing) -> list[Player]:
    """The people who sit at it. Programs are not among them: they play in many places at once."""
    entries = [seat.entry for seat in pairing.seats.all() if seat.entry is not None]
    tournament = pairing.round.stage.tournament
    return [player for entry in entries for player in _playing(entry, tournament) if player.kind == PlayerKind.PERSON]


def _playing(entry: Entry, tournament: Tournament) -> list[Player]:
    hands = entry.hands or tournament.hands
    return [member.player for member in entry.members.all() if member.position < hands]


def wanted(pairing: Pairing, during: TimestamptzRange, table: VenueTable | None) -> list[Sitting]:
    """The rows that a pairing needs at this time and table; not yet written."""
    rows = [Sitting(pairing=pairing, player=player, during=during) for player in players_of(pairing)]
    return rows + ([Sitting(pairing=pairing, table=table, during=during)] if table else [])


def replace(pairings: Sequence[Pairing], rows: Sequence[Sitting], zone: ZoneInfo) -> list[Sitting]:
    """Writes these sittings in the place of those that the pairings had; raises TournamentError for clashes.

    All or nothing: with a clash what was there before stays. Locks the players and the tables, in the order of their
    ids, so that two who plan at once wait for each other and neither fails without a reason that he is told.
    """
    _lock_places(rows)
    try:
        with transaction.atomic():
            Sitting.objects.filter(pairing__in=pairings).delete()
            return Sitting.objects.bulk_create(rows)
    except IntegrityError as error:
        found = clashing(rows, pairings)
        if not found:
            raise
        raise TournamentError("clash", _told(found, zone)) from error


def _lock_places(rows: Iterable[Sitting]) -> None:
    players = {row.player_id for row in rows if row.player_id}
    tables = {row.table_id for row in rows if row.table_id}
    list(Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk"))
    list(VenueTable.objects.select_for_update(no_key=True).filter(pk__in=tables).order_by("pk"))


def clashing(rows: Sequence[Sitting], pairings: Sequence[Pairing]) -> list[Clash]:
    """What is in the way of these sittings, those of the pairings themselves left aside. One query a time of day."""
    found: list[Clash] = []
    for during in sorted({row.during for row in rows}, key=lambda one: (one.lower, one.upper)):
        at_once = [row for row in rows if row.during == during]
        taken = Sitting.objects.filter(
            Q(player__in=[row.player_id for row in at_once if row.player_id])
            | Q(table__in=[row.table_id for row in at_once if row.table_id]),
            during__overlap=during,
        ).exclude(pairing__in=pairings)
        ordered = taken.select_related("player", "table", "pairing__round__stage__tournament").order_by("during", "id")
        found += [_clash(row) for row in ordered]
    return found


def _clash(row: Sitting) -> Clash:
    drawn = row.pairing.round
    return Clash(
        name=row.table.name if row.table else str(row.player),
        is_table=row.table is not None,
        event=drawn.stage.tournament.name,
        round=drawn.number,
        table=row.pairing.number,
        starts_at=row.during.lower,
        ends_at=row.during.upper,
    )


def _told(found: Sequence[Clash], zone: ZoneInfo) -> str:
    told = [clash.sentence(zone) for clash in found[:CLASHES_TOLD]]
    more = [f"And {len(found) - CLASHES_TOLD} more."] if len(found) > CLASHES_TOLD else []
    return " ".join([*told, *more, "Choose another time or other tables; nothing is changed."])
