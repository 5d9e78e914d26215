"""Calendars that phones subscribe to: a tournament's rounds, a player's meetings. What everybody may see, and no more.

An event keeps its UID when a round is drawn again, and its SEQUENCE grows with all that is logged of the round, so that
a calendar moves it and does not show it twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Max, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from matches.models import Player
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Pairing, PairingSeat, Round, Sitting, Tournament, TournamentEvent
from tournaments.services.writing import DRAWN_FROM
from tournaments.web.reading import visible_rounds, visible_to

PRODUCT = "-//Manela//Calendar//EN"
DOMAIN = "manela"
"""What UIDs end with: the same wherever the site runs, so that a move of the site doubles nothing."""
ASK_AGAIN = timedelta(minutes=15)
MOST_MEETINGS = 500
SHOWN = (PairingStatus.OPEN, PairingStatus.WAITING, PairingStatus.DECIDED)

Address = Callable[[str], str]
"""From a path to an address with scheme and host."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """One event of a calendar. `sequence` grows with every change; `changed_at`: the last of them."""

    uid: str
    summary: str
    starts_at: datetime
    ends_at: datetime | None
    description: str
    location: str
    address: str
    sequence: int
    changed_at: datetime
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class _Log:
    """How much was logged of each round, and when last; by stage and round."""

    counts: Counter[tuple[int, int]]
    latest: dict[tuple[int, int], datetime]

    def of(self, drawn: Round) -> tuple[int, datetime]:
        key = (drawn.stage.number, drawn.number)
        return self.counts[key], max(drawn.created_at, self.latest.get(key, drawn.created_at))


def calendar_of_tournament(tournament: Tournament, address: Address) -> bytes:
    """A tournament's start and its rounds, with those meetings that have a time of their own. Eight queries."""
    rounds = _rounds_of(tournament)
    log = _log_of(tournament)
    meetings = _meetings(Pairing.objects.filter(round__in=rounds, status__in=SHOWN))
    by_round: dict[int, list[Pairing]] = {}
    for pairing in meetings:
        by_round.setdefault(pairing.round_id, []).append(pairing)
    appointments = _beginning(tournament, address)
    for drawn in rounds:
        drawn.stage.tournament = tournament
        tables = by_round.get(drawn.pk, [])
        appointments += _round(drawn, tables, log, address)
        appointments += [
            _meeting(pairing, f"{pairing.public_id}@{DOMAIN}", log, address) for pairing in tables if _is_moved(pairing)
        ]
    return _written(tournament.name, appointments)


def calendar_of_player(player: Player, address: Address) -> bytes:
    """A player's meetings in all tournaments, the newest if there are very many."""
    seats = PairingSeat.objects.filter(
        Q(entry__hands=None) | Q(entry__members__position__lt=F("entry__hands")),
        entry__members__player=player,
        pairing__status__in=SHOWN,
        round__stage__tournament__in=visible_to(AnonymousUser()),
    )
    ids = list(seats.order_by("-round__created_at", "-pk").values_list("pairing_id", flat=True)[:MOST_MEETINGS])
    meetings = _meetings(Pairing.objects.filter(pk__in=ids))
    tournaments = {one.round.stage.tournament_id: one.round.stage.tournament for one in meetings}
    seen = {drawn.pk for one in tournaments.values() for drawn in _rounds_of(one)}
    logs = {key: _log_of(one) for key, one in tournaments.items()}
    timed = [one for one in meetings if one.round_id in seen and _time_of(one) is not None]
    appointments = [_meeting(one, _uid_of(one, player), logs[one.round.stage.tournament_id], address) for one in timed]
    return _written(player.name, appointments)


def _uid_of(pairing: Pairing, player: Player) -> str:
    """Of a player's round: whoever he meets there, and however often it is drawn."""
    stage = pairing.round.stage
    return f"{stage.tournament.public_id}-{stage.number}-{pairing.round.number}-{player.public_id}@{DOMAIN}"


def _rounds_of(tournament: Tournament) -> list[Round]:
    """The rounds that everybody may see; of one that was taken back only what no other draw has replaced in sight."""
    visible = (
        visible_rounds(AnonymousUser(), tournament).select_related("stage").order_by("stage__number", "number", "id")
    )
    rounds = list(visible)
    standing = {(one.stage_id, one.number) for one in rounds if one.status != RoundStatus.WITHDRAWN}
    latest = {(one.stage_id, one.number): one for one in rounds}
    return [
        one
        for one in rounds
        if one.status != RoundStatus.WITHDRAWN
        or ((one.stage_id, one.number) not in standing and latest[one.stage_id, one.number] is one)
    ]


def _log_of(tournament: Tournament) -> _Log:
    events = TournamentEvent.objects.filter(tournament=tournament, payload__has_keys=["stage", "round"])
    counts: Counter[tuple[int, int]] = Counter()
    latest: dict[tuple[int, int], datetime] = {}
    for stage, number, at in events.order_by("id").values_list("payload__stage", "payload__round", "created_at"):
        counts[stage, number] += 1
        latest[stage, number] = at
    return _Log(counts, latest)


def _meetings(pairings: QuerySet[Pairing]) -> list[Pairing]:
    """With all that an event tells of them. Four queries."""
    found = (
        pairings.exclude(status=PairingStatus.BYE)
        .select_related("round__stage__tournament__venue", "match")
        .defer(*DRAWN_FROM)
    )
    sittings = Sitting.objects.select_related("table__venue").order_by("id")
    related = found.prefetch_related("seats__entry", Prefetch("sittings", sittings))
    return list(related.order_by("round__stage__number", "round__number", "number"))


