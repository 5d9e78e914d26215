"""What is read from the database before and after a kill, and must agree."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Min

from engine import verify
from matches.models import Match, Outbox, Party, PartyEvent, Result, ResultSeat
from tournaments.models import Tournament
from tournaments.services.publishing import canonical

Place = tuple[int, int, int]
"""Round, table and party: what names a party in two runs whose public ids differ."""


class Played(NamedTuple):
    """One line of the log without what differs from run to run."""

    seq: int
    kind: str
    seat: int
    action: str
    cause: str


def events() -> dict[Place, list[Played]]:
    """The log of every party, in order."""
    log: dict[Place, list[Played]] = defaultdict(list)
    pairing = "party__match__pairing"
    rows = PartyEvent.objects.order_by("party_id", "seq").values_list(
        f"{pairing}__round__number", f"{pairing}__number", "party__number", "seq", "kind", "seat", "action", "cause"
    )
    for *place, seq, kind, seat, action, cause in rows:
        log[place[0], place[1], place[2]].append(Played(seq, kind, seat, action, cause))
    return dict(log)


def why_not_a_continuation(before: dict[Place, list[Played]], after: dict[Place, list[Played]]) -> str | None:
    """What of the log was lost or changed: each party's earlier lines must be the beginning of its later ones."""
    for place, lines in before.items():
        if after.get(place, [])[: len(lines)] != lines:
            return f"the log of party {place} was changed"
    return None


def why_not_whole(log: dict[Place, list[Played]]) -> str | None:
    """Where the log has a gap or a double: plies count from 0, one line each."""
    for place, lines in log.items():
        if [line.seq for line in lines] != list(range(len(lines))):
            return f"the log of party {place} has a gap: {[line.seq for line in lines]}"
    return None


def faults(log: dict[Place, list[Played]]) -> list[Played]:
    """Decisions in which the platform played for a seat. That nobody ever names trumps is the programs' own affair."""
    return [line for lines in log.values() for line in lines if line.cause not in ("", "stalled")]


def why_not_sound(tournament: Tournament) -> str | None:
    """The first thing that is lost, doubled or wrong in a competition that is over; None if nothing is."""
    log = events()
    return why_not_whole(log) or _result_missing(tournament) or _news_not_told() or _record_wrong(log)


def _result_missing(tournament: Tournament) -> str | None:
    matches = Match.objects.filter(pairing__round__stage__tournament=tournament)
    entrants = tournament.entries.count()
    counts = (matches.count(), matches.filter(status="finished").count(), Result.objects.count())
    expected = (entrants * (entrants - 1) // 2,) * 3
    if counts != expected:
        return f"matches, finished matches and results are {counts}, expected {expected}"
    if ResultSeat.objects.count() != 2 * expected[0]:
        return f"{ResultSeat.objects.count()} seats have a result, expected {2 * expected[0]}"
    return None


def _news_not_told() -> str | None:
    told, expected = Outbox.objects.exclude(delivered_at=None).count(), Match.objects.count()
    expected *= len(settings.OUTBOX_CONSUMERS)
    if (told, Outbox.objects.count()) != (expected, expected):
        return f"{told} of {Outbox.objects.count()} deliveries made, expected {expected}"
    return None


def _record_wrong(log: dict[Place, list[Played]]) -> str | None:
    for party in Party.objects.select_related("match__pairing__round").exclude(status="void"):
        place = (party.match.pairing.round.number, party.match.pairing.number, party.number)
        if party.status != "finished":
            return f"party {place} is {party.status}"
        difference = verify(party.record)
        if difference is not None:
            return f"the record of party {place}: {difference}"
        if _said(party) != [f"{line.seat} {line.action}" for line in log[place] if line.kind == "action"]:
            return f"the record of party {place} is not what its log says"
    return None


def _said(party: Party) -> list[str]:
    return [action.partition(" !")[0] for deal in party.record["deals"] for action in deal["actions"]]


def digest_over_names(tournament: Tournament) -> str:
    """SHA-256 of the newest published standings without the entries' public ids, which differ from run to run."""
    rows = tournament.snapshots.order_by("-number").first().rows
    return hashlib.sha256(canonical([{**row, "entry": row["name"]} for row in rows])).hexdigest()


def seconds_without_a_card(matches: Iterable[int], killed_at: datetime) -> float:
    """The longest time from a match's last event before the kill to its first after it."""
    log = PartyEvent.objects.filter(party__match__in=list(matches)).values("party__match").order_by()
    before = dict(log.filter(created_at__lt=killed_at).values_list("party__match", Max("created_at")))
    after = dict(log.filter(created_at__gt=killed_at).values_list("party__match", Min("created_at")))
    return max(((after[match] - before.get(match, killed_at)).total_seconds() for match in after), default=0.0)


def gone_on(matches: Iterable[int], since: datetime) -> bool:
    """Whether each of these matches has seen a card since then, or its end."""
    later = PartyEvent.objects.filter(created_at__gt=since, party__match__in=list(matches))
    seen = set(later.values_list("party__match", flat=True))
    over = set(Match.objects.filter(pk__in=list(matches), status="finished").values_list("pk", flat=True))
    return set(matches) <= seen | over


def cards_played() -> int:
    """How long the log is."""
    return PartyEvent.objects.count()


def is_published(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return tournament.status == "published"
