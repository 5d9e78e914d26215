"""Challenges: offered, answered, taken back, expired. Each verb locks the challenge, which has one match at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.table import check_length, check_seated, is_among_one_owners, seats_of, table_of
from bots_api.models import Challenge, ChallengePolicy, ChallengeSeat, ChallengeStatus, SeatAnswer
from engine import Rules
from matches.core.clocks import Control
from matches.core.lifecycle import OVER
from matches.core.plan import AFTER_ALL, BOARD_DEALS, Length, MatchPlan
from matches.models import Agent, AgentStatus, Player, PlayerKind, User
from matches.services.create import create_match

GROUP = "challenges"
MOST_UNFINISHED = 20
"""Challenges of one user that are open, or whose match is not over; and of others with one program of his."""
UNFINISHED = Q(status=ChallengeStatus.OFFERED) | (Q(status=ChallengeStatus.ACCEPTED) & ~Q(match__status__in=list(OVER)))
LONGEST_HOURS = 168
LONGEST_TITLE = 300
RETIRED = "a version that was to play has been retired"


@transaction.atomic
def challenge(
    by: User,
    challenger: Agent,
    opponents: Sequence[Agent],
    *,
    rules: str = "moscow/2",
    overrides: Mapping[str, object] | None = None,
    length: Length = Length.BOARDS,
    boards: int = 2,
    deals: int | None = BOARD_DEALS,
    control: Control = Control.LADDER,
    strict: bool = False,
    rated: bool = False,
    hours: int = 24,
) -> Challenge:
    """Asks others to a match with a program of one's own; it is drawn at once if nobody has to be asked.

    `opponents`: whoever sits at the other seats, in their order; in pairs one alone plays both hands, and the
    challenger too. `hours`: so long it can be accepted, at most 168. Locks the user; raises ChallengeRefused.
    """
    table = table_of(rules, overrides or {}, deals, Length(length))
    seated = seats_of(table, challenger, opponents)
    plan = MatchPlan(
        agents=tuple(agent.pk for agent in seated),
        rules=rules,
        overrides=dict(overrides or {}),
        length=Length(length),
        boards=boards,
        deals=deals,
        control=Control(control),
        strict=strict,
        rated=rated,
    )
    _check_asked(by, plan, table, seated, hours)
    _check_not_too_many(by)
    _check_left_in_peace(by, seated)
    made = _written(by, plan, hours)
    answers = [_first_answer(agent, by) for agent in seated]
    ChallengeSeat.objects.bulk_create(
        ChallengeSeat(challenge=made, index=index, agent=agent, answer=answer)
        for index, (agent, answer) in enumerate(zip(seated, answers, strict=True))
    )
    return _settled(made)


def _check_asked(by: User, plan: MatchPlan, table: Rules, seated: Sequence[Agent], hours: int) -> None:
    challenger = seated[0].player
    if challenger.kind != PlayerKind.BOT or challenger.owner_id != by.pk:
        raise ChallengeRefused("not_yours", f"{challenger} is no program of yours: challenge with one that is.")
    check_length(plan, table)
    check_seated(table, seated)
    if plan.rated and is_among_one_owners(table, seated):
        text = "Programs of one owner alone meet here, and such a match is never rated: leave “rated” off."
        raise ChallengeRefused("same_owner", text, "rated")
    if not 1 <= hours <= LONGEST_HOURS:
        text = f"A challenge is open for 1 to {LONGEST_HOURS} hours, not {hours}."
        raise ChallengeRefused("bad_hours", text, "hours")


def _check_not_too_many(by: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    if Challenge.objects.filter(UNFINISHED, made_by=by).count() >= MOST_UNFINISHED:
        raise ChallengeRefused(
            "too_many", f"You have {MOST_UNFINISHED} challenges that are not over: wait for one, or take one back."
        )


def _check_left_in_peace(by: User, seated: Sequence[Agent]) -> None:
    """Others' programs are not flooded by many who each ask for a little. Locks their players, in one order."""
    players = {agent.player for agent in seated if agent.player.kind == PlayerKind.BOT}
    others = Player.objects.filter(pk__in=[player.pk for player in players]).exclude(owner=by)
    for player in others.select_for_update(no_key=True).order_by("pk"):
        asked = ChallengeSeat.objects.filter(challenge=OuterRef("pk"), agent__player=player)
        unfinished = Challenge.objects.filter(UNFINISHED, Exists(asked)).exclude(made_by=player.owner_id)
        if unfinished.count() >= MOST_UNFINISHED:
            text = f"{player} has {MOST_UNFINISHED} challenges of others that are not over: try again later."
            raise ChallengeRefused("opponent_busy", text)


def _written(by: User, plan: MatchPlan, hours: int) -> Challenge:
    return Challenge.objects.create(
        made_by=by,
        rules=plan.rules,
        overrides=dict(plan.overrides),
        length=plan.length,
        boards=plan.boards,
        deals=plan.deals,
        control=plan.control,
        strict=plan.strict,
        rated=plan.rated,
        expires_at=timezone.now() + timedelta(hours=hours),
    )


def _first_answer(agent: Agent, by: User) -> SeatAnswer:
    """The house plays with everybody, and nobody is asked about his own; others as their owners have set it."""
    player = agent.player
    if player.kind == PlayerKind.HOUSE or player.owner_id == by.pk:
        return SeatAnswer.ACCEPTED
    policy = player.bot.challenges if hasattr(player, "bot") else ChallengePolicy.ASK
    return _BY_POLICY[ChallengePolicy(policy)]


