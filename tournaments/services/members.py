"""Who may belong to an entry, and how it may be called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models.functions import Lower

from engine import Rules, RulesError
from matches.core.house import KIND, why_not_house
from matches.core.names import NameRefused, parse_name
from matches.models import Agent, AgentStatus, Player, PlayerKind
from matches.services.versions import person_agent
from tournaments.errors import TournamentError
from tournaments.models import EntryMember, Tournament
from tournaments.models.fields import LONGEST_ENTRY_NAME, MOST_MEMBERS


def check_members(tournament: Tournament, agents: Sequence[Agent], substitutes: Sequence[Agent] = ()) -> None:
    """Raises TournamentError unless these could be an entry: hands first, then who stands by. No query.

    Whether one of them is entered already is asked by `check_not_entered`.
    """
    if len(agents) > tournament.hands:
        raise TournamentError(
            "too_many_members",
            f"“{tournament}” is played at {tournament.rules}: an entry has {tournament.hands} at the most.",
        )
    _check_substitutes(tournament, agents, substitutes)
    for agent in (*agents, *substitutes):
        check_agent(tournament, agent)


def check_not_entered(tournament: Tournament, agents: Iterable[Agent]) -> None:
    """Raises TournamentError for a player who is entered already, or twice among these. One query."""
    count = Counter(agent.player for agent in agents)
    entered = EntryMember.objects.filter(tournament=tournament, player__in=list(count)).select_related("player").first()
    twice = next((player for player, times in count.items() if times > 1), None)
    if player := entered.player if entered else twice:
        raise TournamentError("entered_already", f"{player} is entered in “{tournament}” already.")


def _check_substitutes(tournament: Tournament, agents: Sequence[Agent], substitutes: Sequence[Agent]) -> None:
    if substitutes and len(agents) < tournament.hands:
        raise TournamentError(
            "substitutes_too_early",
            f"An entry has {tournament.hands} hands at {tournament.rules}: name who plays each of them before the "
            "substitutes.",
        )
    if len(agents) + len(substitutes) > MOST_MEMBERS:
        raise TournamentError(
            "too_many_members", f"An entry has {MOST_MEMBERS} members at the most, its substitutes among them."
        )


def check_agent(tournament: Tournament, agent: Agent) -> None:
    """Raises TournamentError for a version that cannot play here."""
    if agent.status != AgentStatus.ACTIVE:
        raise TournamentError(
            "version_not_active", f"{agent} is {agent.get_status_display()}; only an active version can be entered."
        )
    check_house(tournament, agent)


def check_house(tournament: Tournament, agent: Agent) -> None:
    """Raises TournamentError for a house program that does not play these rules, and for a version that is not here."""
    if agent.kind == KIND and (refusal := why_not_house(agent.label, rules_of(tournament))):
        raise TournamentError("house_refused", f"{agent.player} cannot play: {refusal}")


def rules_of(tournament: Tournament) -> Rules:
    """Raises TournamentError where the rules do not fit together."""
    try:
        return tournament.game_rules
    except RulesError as error:
        raise TournamentError("bad_rules", f"The rules do not fit together: {error}") from error


def newest_version(player: Player) -> Agent:
    """The version with which a player is entered; raises TournamentError if he has none that plays.

    A person has one, made when first asked for.
    """
    if player.kind == PlayerKind.PERSON:
        return person_agent(player)
    agent = player.agents.filter(status=AgentStatus.ACTIVE).order_by("-created_at", "-id").first()
    if agent is None:
        raise TournamentError("no_active_version", f"{player} has no active version: admit one first.")
    return agent


def wanted_name(agents: Sequence[Agent], name: str | None) -> str:
    """How an entry is called: as it was named, or as its players are; raises TournamentError."""
    if name is None:
        wanted = " & ".join(agent.player.name for agent in agents)
    else:
        try:
            wanted = parse_name(name)
        except NameRefused as refusal:
            raise TournamentError(refusal.code, str(refusal)) from refusal
    if len(wanted) > LONGEST_ENTRY_NAME:
        raise TournamentError(
            "name_long", f"“{wanted}” has {len(wanted)} characters; {LONGEST_ENTRY_NAME} are the most: name it else."
        )
    return wanted


def check_names(tournament: Tournament, names: Sequence[str]) -> None:
    """Raises TournamentError for a name that an entry has already, in whatever case. One query."""
    count = Counter(name.lower() for name in names)
    lowered = tournament.entries.alias(lowered=Lower("name")).filter(lowered__in=list(count))
    here = lowered.values_list("name", flat=True).first()
    if taken := here or next((name for name in names if count[name.lower()] > 1), None):
        raise TournamentError("name_taken", f"An entry of “{tournament}” is called “{taken}” already: name it else.")
