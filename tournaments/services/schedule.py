"""Times and tables: a round planned at a venue, one meeting moved, the plan brought up to date with the draws."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.postgres.fields import DateTimeRangeField
from django.db import transaction
from django.db.models import F, Func, Value
from django.utils import timezone
from psycopg.types.range import TimestamptzRange

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Pairing, Round, Sitting, Tournament, VenueTable
from tournaments.services.log import note
from tournaments.services.sittings import Clash, clashing, players_of, replace, span, wanted, zone_of
from tournaments.services.state import lock

LONGEST_MINUTES = 24 * 60
TO_PLAY = (PairingStatus.OPEN, PairingStatus.WAITING)


@transaction.atomic
def plan_round(
    round_id: int,
    starts_at: datetime,
    minutes: int,
    tables: Sequence[int] | None = None,
    by: User | None = None,
) -> list[Sitting]:
    """Gives a round its time and its meetings tables, the first of the draw the first table; planned again it moves.

    `tables`: primary keys of venue tables in that order, by default those of the tournament's venue; without a venue
    only people get their time. Meetings that are decided keep theirs. Locks the tournament, the players and the tables;
    raises TournamentError that names who or what is taken elsewhere, and then nothing is changed.
    """
    drawn = _lock(round_id)
    during = _checked(drawn, starts_at, minutes)
    pairings = _to_plan(drawn)
    rows = _rows(pairings, _tables(drawn, pairings, tables), during)
    written = replace(pairings, rows, zone_of(drawn.stage.tournament))
    drawn.starts_at, drawn.minutes = starts_at, minutes
    drawn.save(update_fields=["starts_at", "minutes"])
    _note(drawn, "round_scheduled", by, starts_at=starts_at.isoformat(), minutes=minutes)
    return written


def clashes(round_id: int, starts_at: datetime, minutes: int, tables: Sequence[int] | None = None) -> list[Clash]:
    """What would be in the way of `plan_round`; changes nothing. Raises TournamentError for what is no plan at all."""
    drawn = Round.objects.select_related("stage__tournament__venue").get(pk=round_id)
    during = _checked(drawn, starts_at, minutes)
    pairings = _to_plan(drawn)
    return clashing(_rows(pairings, _tables(drawn, pairings, tables), during), pairings)


@transaction.atomic
def move_pairing(
    pairing_id: int,
    starts_at: datetime | None = None,
    minutes: int | None = None,
    table: int | None = None,
    by: User | None = None,
) -> list[Sitting]:
    """Gives one meeting a time or a table of its own; what is not given stays. Locks and raises as `plan_round`."""
    round_id = Pairing.objects.values_list("round_id", flat=True).get(pk=pairing_id)
    drawn = _lock(round_id)
    pairing = _to_plan(drawn, pairing_id)[0]
    held = pairing.sittings.select_related("table").first()
    begins, length = _time_of(drawn, held)
    starts_at, minutes = starts_at or begins, minutes or length
    if starts_at is None or minutes is None:
        raise TournamentError("no_time", f"Round {drawn.number} has no time yet: plan it, or say when this begins.")
    rows = wanted(pairing, _checked(drawn, starts_at, minutes), _table(pairing, table))
    if not rows:
        raise TournamentError(
            "nothing_to_plan", f"Table {pairing.number} is played by programs: it needs no time, unless at a table."
        )
    written = replace([pairing], rows, zone_of(drawn.stage.tournament))
    _note(drawn, "pairing_moved", by, table=pairing.number, starts_at=starts_at.isoformat(), minutes=minutes)
    return written


@transaction.atomic
def clear(round_id: int, by: User | None = None) -> None:
    """Takes a round's times and tables away. Locks the tournament."""
    drawn = _lock(round_id)
    if drawn.starts_at is None and not Sitting.objects.filter(pairing__round=drawn).exists():
        return
    Sitting.objects.filter(pairing__round=drawn).delete()
    drawn.starts_at = drawn.minutes = None
    drawn.save(update_fields=["starts_at", "minutes"])
    _note(drawn, "schedule_cleared", by)