_BY_POLICY = {
    ChallengePolicy.ALL: SeatAnswer.ACCEPTED,
    ChallengePolicy.ASK: SeatAnswer.PENDING,
    ChallengePolicy.NONE: SeatAnswer.DECLINED,
}


def _settled(held: Challenge) -> Challenge:
    """Ends or begins a challenge as its answers say. To be called under its lock."""
    seats = list(held.seats.select_related("agent__player").order_by("index"))
    declined = next((seat for seat in seats if seat.answer == SeatAnswer.DECLINED), None)
    if declined is not None:
        return _ended(held, ChallengeStatus.DECLINED, held.reason or f"{declined.agent.player} accepts no challenges")
    if all(seat.answer == SeatAnswer.ACCEPTED for seat in seats):
        held.match = create_match(_plan_of(held, [seat.agent for seat in seats]))
        return _ended(held, ChallengeStatus.ACCEPTED)
    return held


def _plan_of(held: Challenge, seated: Sequence[Agent]) -> MatchPlan:
    return MatchPlan(
        agents=tuple(agent.pk for agent in seated),
        rules=held.rules,
        overrides=held.overrides,
        length=Length(held.length),
        boards=held.boards,
        deals=held.deals,
        control=Control(held.control),
        strict=held.strict,
        title=" – ".join(agent.player.name for agent in seated)[:LONGEST_TITLE],
        group=GROUP,
        rated=held.rated,
        priority=AFTER_ALL,
    )


def _ended(held: Challenge, status: ChallengeStatus, reason: str = "") -> Challenge:
    held.status, held.reason = status, reason[:200]
    held.save(update_fields=["status", "reason", "match"])
    return held


@transaction.atomic
def accept(challenge: Challenge, agent: Agent, by: User | None = None) -> Challenge:
    """One version's word that it plays; with the last one the match is drawn. A second time changes nothing.

    `by`: who says so for it, its owner. Locks the challenge; raises ChallengeRefused.
    """
    held = _lock(challenge)
    own = _own_seats(held, agent, by)
    if held.status == ChallengeStatus.ACCEPTED:
        return held
    _check_open(held)
    if held.expires_at <= timezone.now():
        raise ChallengeRefused("already_expired", "The challenge has expired: nobody can accept it any more.")
    seated = [seat.agent for seat in held.seats.select_related("agent__player", "agent__bot_version")]
    check_seated(table_of(held.rules, held.overrides, held.deals, Length(held.length)), seated)
    own.update(answer=SeatAnswer.ACCEPTED)
    return _settled(held)


@transaction.atomic
def decline(challenge: Challenge, agent: Agent, by: User | None = None, reason: str = "") -> Challenge:
    """One version's word that it does not play, which ends the challenge. A second time changes nothing.

    Locks the challenge; raises ChallengeRefused.
    """
    held = _lock(challenge)
    own = _own_seats(held, agent, by)
    if own.filter(answer=SeatAnswer.DECLINED).exists():
        return held
    _check_open(held)
    own.update(answer=SeatAnswer.DECLINED)
    held.reason = " ".join(reason.split()) or f"{agent.player} declined"
    return _settled(held)


@transaction.atomic
def cancel(challenge: Challenge, by: User) -> Challenge:
    """Takes a challenge back that has not been accepted. A second time changes nothing.

    Locks the challenge; raises ChallengeRefused.
    """
    held = _lock(challenge)
    if held.made_by_id != by.pk:
        raise ChallengeRefused("not_yours", "Only who made a challenge takes it back: decline it instead.")
    if held.status == ChallengeStatus.CANCELLED:
        return held
    _check_open(held)
    return _ended(held, ChallengeStatus.CANCELLED)


def expire_due() -> int:
    """Ends what nobody has accepted in time, or can accept any more because somebody asked has been retired.

    Returns how many. One statement each: who is accepting now is quicker.
    """
    offered = Challenge.objects.filter(status=ChallengeStatus.OFFERED)
    retired = ChallengeSeat.objects.filter(challenge=OuterRef("pk"), agent__status=AgentStatus.RETIRED)
    void = offered.filter(Exists(retired)).update(status=ChallengeStatus.CANCELLED, reason=RETIRED)
    return void + offered.filter(expires_at__lte=Now()).update(status=ChallengeStatus.EXPIRED)


def _lock(challenge: Challenge) -> Challenge:
    return Challenge.objects.select_for_update(no_key=True).get(pk=challenge.pk)


def _own_seats(held: Challenge, agent: Agent, by: User | None) -> QuerySet[ChallengeSeat]:
    """The seats of a version, of which there may be two in pairs; raises ChallengeRefused."""
    own = held.seats.filter(agent=agent)
    if not own.exists():
        raise ChallengeRefused("not_asked", f"{agent} is not asked to this match.")
    if by is not None and agent.player.owner_id != by.pk:
        raise ChallengeRefused("not_yours", f"{agent} is not yours: its owner answers for it.")
    return own


def _check_open(held: Challenge) -> None:
    if held.status != ChallengeStatus.OFFERED:
        raise ChallengeRefused(f"already_{held.status}", f"The challenge is over: {held.get_status_display()}.")
