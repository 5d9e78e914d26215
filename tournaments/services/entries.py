"""Registration: opening it, entering, leaving."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from matches.models import Agent, AgentStatus, Player
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
def enter(tournament_id: int, agent: Agent) -> Entry:
    """Enters a version; its player takes the next pairing number. Locks the tournament; raises TournamentError."""
    tournament = lock(tournament_id)
    _check_open(tournament)
    if agent.status != AgentStatus.ACTIVE:
        raise TournamentError(
            "version_not_active", f"{agent} is {agent.get_status_display()}; only an active version can be entered."
        )
    if EntryMember.objects.filter(tournament=tournament, player=agent.player).exists():
        raise TournamentError("entered_already", f"{agent.player} is entered in “{tournament}” already.")
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    entry = Entry.objects.create(tournament=tournament, name=agent.player.name, number=last + 1, agent=agent)
    EntryMember.objects.create(tournament=tournament, entry=entry, player=agent.player)
    return entry


def enter_player(tournament_id: int, player: Player) -> Entry:
    """Enters a player with his newest active version; raises TournamentError if he has none."""
    agent = player.agents.filter(status=AgentStatus.ACTIVE).order_by("-created_at", "-id").first()
    if agent is None:
        raise TournamentError("no_active_version", f"{player} has no active version: admit one first.")
    return enter(tournament_id, agent)


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