def _lock(round_id: int) -> Round:
    tournament = lock(Round.objects.values_list("stage__tournament_id", flat=True).get(pk=round_id))
    drawn = Round.objects.select_related("stage").get(pk=round_id)
    drawn.stage.tournament = tournament
    return drawn


def _note(drawn: Round, kind: str, by: User | None, **payload: object) -> None:
    note(drawn.stage.tournament, kind, by, stage=drawn.stage.number, round=drawn.number, **payload)


def _checked(drawn: Round, starts_at: datetime, minutes: int) -> TimestamptzRange:
    """The time as a range; raises TournamentError for a round that is over and for what is no time."""
    if drawn.status in (RoundStatus.CLOSED, RoundStatus.WITHDRAWN):
        raise TournamentError("round_over", f"Round {drawn.number} is {drawn.status}: it needs no time any more.")
    if timezone.is_naive(starts_at):
        raise TournamentError("bad_time", f"{starts_at:%d.%m.%Y %H:%M} may be anywhere: say in which time zone.")
    if not 0 < minutes <= LONGEST_MINUTES:
        raise TournamentError("bad_time", f"{minutes} minutes: expected 1 to {LONGEST_MINUTES}.")
    return span(starts_at, minutes)


def _to_plan(drawn: Round, pairing_id: int | None = None) -> list[Pairing]:
    """The meetings that are still to be played, in order of the draw, with all that `players_of` reads."""
    pairings = drawn.pairings.filter(status__in=TO_PLAY).order_by("number")
    if pairing_id is not None:
        pairings = pairings.filter(pk=pairing_id)
    found = list(pairings.prefetch_related("seats__entry__members__player"))
    if not found:
        raise TournamentError("nothing_to_plan", f"Round {drawn.number}: nothing is still to be played there.")
    for pairing in found:
        pairing.round = drawn
    return found


def _tables(drawn: Round, pairings: Sequence[Pairing], chosen: Sequence[int] | None) -> list[VenueTable]:
    """A table for each meeting, or none at all; raises TournamentError where there are too few."""
    venue = drawn.stage.tournament.venue
    if chosen is None:
        tables = list(venue.tables.order_by("position", "id")) if venue else []
        if not tables:
            return []
    else:
        by_id = VenueTable.objects.in_bulk(list(chosen))
        if len(by_id) < len(chosen):
            raise TournamentError("no_such_table", "A table was named twice, or is no longer there: choose them anew.")
        tables = [by_id[table] for table in chosen]
    if len(tables) < len(pairings):
        raise TournamentError(
            "too_few_tables",
            f"Round {drawn.number} has {len(pairings)} meetings, and there are {len(tables)} tables: add tables, or "
            "plan without them and move the meetings one by one.",
        )
    return tables[: len(pairings)]


def _rows(pairings: Sequence[Pairing], tables: Sequence[VenueTable], during: TimestamptzRange) -> list[Sitting]:
    by_pairing: Sequence[VenueTable | None] = tables or [None] * len(pairings)
    return [row for pairing, table in zip(pairings, by_pairing, strict=True) for row in wanted(pairing, during, table)]


def _time_of(drawn: Round, held: Sitting | None) -> tuple[datetime | None, int | None]:
    if held is None:
        return drawn.starts_at, drawn.minutes
    return held.during.lower, int((held.during.upper - held.during.lower).total_seconds()) // 60


def _table(pairing: Pairing, chosen: int | None) -> VenueTable | None:
    if chosen is None:
        return VenueTable.objects.filter(sittings__pairing=pairing).first()
    table = VenueTable.objects.filter(pk=chosen).first()
    if table is None:
        raise TournamentError("no_such_table", "That table is no longer there: choose another.")
    return table


