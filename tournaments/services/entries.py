"""Registration: opening it, entering, leaving."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max, Value
from django.db.models.functions import Lower

from engine import Rules, RulesError
from matches.core.house import KIND, house_programs, why_not_house
from matches.core.names import NameRefused, parse_name
from matches.models import Agent, AgentStatus, Player
from matches.services.versions import house_agent
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.services.state import lock, move


@transaction.atomic
def open_registration(tournament_id: int) -> Tournament:
    """Lets everybody see a draft and takes entries. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.REGISTRATION)
    return tournament


@transaction.atomic
def enter(tournament_id: int, agent: Agent, *more: Agent, name: str | None = None) -> Entry:
    """Enters a version, in pairs with a partner's or alone at both hands; the entry takes the next pairing number.

    `name`: how it is called in this tournament, by default as its players are. Locks the tournament; raises
    TournamentError.
    """
    tournament = lock(tournament_id)
    _check_open(tournament)
    agents = (agent, *more)
    _check_members(tournament, agents)
    entry_name = _free_name(tournament, agents, name)
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    entry = Entry.objects.create(tournament=tournament, name=entry_name, number=last + 1)
    EntryMember.objects.bulk_create(
        EntryMember(tournament=tournament, entry=entry, position=position, player=one.player, agent=one)
        for position, one in enumerate(agents)
    )
    return entry


def _check_members(tournament: Tournament, agents: Sequence[Agent]) -> None:
    if len(agents) > tournament.hands:
        raise TournamentError(
            "too_many_members",
            f"“{tournament}” is played at {tournament.rules}: an entry has {tournament.hands} at the most.",
        )
    for agent in agents:
        if agent.status != AgentStatus.ACTIVE:
            raise TournamentError(
                "version_not_active", f"{agent} is {agent.get_status_display()}; only an active version can be entered."
            )
        check_house(tournament, agent)
    players = [agent.player for agent in agents]
    entered = EntryMember.objects.filter(tournament=tournament, player__in=players).select_related("player").first()
    if entered is not None or len(set(players)) < len(players):
        player = entered.player if entered else players[0]
        raise TournamentError("entered_already", f"{player} is entered in “{tournament}” already.")


def check_house(tournament: Tournament, agent: Agent) -> None:
    """Raises TournamentError for a house program that does not play these rules, and for a version that is not here."""
    if agent.kind == KIND and (refusal := why_not_house(agent.label, _rules_of(tournament))):
        raise TournamentError("house_refused", f"{agent.player} cannot play: {refusal}")


def _rules_of(tournament: Tournament) -> Rules:
    try:
        return tournament.game_rules
    except RulesError as error:
        raise TournamentError("bad_rules", f"The rules do not fit together: {error}") from error


def _free_name(tournament: Tournament, agents: Sequence[Agent], name: str | None) -> str:
    if name is None:
        wanted = " & ".join(agent.player.name for agent in agents)
    else:
        try:
            wanted = parse_name(name)
        except NameRefused as refusal:
            raise TournamentError(refusal.code, str(refusal)) from refusal
    lowered = tournament.entries.alias(lowered=Lower("name")).filter(lowered=Lower(Value(wanted)))
    if lowered.exists():
        raise TournamentError("name_taken", f"An entry of “{tournament}” is called “{wanted}” already: name it else.")
    return wanted


def enter_player(tournament_id: int, player: Player) -> Entry:
    """Enters a player with his newest active version; raises TournamentError if he has none."""
    agent = player.agents.filter(status=AgentStatus.ACTIVE).order_by("-created_at", "-id").first()
    if agent is None:
        raise TournamentError("no_active_version", f"{player} has no active version: admit one first.")
    return enter(tournament_id, agent)


@transaction.atomic
def enter_house(tournament_id: int) -> list[Entry]:
    """Enters each house program that plays these rules, weakest first, unless one of it is there under whatever name.

    In pairs each plays both hands. Locks the tournament; raises TournamentError.
    """
    tournament = lock(tournament_id)
    _check_open(tournament)
    rules = _rules_of(tournament)
    members = EntryMember.objects.filter(tournament=tournament, agent__kind=KIND)
    there = set(members.values_list("agent__label", flat=True))
    missing = [one for one in house_programs() if one.plays(rules) and one.label not in there]
    try:
        return [enter(tournament_id, house_agent(one.label)) for one in missing]
    except NameRefused as refusal:
        raise TournamentError(refusal.code, str(refusal)) from refusal


@transaction.atomic
def leave(entry_id: int) -> None:
    """Takes an entry back before the start; the numbers behind it move up. Locks the tournament."""
    entry = Entry.objects.select_related("tournament").get(pk=entry_id)
    tournament = lock(entry.tournament_id)
    _check_open(tournament)
    entry.delete()
    for number, other in enumerate(tournament.entries.order_by("number"), start=1):
        Entry.objects.filter(pk=other.pk).update(number=number)


def _check_open(tournament: Tournament) -> None:
    if tournament.is_frozen:
        raise TournamentError(
            "entries_closed", f"“{tournament}” is {tournament.status}; entries change before the start only."
        )
