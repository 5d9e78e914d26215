"""Whether a challenge can be played at all: its rules, its length, who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots_api.challenges.errors import ChallengeRefused
from engine import Rules, RulesError, rules_of
from matches.core.house import KIND as HOUSE
from matches.core.house import why_not_house
from matches.core.owners import have_one_owner
from matches.core.plan import MOST_BOARDS, MOST_DEALS, Length, MatchPlan, match_overrides, why_not_plan
from matches.models import Agent, AgentStatus, PlayerKind
from matches.services.versions import house_agent

OPPONENTS = "opponents"


def table_of(rules: str, overrides: Mapping[str, object], deals: int | None, length: Length) -> Rules:
    """The rules as they will be played; raises ChallengeRefused, which names the field that does not fit."""
    if deals is not None and not 1 <= deals <= MOST_DEALS:
        raise ChallengeRefused("bad_deals", f"A board has 1 to {MOST_DEALS} deals, not {deals}.", "deals")
    try:
        plain = rules_of(rules, overrides)
    except RulesError as error:
        field = "rules" if error.code == "unknown_preset" else "overrides"
        raise ChallengeRefused(error.code, str(error), field) from error
    if deals is None or length != Length.BOARDS:
        return plain
    try:
        return rules_of(rules, match_overrides(overrides, deals))
    except RulesError as error:
        raise ChallengeRefused(error.code, str(error), "deals") from error


def seats_of(rules: Rules, challenger: Agent, opponents: Sequence[Agent]) -> tuple[Agent, ...]:
    """Who sits where, the challenger first. In pairs one opponent alone means that each plays both hands.

    A house program at several sides plays under a name of its own at each. Raises ChallengeRefused.
    """
    others = [opponents[0], challenger, opponents[0]] if rules.pairs and len(opponents) == 1 else list(opponents)
    if len(others) != rules.players - 1:
        alone = ", or one, who plays both hands as the challenger does" if rules.pairs else ""
        expected = f"{rules.name} is for {rules.players} seats: name all others in their order{alone}."
        raise ChallengeRefused("wrong_seats", expected, OPPONENTS)
    seated = _under_own_names(rules, [challenger, *others])
    sides = {(agent.pk, rules.side_of(index)) for index, agent in enumerate(seated)}
    if len({agent for agent, _ in sides}) < len(sides):
        raise ChallengeRefused("against_itself", "A version cannot play against itself in one match.", OPPONENTS)
    return seated


def _under_own_names(rules: Rules, agents: Sequence[Agent]) -> tuple[Agent, ...]:
    sides: dict[int, list[int]] = {}
    seated = []
    for index, agent in enumerate(agents):
        of_agent, side = sides.setdefault(agent.pk, []), rules.side_of(index)
        if side not in of_agent:
            of_agent.append(side)
        number = of_agent.index(side) + 1
        is_again = agent.kind == HOUSE and number > 1
        seated.append(house_agent(agent.label, f"{agent.player.name} {number}") if is_again else agent)
    return tuple(seated)


def check_length(plan: MatchPlan, rules: Rules) -> None:
    """Raises ChallengeRefused."""
    if not 1 <= plan.boards <= MOST_BOARDS:
        raise ChallengeRefused("bad_boards", f"A match has 1 to {MOST_BOARDS} boards, not {plan.boards}.", "boards")
    if why := why_not_plan(plan, rules):
        raise ChallengeRefused("bad_length", why, "boards")


def check_seated(rules: Rules, seated: Sequence[Agent]) -> None:
    """Raises ChallengeRefused unless all of them can play these rules now."""
    for index, agent in enumerate(seated):
        field = OPPONENTS if index else "challenger"
        if agent.player.kind == PlayerKind.PERSON:
            raise ChallengeRefused("not_a_program", f"{agent.player} is a person: only programs are challenged.", field)
        if agent.status != AgentStatus.ACTIVE:
            raise ChallengeRefused("not_active", f"{agent} is {agent.get_status_display()} and does not play.", field)
        if not _takes_matches(agent):
            raise ChallengeRefused("draining", f"{agent} takes no new matches at the moment.", field)
        if agent.kind == HOUSE and (why := why_not_house(agent.label, rules)):
            raise ChallengeRefused("house_does_not_play", why, field)


def _takes_matches(agent: Agent) -> bool:
    version = getattr(agent, "bot_version", None)
    return version is None or version.is_accepting


def is_among_one_owners(rules: Rules, seated: Sequence[Agent]) -> bool:
    """Whether programs of one owner would meet."""
    return have_one_owner((rules.side_of(index), agent.player.owner_id) for index, agent in enumerate(seated))
