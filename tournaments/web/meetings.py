"""The meetings of a tournament as they stand: who sits at which table, what came of it, and how play goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from matches.core.lifecycle import MatchStatus
from matches.models import Match, Party, ResultSeat
from matches.web.wording import MATCH_STATUS
from tournaments.formats.lifecycle import PairingStatus, TournamentStatus
from tournaments.models import Pairing, PairingSeat, Tournament
from tournaments.standings.table import PLACE_POINTS, place_points
from tournaments.web.idle import Tally, why_idle
from tournaments.web.wording import idle_sentence, quarter_points, time_left_words

RATE_WINDOW = timedelta(minutes=1)
RATE_PARTIES = 500
WAIT_STEP_SECONDS = 10
FULL_LEVEL = 4


@dataclass(frozen=True, slots=True)
class Side:
    """One entry at a meeting; all but its name is empty until the meeting is decided.

    `mark`: the match points as they are written (1, ½, 2¼); `level`: the same from 0 to 4, whatever the table gives.
    """

    entry: str
    name: str
    place: int = 0
    mark: str = ""
    level: int = 0
    outcome: str = ""
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What the result of a match says of one side."""

    place: int
    outcome: str
    points: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing for a page. `state` is the match's status, or `bye`; a bye has one side and no match.

    `by_place`: the sides as they came in, once that is decided.
    """

    round_number: int
    table: int
    sides: tuple[Side, ...]
    state: str
    state_words: str
    reason: str
    match_id: str

    @property
    def title(self) -> str:
        return " – ".join(side.name for side in self.sides)

    @property
    def by_place(self) -> tuple[Side, ...]:
        return tuple(sorted(self.sides, key=lambda side: side.place))


@dataclass(frozen=True, slots=True)
class Draw:
    """All meetings of a tournament, and the count of how their matches stand."""

    meetings: tuple[Meeting, ...]
    tally: Tally


def read_draw(tournament: Tournament) -> Draw:
    """Three queries, however many rounds."""
    pairings = list(
        Pairing.objects.filter(round__stage__tournament=tournament)
        .select_related("round", "match")
        .order_by("round__stage__number", "round__number", "number")
    )
    entries = _entries_by_pairing(pairings)
    results = _results_by_match(pairings)
    return Draw(
        meetings=tuple(_meeting(one, entries.get(one.pk, {}), results.get(one.match_id or 0, {})) for one in pairings),
        tally=tally_of([one.match for one in pairings if one.match], timezone.now()),
    )


def _entries_by_pairing(pairings: Sequence[Pairing]) -> dict[int, dict[int, tuple[str, str]]]:
    """By pairing and side: the entry's public id and its name."""
    seats = PairingSeat.objects.filter(pairing__in=pairings, entry__isnull=False)
    by_pairing: dict[int, dict[int, tuple[str, str]]] = {}
    for pairing, side, *entry in seats.values_list("pairing_id", "side", "entry__public_id", "entry__name"):
        by_pairing.setdefault(pairing, {})[side] = (entry[0], entry[1])
    return by_pairing


def _results_by_match(pairings: Iterable[Pairing]) -> dict[int, dict[int, Decided]]:
    """By match and seat. Partners' seats say the same; the first of them has the number of the side."""
    decided = [one.match_id for one in pairings if one.status == PairingStatus.DECIDED]
    seats = ResultSeat.objects.filter(result__in=decided)
    by_match: dict[int, dict[int, Decided]] = {}
    for match, index, place, outcome, points in seats.values_list("result_id", "index", "place", "outcome", "points"):
        by_match.setdefault(match, {})[index] = Decided(place, outcome, points)
    return by_match


def _meeting(pairing: Pairing, entries: dict[int, tuple[str, str]], results: dict[int, Decided]) -> Meeting:
    state = _state(pairing)
    return Meeting(
        round_number=pairing.round.number,
        table=pairing.number,
        sides=_sides(entries, results),
        state=state,
        state_words=str(MATCH_STATUS[state]) if isinstance(state, MatchStatus) else _("bye"),
        reason=pairing.match.status_reason if pairing.match else "",
        match_id=pairing.match.public_id if pairing.match else "",
    )


def _state(pairing: Pairing) -> MatchStatus | str:
    """A finished match counts as being played until its pairing is decided: the standings wait for the same row."""
    if pairing.match is None:
        return "bye"
    status = MatchStatus(pairing.match.status)
    if status is MatchStatus.FINISHED and pairing.status != PairingStatus.DECIDED:
        return MatchStatus.RUNNING
    return status


