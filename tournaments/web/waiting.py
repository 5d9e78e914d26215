"""What a tournament waits for, as its rows say: tables that people report, rounds that the organiser draws."""

from __future__ import annotations

from django.db.models import Count, Max, Q
from django.utils import timezone

from matches.core.lifecycle import OF_PEOPLE, MatchStatus
from matches.models import Match
from tournaments.formats.lifecycle import EntryStatus, RoundStatus, StageStatus, TournamentStatus
from tournaments.formats.registry import FORMATS, FormatKind
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.services.log import TROUBLES
from tournaments.web.idle import Idle, Waits, reasons
from tournaments.web.idle_words import idle_sentence
from tournaments.web.tally import tally_of

OF_DRAWN = ("no_match", "played_later")
"""The troubles of a round that is drawn."""
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
    """Four queries at the most; one of a tournament that is not on."""
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
        trouble=_trouble(tournament, is_drawn=earliest is not None),
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
    found = list(
        pairings.order_by("round__stage__number", "round__number", "number").values_list(
            "match__status", "round__number", "number"
        )
    )
    is_one_round = len({number for _, number, _ in found}) < 2
    return {
        status: tuple(_called(number, table, is_one_round) for one, number, table in found if one == status)
        for status in OF_PEOPLE
    }


def _called(number: int, table: int, is_one_round: bool) -> str:
    return str(table) if is_one_round else f"{number}.{table}"


def _earliest_round(tournament: Tournament) -> Round | None:
    """The first that is not over, of those that stand."""
    over = [RoundStatus.CLOSED, RoundStatus.WITHDRAWN]
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(status__in=over)
    return rounds.order_by("stage__number", "number").first()


def _current(tournament: Tournament) -> Stage | None:
    return tournament.stages.filter(status=StageStatus.RUNNING).order_by("number").first()


def _to_be_drawn(tournament: Tournament) -> int:
    """The number of the round after those that are over."""
    stage = _current(tournament)
    if stage is None:
        return 1
    over = stage.rounds.filter(status=RoundStatus.CLOSED).aggregate(last=Max("number"))["last"]
    return (over or 0) + 1


def _is_drawn_by_hand(tournament: Tournament) -> bool:
    stage = _current(tournament)
    if stage is None or tournament.auto_draw or stage.format not in FORMATS:
        return False
    return FORMATS[stage.format].kind is FormatKind.ROUND_BY_ROUND


def _trouble(tournament: Tournament, is_drawn: bool) -> str:
    """Why play cannot go on, if nothing has been done since that was logged. A round that is drawn was not kept from
    being so."""
    latest = tournament.events.order_by("-id").first()
    if latest is None or latest.kind not in (OF_DRAWN if is_drawn else TROUBLES):
        return ""
    return str(latest.payload.get("text", ""))