def _time_of(pairing: Pairing) -> tuple[datetime, datetime | None] | None:
    """From when to when: its own time, or its round's."""
    for sitting in pairing.sittings.all():
        return sitting.during.lower, sitting.during.upper
    return _time_of_round(pairing.round)


def _time_of_round(drawn: Round) -> tuple[datetime, datetime | None] | None:
    if drawn.starts_at is None:
        return None
    return drawn.starts_at, drawn.starts_at + timedelta(minutes=drawn.minutes) if drawn.minutes else None


def _is_moved(pairing: Pairing) -> bool:
    own = _time_of(pairing)
    return own is not None and own != _time_of_round(pairing.round)


def _beginning(tournament: Tournament, address: Address) -> list[Appointment]:
    if tournament.starts_at is None:
        return []
    changed = tournament.events.aggregate(last=Max("created_at"))["last"]
    return [
        Appointment(
            uid=f"{tournament.public_id}@{DOMAIN}",
            summary=_("%(tournament)s begins") % {"tournament": tournament.name},
            starts_at=tournament.starts_at,
            ends_at=None,
            description=tournament.description,
            location=_place(tournament),
            address=address(tournament.get_absolute_url()),
            sequence=tournament.events.count(),
            changed_at=changed or tournament.created_at,
            is_cancelled=tournament.status == TournamentStatus.CANCELLED,
        )
    ]


def _round(drawn: Round, tables: Sequence[Pairing], log: _Log, address: Address) -> list[Appointment]:
    """The round as a whole, with who meets whom in its description; nothing where it has no time."""
    time = _time_of_round(drawn)
    if time is None:
        return []
    tournament = drawn.stage.tournament
    sequence, changed_at = log.of(drawn)
    is_cancelled = _is_off(drawn)
    return [
        Appointment(
            uid=f"{tournament.public_id}-{drawn.stage.number}-{drawn.number}@{DOMAIN}",
            summary=_("%(tournament)s, round %(round)s") % {"tournament": tournament.name, "round": drawn.number},
            starts_at=time[0],
            ends_at=time[1],
            description="" if is_cancelled else "\n".join(_line(pairing) for pairing in tables),
            location=_place(tournament),
            address=address(reverse("tournament-rounds", args=[tournament.slug])),
            sequence=sequence,
            changed_at=changed_at,
            is_cancelled=is_cancelled,
        )
    ]


def _meeting(pairing: Pairing, uid: str, log: _Log, address: Address) -> Appointment:
    """One meeting that has a time."""
    drawn, tournament = pairing.round, pairing.round.stage.tournament
    time = _time_of(pairing)
    assert time is not None
    sequence, changed_at = log.of(drawn)
    path = reverse("match", args=[pairing.match.public_id]) if pairing.match else tournament.get_absolute_url()
    title = {"tournament": tournament.name, "round": drawn.number, "who": _who(pairing)}
    return Appointment(
        uid=uid,
        summary=_("%(tournament)s, round %(round)s: %(who)s") % title,
        starts_at=time[0],
        ends_at=time[1],
        description=_line(pairing),
        location=_place(tournament, pairing),
        address=address(path),
        sequence=sequence,
        changed_at=changed_at,
        is_cancelled=_is_off(drawn),
    )


def _is_off(drawn: Round) -> bool:
    """Taken back, or of a tournament that was cancelled before the round was over."""
    is_over = drawn.status == RoundStatus.CLOSED
    return drawn.status == RoundStatus.WITHDRAWN or (
        not is_over and drawn.stage.tournament.status == TournamentStatus.CANCELLED
    )


def _who(pairing: Pairing) -> str:
    seats = sorted(pairing.seats.all(), key=lambda seat: seat.seat)
    return " – ".join(seat.entry.name if seat.entry else _("to be decided") for seat in seats)


def _line(pairing: Pairing) -> str:
    table = _table(pairing)
    named = f"{pairing.number} ({table})" if table else str(pairing.number)
    return _("Table %(table)s: %(who)s") % {"table": named, "who": _who(pairing)}


def _table(pairing: Pairing) -> str:
    return next((sitting.table.name for sitting in pairing.sittings.all() if sitting.table), "")


def _place(tournament: Tournament, pairing: Pairing | None = None) -> str:
    held = [sitting.table for sitting in pairing.sittings.all() if sitting.table] if pairing else []
    venue = held[0].venue if held else tournament.venue
    parts = [venue.name, venue.address] if venue else []
    return ", ".join(part for part in [*parts, *(_("table %(name)s") % {"name": one.name} for one in held)] if part)


def _written(name: str, appointments: Sequence[Appointment]) -> bytes:
    """The calendar's bytes: the same for the same events, whenever they are asked for."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    for appointment in appointments:
        calendar.add_component(_event(appointment))
    return calendar.to_ical()


def _event(appointment: Appointment) -> Event:
    event = Event()
    event.add("uid", appointment.uid)
    event.add("sequence", appointment.sequence)
    event.add("dtstamp", appointment.changed_at.astimezone(UTC))
    event.add("last-modified", appointment.changed_at.astimezone(UTC))
    event.add("dtstart", appointment.starts_at.astimezone(UTC))
    if appointment.ends_at is not None:
        event.add("dtend", appointment.ends_at.astimezone(UTC))
    event.add("summary", appointment.summary)
    for field in ("description", "location"):
        if text := getattr(appointment, field):
            event.add(field, text)
    event.add("url", appointment.address)
    event.add("status", "CANCELLED" if appointment.is_cancelled else "CONFIRMED")
    return event