def _sides(entries: dict[int, tuple[str, str]], results: dict[int, Decided]) -> tuple[Side, ...]:
    order = sorted(entries)
    if not results:
        return tuple(Side(*entries[side]) for side in order)
    quarters = place_points([results[side].place for side in order])
    return tuple(
        _side(entries[side], results[side], points, len(order)) for side, points in zip(order, quarters, strict=True)
    )


def _side(entry: tuple[str, str], decided: Decided, quarters: int, sides: int) -> Side:
    return Side(
        *entry,
        place=decided.place,
        mark=quarter_points(quarters),
        level=round(quarters * FULL_LEVEL / PLACE_POINTS[sides][0]),
        outcome=decided.outcome,
        points=decided.points,
    )


def tally_of(matches: Sequence[Match], now: datetime) -> Tally:
    """Counts matches by what they wait for. A running match whose lease ran out waits for a worker like a new one."""
    playing = [
        one for one in matches if one.status == MatchStatus.RUNNING and one.lease_until and one.lease_until >= now
    ]
    orphaned = [one for one in matches if one.status == MatchStatus.RUNNING and one not in playing]
    due = [one for one in matches if one.status == MatchStatus.READY and one.due_at <= now] + orphaned
    return Tally(
        done=_count(matches, MatchStatus.FINISHED),
        playing=len(playing),
        due=len(due),
        held=_count(matches, MatchStatus.HELD),
        stalled=_count(matches, MatchStatus.STALLED),
        waited_seconds=_waited(matches, due, now),
    )


def _count(matches: Iterable[Match], status: MatchStatus) -> int:
    return sum(one.status == status for one in matches)


def _waited(matches: Iterable[Match], due: Sequence[Match], now: datetime) -> int:
    """Since when no worker has been seen, in steps, so that a page that waits does not change every second."""
    if not due:
        return 0
    signs = [sign for one in matches for sign in (one.started_at, one.finished_at, one.lease_until) if sign]
    last = max([min(one.due_at for one in due), *(sign for sign in signs if sign <= now)])
    return int((now - last).total_seconds()) // WAIT_STEP_SECONDS * WAIT_STEP_SECONDS


@dataclass(frozen=True, slots=True)
class Pulse:
    """How far a tournament is. `idle` says in one sentence why nothing is being played; empty while something is."""

    done: int
    total: int
    playing: int
    parties_done: int
    parties_total: int
    parties_a_minute: str
    time_left: str
    idle: str
    idle_code: str
    stalled: tuple[Meeting, ...]


def read_pulse(tournament: Tournament, draw: Draw) -> Pulse:
    """Two queries. Everything is reckoned to the last party that ended, so that it only changes when play goes on."""
    reason = why_idle(TournamentStatus(tournament.status), draw.tally)
    counted = [one for one in draw.meetings if one.state not in ("bye", MatchStatus.VOID)]
    done, total, rate = _parties(tournament)
    left = timedelta(minutes=(total - done) / rate) if rate and not reason else None
    return Pulse(
        done=sum(one.state == MatchStatus.FINISHED for one in counted),
        total=len(counted),
        playing=draw.tally.playing,
        parties_done=done,
        parties_total=total,
        parties_a_minute=f"{rate:.0f}" if rate and not reason else "",
        time_left=time_left_words(left),
        idle=idle_sentence(reason, draw.tally, tournament.auto_publish) if reason else "",
        idle_code=reason or "",
        stalled=tuple(one for one in draw.meetings if one.state == MatchStatus.STALLED),
    )


def _parties(tournament: Tournament) -> tuple[int, int, float]:
    """Parties finished, parties in all, and how many end in a minute by the last minute of play."""
    parties = Party.objects.filter(match__pairing__round__stage__tournament=tournament).exclude(status="void")
    parties = parties.exclude(match__status=MatchStatus.VOID)
    finished = parties.filter(status="finished")
    newest = finished.order_by("-finished_at").values_list("finished_at", flat=True)[:RATE_PARTIES]
    ended = [moment for moment in newest if moment]
    total = parties.count()
    done = len(ended) if len(ended) < RATE_PARTIES else finished.count()
    return done, total, _rate(ended)


def _rate(ended: Sequence[datetime]) -> float:
    """Per minute, from times newest first; 0 if they tell nothing."""
    window = [moment for moment in ended if moment > ended[0] - RATE_WINDOW]
    if len(window) < 2:
        return 0.0
    return (len(window) - 1) / max((window[0] - window[-1]).total_seconds(), 1.0) * 60
