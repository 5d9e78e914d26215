"""What a tournament waits for, as its rows say: tables that people report, rounds that the organiser draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from matches.core.lifecycle import OF_PEOPLE, OVER, MatchStatus
from matches.models import Match
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, RoundStatus, StageStatus, TournamentStatus
from tournaments.formats.registry import FORMATS, FormatKind
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.services.log import TROUBLES
from tournaments.web.idle import Idle, Waits, reasons
from tournaments.web.idle_words import idle_sentence
from tournaments.web.tally import tally_of

OF_DRAWN = ("no_match", "played_later")
"""The troubles of a round that is drawn."""
OF_UNDRAWN = ("no_draw", "stage_cannot_start")
"""Those of one that is not: they last until there is another round."""
GOES_ON = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)


def why_nothing_happens(tournament: Tournament) -> tuple[str, ...]:
    """For the organiser: all that is waited for, a sentence each, what he has to see to first; empty while nothing is
    waited for but the end of what is being played.
    """
    matches = Match.objects.filter(pairing__round__stage__tournament=tournament)
    standing = matches.exclude(pairing__round__status=RoundStatus.WITHDRAWN)
    tally, waits = tally_of(list(standing), timezone.now()), read_waits(tournament)
    found = reasons(TournamentStatus(tournament.status), tally, waits)
    if tally.playing and found == (Idle.CLOSING,):
        return ()
    told = [idle_sentence(reason, tally, tournament.auto_publish, waits) for reason in found]
    return (*told, waits.trouble) if {Idle.NO_DRAW, Idle.STUCK} & set(found) else tuple(told)


def read_waits(tournament: Tournament) -> Waits:
    """Eight queries at the most; one of a tournament that is not on."""
    if tournament.status not in GOES_ON:
        return _check_in(tournament)
    tables = _tables(tournament)
    earliest = _earliest_round(tournament)
    return Waits(
        awaited=tables[MatchStatus.AWAITED],
        reported=tables[MatchStatus.REPORTED],
        disputed=tables[MatchStatus.DISPUTED],
        round=earliest.number if earliest else _to_be_drawn(tournament),
        status=RoundStatus(earliest.status) if earliest else None,
        is_drawn_by_hand=earliest is None and _is_drawn_by_hand(tournament),
        trouble=trouble_of(tournament, is_drawn=earliest is not None),
        unfilled=_unfilled(tournament) if earliest else (),
    )


def _check_in(tournament: Tournament) -> Waits:
    if tournament.status != TournamentStatus.CHECK_IN:
        return Waits()
    active = tournament.entries.filter(status=EntryStatus.ACTIVE)
    return Waits(**active.aggregate(entries=Count("pk"), checked_in=Count("pk", filter=Q(checked_in_at__isnull=False))))


def _tables(tournament: Tournament) -> dict[str, tuple[str, ...]]:
    """The tables that people report, by the state of their match."""
    pairings = Pairing.objects.filter(
        round__stage__tournament=tournament, round__status=RoundStatus.RELEASED, match__status__in=sorted(OF_PEOPLE)
    )
    found = list(_in_order(pairings).values_list("match__status", *PLACE, "round__part"))
    names = _named(place for _, *place in found)
    return {
        status: tuple(name for name, (one, *_) in zip(names, found, strict=True) if one == status)
        for status in OF_PEOPLE
    }


PLACE = ("round__stage__number", "round__number", "number")


def _in_order(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    return pairings.order_by(*PLACE)


def _named(places: Iterable[Sequence[Any]]) -> tuple[str, ...]:
    """Tables by stage, round, number and part, with as much of it as tells them apart; a bracket's matches are numbered
    through all of its rounds."""
    found = list(places)
    stages, rounds = {stage for stage, *_ in found}, {(stage, number) for stage, number, *_ in found}
    has_stages, has_rounds = len(stages) > 1, len(rounds) > 1
    return tuple(
        ".".join(map(str, [*[stage] * has_stages, *[number] * (has_rounds and not part), table]))
        for stage, number, table, part in found
    )


def _unfilled(tournament: Tournament) -> tuple[str, ...]:
    """Tables of released rounds that have no match; none while what is over has still to be taken in."""
    drawn = Pairing.objects.filter(round__stage__tournament=tournament, round__status=RoundStatus.RELEASED)
    undecided = drawn.filter(status__in=[PairingStatus.OPEN, PairingStatus.WAITING])
    if undecided.filter(match__status__in=sorted(OVER)).exists():
        return ()
    return _named(_in_order(undecided.filter(match=None)).values_list(*PLACE, "round__part"))


def _earliest_round(tournament: Tournament) -> Round | None:
    """The first that is not over, of those that stand."""
    over = [RoundStatus.CLOSED, RoundStatus.WITHDRAWN]
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(status__in=over)
    return rounds.defer("position", "draw", "changes").order_by("stage__number", "number").first()


def _current(tournament: Tournament) -> Stage | None:
    return tournament.stages.filter(status=StageStatus.RUNNING).order_by("number").first()


def _to_be_drawn(tournament: Tournament) -> int:
    """The number of the round after those that are over."""
    stage = _current(tournament)
    if stage is None:
        return 1
    if gone := _taken_back(stage):
        return min(gone)
    over = stage.rounds.filter(status=RoundStatus.CLOSED).aggregate(last=Max("number"))["last"]
    return (over or 0) + 1


def _is_drawn_by_hand(tournament: Tournament) -> bool:
    stage = _current(tournament)
    if stage is None or stage.format not in FORMATS:
        return False
    if _taken_back(stage):
        return True
    return not tournament.auto_draw and FORMATS[stage.format].kind is FormatKind.ROUND_BY_ROUND


def _taken_back(stage: Stage) -> set[int]:
    """Rounds that were taken back and not drawn again."""
    rounds = list(stage.rounds.values_list("number", "status"))
    return {number for number, _ in rounds} - {number for number, one in rounds if one != RoundStatus.WITHDRAWN}


def trouble_of(tournament: Tournament, is_drawn: bool = False) -> str:
    """Why play cannot go on, if nothing has been done since that was logged. A round that is drawn was not kept from
    being so, and one that is not still is, whatever else was done."""
    latest = tournament.events.order_by("-id").first()
    if latest and latest.kind in (OF_DRAWN if is_drawn else TROUBLES):
        return str(latest.payload.get("text", ""))
    undrawn = None if is_drawn else tournament.events.filter(kind__in=OF_UNDRAWN).order_by("-id").first()
    if (
        undrawn is None
        or Round.objects.filter(stage__tournament=tournament, created_at__gt=undrawn.created_at).exists()
    ):
        return ""
    return str(undrawn.payload.get("text", ""))
