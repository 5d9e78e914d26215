"""From the last card to the result: records, totals, seats' points and the news, each in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from engine import Table, next_first_dealer, record_of
from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.core.outcome import MatchScore, PartyScore, is_decided, match_score
from matches.core.plan import Length
from matches.models import AgentStatus, Board, Game, Match, MatchSeat, OutboxKind, Party, Result, ResultSeat
from matches.services.claim import Lease, stall
from matches.services.create import add_games
from matches.services.outbox import post


class LostLease(Exception):
    """Somebody else plays the match now, or it is void: the writer must stop at once and write nothing."""

    code = "lost_lease"


def hold(lease: Lease) -> Match:
    """Locks the match's row under the lease's fence; raises LostLease."""
    match = Match.objects.select_for_update().get(pk=lease.match_id)
    if match.fence != lease.fence or match.status != MatchStatus.RUNNING:
        raise LostLease
    return match


def check_lease(lease: Lease) -> None:
    """As `hold`, for those who need nothing of the match; raises LostLease."""
    held = Match.objects.select_for_update().filter(pk=lease.match_id, fence=lease.fence, status=MatchStatus.RUNNING)
    if not held.values_list("pk").first():
        raise LostLease


@transaction.atomic
def begin_party(lease: Lease, party_id: int) -> tuple[int, ...]:
    """Marks a waiting party as playing; returns the table seats whose versions could not play at that moment.

    They are noted with it, so that whoever begins it again after a kill learns the same.
    Locks the match; raises LostLease.
    """
    check_lease(lease)
    status, noted = Party.objects.values_list("status", "absent").get(pk=party_id)
    if status != PartyStatus.WAITING:
        return tuple(noted)
    away = Game.objects.filter(party=party_id).exclude(match_seat__agent__status=AgentStatus.ACTIVE)
    absent = list(away.order_by("seat").values_list("seat", flat=True))
    Party.objects.filter(pk=party_id).update(status=PartyStatus.PLAYING, started_at=Now(), absent=absent)
    return tuple(absent)


@transaction.atomic
def finish_party(lease: Lease, party_id: int, table: Table) -> Mapping[str, Any]:
    """Stores the record of a party that is over, once; returns it. Locks the match; raises LostLease.

    Where parties follow one another it says who deals the next (R15), or that no more are to be played.
    """
    match = hold(lease)
    record, result = record_of(table), table.result
    if result is None:
        raise ValueError(f"Party {party_id} is not over.")
    Party.objects.filter(pk=party_id, status=PartyStatus.PLAYING).update(
        status=PartyStatus.FINISHED,
        record_json=json.dumps(record, separators=(",", ":")).encode(),
        totals=list(result.totals),
        winner=result.winner,
        stakes=None if result.stakes is None else list(result.stakes),
        reason=result.reason,
        forfeiter=result.forfeiter,
        finished_at=Now(),
    )
    if match.length != Length.BOARDS:
        _prepare_next(match, Party.objects.get(pk=party_id), next_first_dealer(table))
    return record


def _prepare_next(match: Match, over: Party, dealer: int) -> None:
    """Under the match's lock. The seats never turn in such a match, so that a table seat is a seat of the match."""
    if match.length == Length.BEST_OF and is_decided(scores_of(match), match.boards_planned):
        match.parties.filter(status=PartyStatus.WAITING).update(status=PartyStatus.VOID, finished_at=Now())
        return
    Board.objects.filter(match=match, number=over.number + 1, first_dealer=None).update(first_dealer=dealer)


@transaction.atomic
def replay_party(lease: Lease, party_id: int) -> bool:
    """Voids a party that our own failures spoiled and draws its next attempt with the same seed (protocol §7).

    After every MATCH_ATTEMPTS attempts the match is set aside before the next one; then False.
    Locks the match; raises LostLease.
    """
    match = hold(lease)
    spoiled = Party.objects.get(pk=party_id)
    Party.objects.filter(pk=party_id).update(status=PartyStatus.VOID, finished_at=Now())
    again = Party.objects.create(
        match=match,
        board=spoiled.board,
        number=spoiled.number,
        rotation=spoiled.rotation,
        attempt=spoiled.attempt + 1,
        suits=spoiled.suits,
    )
    add_games(again, list(match.seats.all()))
    if spoiled.attempt % settings.MATCH_ATTEMPTS:
        return True
    stall(match, f"party {spoiled.number} was spoiled {spoiled.attempt} times by failures of ours")
    return False


@transaction.atomic
def finish_match(lease: Lease) -> Result:
    """Writes the result of a match whose parties are all over. Locks the match; raises LostLease."""
    match = hold(lease)
    seats = list(match.seats.all())
    score = score_of(match)
    result = Result.objects.create(match=match, forfeited_parties=score.forfeited_parties)
    write_seats(result, seats, score)
    match.status = MatchStatus.FINISHED
    match.finished_at = timezone.now()
    match.lease_until, match.lease_owner = None, ""
    match.save(update_fields=["status", "finished_at", "lease_until", "lease_owner"])
    post(OutboxKind.MATCH_FINISHED, match)
    return result


@transaction.atomic
def set_aside(lease: Lease, reason: str) -> None:
    """Stalls a match that this code cannot play. Locks the match; raises LostLease."""
    stall(hold(lease), reason[:200])


def write_seats(result: Result, seats: Iterable[MatchSeat], score: MatchScore, absent: Iterable[int] = ()) -> None:
    """What every seat brought home. `absent`: sides."""
    sides = frozenset(absent)
    ResultSeat.objects.bulk_create(_result_seat(result, seat, score, seat.side in sides) for seat in seats)


def _result_seat(result: Result, seat: MatchSeat, score: MatchScore, is_absent: bool) -> ResultSeat:
    return ResultSeat(
        result=result,
        index=seat.index,
        side=seat.side,
        agent_id=seat.agent_id,
        points=score.points[seat.side],
        card_points=score.card_points[seat.side],
        parties=None if score.parties is None else score.parties[seat.side],
        place=score.places[seat.side],
        outcome=score.outcomes[seat.side],
        is_absent=is_absent,
    )


def score_of(match: Match) -> MatchScore:
    """The score of a match by its finished parties; raises ValueError while one is still to be played."""
    if match.parties.filter(status__in=[PartyStatus.WAITING, PartyStatus.PLAYING]).exists():
        raise ValueError(f"Match {match.public_id} has parties that are not over.")
    return match_score(scores_of(match), match.forfeit_points, match.unit)


def scores_of(match: Match) -> list[PartyScore]:
    """Its finished parties, in order of play."""
    finished = match.parties.filter(status=PartyStatus.FINISHED).defer("record_json").order_by("number")
    return [party_score(match, party, match.game_rules.players) for party in finished]


def party_score(match: Match, party: Party, seats: int) -> PartyScore:
    """A finished party, turned from the table to the match."""
    sides = match.game_rules.sides
    forfeiter = None if party.forfeiter is None else party.match_seat(party.forfeiter, seats)
    return PartyScore(
        totals=_turned(party, party.totals or [], sides),
        winner=None if party.winner is None else party.match_side(party.winner, sides),
        stakes=_turned(party, party.stakes, sides) if party.stakes else None,
        forfeiter=forfeiter,
        absent=tuple(party.match_seat(seat, seats) for seat in party.absent),
    )


def _turned(party: Party, by_table_side: Sequence[int], sides: int) -> tuple[int, ...]:
    return tuple(by_table_side[party.table_side(side, sides)] for side in range(sides))
