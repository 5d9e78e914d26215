"""Programs as lists show them: whose each is, whether it plays, and what came of its matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from bots_api.models import Bot, BotVersion
from matches.audience import visible_matches
from matches.core.house import KIND as HOUSE
from matches.core.house import why_not_house
from matches.core.lifecycle import MatchStatus
from matches.core.outcome import Outcome
from matches.models import Agent, AgentStatus, PlayerKind, ResultSeat, User
from matches.web.wording import budget_words

SHOWN_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Tally:
    """Matches that are decided, by what came of them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Program:
    """One program in a list. `label` and `status` are those of the version that plays, else of the newest one; both
    are empty while there is none."""

    public_id: str
    name: str
    owner: str
    label: str
    status: str
    status_words: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Anchor:
    """A house program: always the same strength, for others to measure themselves by."""

    player_id: str
    name: str
    label: str
    budget: str


def programs_of(user: User | AnonymousUser) -> tuple[Program, ...]:
    """The reader's own programs, by name. Three queries; none for who is not logged in."""
    if not user.is_authenticated:
        return ()
    return _programs(_bots().filter(player__owner=user), user)


def all_programs(user: User | AnonymousUser, search: str, page: str) -> Page[Any]:
    """One page of everybody's, by name. Four queries."""
    found = _bots()
    if search:
        found = found.filter(Q(player__name__icontains=search) | Q(player__owner__username__iexact=search))
    shown: Page[Any] = Paginator(found, SHOWN_A_PAGE).get_page(page)
    shown.object_list = _programs(list(shown.object_list), user)
    return shown


def has_active(user: User | AnonymousUser) -> bool:
    """Whether the reader has a program that could challenge another. One query."""
    own = BotVersion.objects.filter(agent__status=AgentStatus.ACTIVE, is_accepting=True)
    return user.is_authenticated and own.filter(bot__player__owner=user).exists()


def anchors() -> tuple[Anchor, ...]:
    """The house programs that have sat at a table and still play. One query."""
    agents = Agent.objects.filter(kind=HOUSE, player__kind=PlayerKind.HOUSE, status=AgentStatus.ACTIVE)
    return tuple(
        Anchor(agent.player.public_id, agent.player.name, agent.label, budget_words(agent.label))
        for agent in agents.filter(player__name__startswith="house:").select_related("player")
        if not why_not_house(agent.label)
    )


def _bots() -> QuerySet[Bot]:
    versions = BotVersion.objects.select_related("agent").order_by("-created_at")
    return (
        Bot.objects.select_related("player__owner")
        .prefetch_related(Prefetch("versions", versions, to_attr="newest_first"))
        .order_by("player__name")
    )


def _programs(bots: Iterable[Any], user: User | AnonymousUser) -> tuple[Program, ...]:
    bots = list(bots)
    tallies = tallies_of([bot.player_id for bot in bots], user)
    return tuple(_program(bot, tallies.get(bot.player_id, Tally())) for bot in bots)


def _program(bot: Any, tally: Tally) -> Program:
    shown = next((one for one in bot.newest_first if one.agent.status == AgentStatus.ACTIVE), None)
    shown = shown or next(iter(bot.newest_first), None)
    return Program(
        public_id=bot.public_id,
        name=bot.player.name,
        owner=bot.player.owner.username if bot.player.owner else "",
        label=shown.agent.label if shown else "",
        status=shown.agent.status if shown else "",
        status_words=state_words(shown) if shown else _("no version yet"),
        tally=tally,
    )


def state_words(version: BotVersion) -> str:
    """The status of a version for everybody, and whether it takes matches now."""
    words = str(version.agent.get_status_display())
    if version.agent.status != AgentStatus.ACTIVE or version.agent.is_ready:
        return words
    return _("not connected") if version.is_accepting else _("takes no new matches")


def tallies_of(players: Sequence[int], user: User | AnonymousUser) -> dict[int, Tally]:
    """Of the matches that this reader may see, by the player's key. One query."""
    seats = ResultSeat.objects.filter(
        agent__player__in=players,
        result__match__status=MatchStatus.FINISHED,
        result__match__in=visible_matches(user),
    )
    counted = seats.values_list("agent__player").annotate(
        won=_decided(Outcome.WON), drawn=_decided(Outcome.DRAWN), lost=_decided(Outcome.LOST)
    )
    return {player: Tally(*numbers) for player, *numbers in counted.order_by()}


def _decided(outcome: Outcome) -> Count:
    """A match counts once, though one program may have played both hands of a pair."""
    return Count("result", filter=Q(outcome=outcome), distinct=True)
