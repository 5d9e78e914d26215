"""Entries that players' owners make themselves, where a tournament takes them; nobody else is asked."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from matches.core.names import NameRefused
from matches.models import Agent, Player, PlayerKind, User
from matches.services.versions import free_name
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.services.entries import enter
from tournaments.services.state import lock

OPEN = (TournamentStatus.REGISTRATION, TournamentStatus.CHECK_IN)


def own_entries(tournament: Tournament, owner: User) -> QuerySet[Entry]:
    """The entries all of whose members are this owner's: what he may do with them asks nobody else."""
    members = EntryMember.objects.filter(entry=OuterRef("pk"))
    return tournament.entries.filter(Exists(members)).exclude(Exists(members.exclude(player__owner=owner)))


@transaction.atomic
def enter_own(tournament_id: int, agents: Sequence[Agent], owner: User, name: str | None = None) -> Entry:
    """Enters versions of one's own players; in pairs two, or one that plays both hands.

    Only while registration or check-in is open, and programs among programs, people among people: whoever mixes them
    directs the tournament. `name`: of a pair, and no other player's. Locks the tournament; raises TournamentError.
    """
    tournament = lock(tournament_id)
    if tournament.status not in OPEN:
        raise TournamentError("registration_closed", f"“{tournament}” is {tournament.status} and takes no entries now.")
    for agent in agents:
        check_own(agent.player, owner)
    _check_name(agents, name)
    _check_company(tournament, agents)
    return enter(tournament_id, *agents, name=name, by=owner)


def check_own(player: Player, owner: User) -> None:
    """Raises TournamentError for a player of somebody else's."""
    if player.owner_id != owner.pk:
        raise TournamentError("not_yours", f"{player} is not yours: its owner enters it.")


def _check_name(agents: Sequence[Agent], name: str | None) -> None:
    """So that nobody enters as somebody else. Raises TournamentError."""
    if name is None or name in {agent.player.name for agent in agents}:
        return
    if len(agents) < 2:
        raise TournamentError(
            "name_set", f"Who is entered alone is called as ever: {agents[0].player}. Leave out name."
        )
    try:
        free_name(name)
    except NameRefused as refusal:
        raise TournamentError(refusal.code, str(refusal)) from refusal


def _check_company(tournament: Tournament, agents: Sequence[Agent]) -> None:
    there = set(EntryMember.objects.filter(tournament=tournament).values_list("player__kind", flat=True).distinct())
    people = {kind == PlayerKind.PERSON for kind in there | {agent.player.kind for agent in agents}}
    if len(people) > 1:
        told = "people" if PlayerKind.PERSON in there else "programs"
        raise TournamentError(f"{told}_only", f"{told.capitalize()} play in “{tournament}”: ask who directs it.")