def follow(tournament: Tournament) -> None:
    """Brings the plan up to date with the draws; changes nothing the second time.

    What was taken back, annulled or decided frees its players and tables; a round drawn again takes over the times and
    tables of the one it replaces; seats filled since, and those who were brought in, get their time. Whom that finds
    elsewhere is logged, and plays at no planned time. To be called under the tournament's lock.
    """
    planned = Round.objects.filter(stage__tournament=tournament, starts_at__isnull=False)
    if not planned.exists():
        return
    if tournament.status == TournamentStatus.CANCELLED:
        _free(tournament)
        return
    for drawn in _drawn_again(tournament):
        _take_over_times(tournament, drawn)
    _free(tournament)
    for drawn in planned.exclude(status__in=[RoundStatus.WITHDRAWN, RoundStatus.CLOSED]).select_related("stage"):
        drawn.stage.tournament = tournament
        _seat_newcomers(drawn)


def _drawn_again(tournament: Tournament) -> list[Round]:
    """Rounds without a time that replace one which had one."""
    standing = Round.objects.filter(stage__tournament=tournament, starts_at=None).exclude(
        status__in=[RoundStatus.WITHDRAWN, RoundStatus.CLOSED]
    )
    return list(standing.select_related("stage"))


def _take_over_times(tournament: Tournament, drawn: Round) -> None:
    before = (
        Round.objects.filter(stage=drawn.stage, number=drawn.number, status=RoundStatus.WITHDRAWN)
        .exclude(starts_at=None)
        .order_by("-id")
        .first()
    )
    if before is None or before.starts_at is None or before.minutes is None:
        return
    held = VenueTable.objects.filter(sittings__pairing__round=before).order_by("sittings__pairing__number")
    tables = list(held.values_list("pk", flat=True))
    Sitting.objects.filter(pairing__round=before).delete()
    Round.objects.filter(pk=before.pk).update(starts_at=None, minutes=None)
    try:
        with transaction.atomic():
            plan_round(drawn.pk, before.starts_at, before.minutes, tables or None)
    except TournamentError as refusal:
        drawn.stage.tournament = tournament
        _note(drawn, "schedule_lost", None, code=refusal.code, text=str(refusal))


def _free(tournament: Tournament) -> None:
    """What is taken back, annulled or cancelled was nothing; who is decided is free from now on."""
    sittings = Sitting.objects.filter(pairing__round__stage__tournament=tournament)
    sittings.filter(pairing__round__status=RoundStatus.WITHDRAWN).delete()
    sittings.filter(pairing__status=PairingStatus.VOID).delete()
    if tournament.status == TournamentStatus.CANCELLED:
        sittings.exclude(pairing__status=PairingStatus.DECIDED).delete()
    now = timezone.now()
    decided = sittings.filter(pairing__status=PairingStatus.DECIDED, during__endswith__gt=now)
    decided.filter(during__startswith__gte=now).delete()
    until_now = Func(F("during__startswith"), Value(now), function="tstzrange", output_field=DateTimeRangeField())
    Sitting.objects.filter(pk__in=list(decided.values_list("pk", flat=True))).update(during=until_now)


def _seat_newcomers(drawn: Round) -> None:
    open_ones = drawn.pairings.filter(status__in=TO_PLAY).order_by("number")
    for pairing in open_ones.prefetch_related("seats__entry__members__player", "sittings__player", "sittings__table"):
        pairing.round = drawn
        held = list(pairing.sittings.all())
        seated = {row.player_id for row in held if row.player_id}
        if seated != {player.pk for player in players_of(pairing)}:
            _seat_anew(drawn, pairing, held)


def _seat_anew(drawn: Round, pairing: Pairing, held: Sequence[Sitting]) -> None:
    starts_at, minutes = _time_of(drawn, held[0] if held else None)
    table = next((row.table for row in held if row.table), None)
    if starts_at is None or minutes is None:
        return
    zone = zone_of(drawn.stage.tournament)
    try:
        replace([pairing], wanted(pairing, span(starts_at, minutes), table), zone)
    except TournamentError as refusal:
        told = {"table": pairing.number, "code": refusal.code, "text": str(refusal)}
        if not drawn.stage.tournament.events.filter(kind="schedule_clashes", payload__contains=told).exists():
            _note(drawn, "schedule_clashes", None, **told)
