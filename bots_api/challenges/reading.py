"""Finding challenges and whom one can challenge."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from bots_api.challenges.errors import ChallengeRefused
from bots_api.models import Challenge, ChallengeSeat, ChallengeStatus, SeatAnswer
from engine import rules_of
from engine.bots import HOUSE_VERSIONS
from matches.core.house import HouseRefused
from matches.core.names import HOUSE_PREFIX
from matches.core.owners import have_one_owner
from matches.models import Agent, AgentStatus, User
from matches.services.versions import house_agent


def challenges_of(user: User) -> QuerySet[Challenge]:
    """Those that somebody made or is asked to, newest first, with their seats: two queries. Nobody else sees them."""
    asked = ChallengeSeat.objects.filter(challenge=OuterRef("pk"), agent__player__owner=user)
    own = Challenge.objects.filter(Q(Exists(asked)) | Q(made_by=user))
    seats = Prefetch("seats", ChallengeSeat.objects.select_related("agent__player"))
    return own.select_related("made_by", "match").prefetch_related(seats)


def own_seats(challenge: Challenge, user: User) -> list[Agent]:
    """The versions of somebody's that sit at it, each once."""
    return list({seat.agent: None for seat in challenge.seats.all() if seat.agent.player.owner_id == user.pk})


def waits_for(challenge: Challenge, user: User) -> list[Agent]:
    """The versions of somebody's that have not answered yet."""
    if challenge.status != ChallengeStatus.OFFERED:
        return []
    pending = {seat.agent for seat in challenge.seats.all() if seat.answer == SeatAnswer.PENDING}
    return [agent for agent in own_seats(challenge, user) if agent in pending]


def is_among_one_owners(challenge: Challenge) -> bool:
    """Whether programs of one owner meet in it. No query where seats are prefetched."""
    rules = rules_of(challenge.rules)
    return have_one_owner((rules.side_of(seat.index), seat.agent.player.owner_id) for seat in challenge.seats.all())


def find_version(told: str, field: str) -> Agent:
    """A version by what a program calls it: `v_…`, `b_…` for the newest active one, `house:greedy` or `greedy@1`.

    Raises ChallengeRefused, which names the field.
    """
    found = _find(told)
    if found is None:
        expected = "expected v_… of a version, b_… of a program with an active one, or house:greedy"
        raise ChallengeRefused("unknown_version", f"“{told[:60]}”: there is no such version; {expected}.", field)
    return found


def _find(told: str) -> Agent | None:
    agents = Agent.objects.select_related("player__bot", "bot_version")
    if told.startswith("v_"):
        return agents.filter(public_id=told).first()
    if told.startswith("b_"):
        active = agents.filter(player__bot__public_id=told, status=AgentStatus.ACTIVE)
        return active.order_by("-created_at", "-id").first()
    return _house(told.removeprefix(HOUSE_PREFIX))


def _house(told: str) -> Agent | None:
    label = told if "@" in told else f"{told}@{HOUSE_VERSIONS.get(told)}"
    try:
        return house_agent(label)
    except (HouseRefused, KeyError):
        return None
