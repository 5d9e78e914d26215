"""Bringing somebody else in: a substitute of the team, or a newer version of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from matches.models import Agent, AgentStatus, Match, Player, User
from matches.services.seats import reseat
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.models.fields import MOST_MEMBERS
from tournaments.services.field import check_not_over, lock_entry
from tournaments.services.log import note
from tournaments.services.members import check_agent, newest_version
from tournaments.services.schedule import follow


@transaction.atomic
def substitute(entry_id: int, out_player_id: int, in_player_id: int, by: User | None = None) -> Entry:
    """Lets one player take another's hand from the next match on; old results stay as they are.

    The same player twice: his newest version takes over. Somebody who stands by changes places; a stranger comes into
    the entry, and who goes out stands by. Matches that are drawn and have not begun are played by the one who came in,
    where both are people or both programs. Locks the tournament; raises TournamentError.
    """
    tournament, entry = lock_entry(entry_id)
    check_not_over(tournament)
    if entry.status != EntryStatus.ACTIVE:
        raise TournamentError("entry_not_active", f"{entry.name} is {entry.get_status_display()}: nobody plays for it.")
    members = list(entry.members.select_related("agent__player", "player").order_by("position"))
    goes = next((member for member in members if member.player_id == out_player_id), None)
    if goes is None:
        raise TournamentError("not_a_member", f"He who should go out does not belong to {entry.name}.")
    bench = next((member for member in members if member.player_id == in_player_id), None)
    comes = _coming(tournament, entry, goes, bench, in_player_id)
    if comes == goes.agent:
        return entry
    _write(tournament, entry, _places(tournament, members, goes, bench, comes))
    taken_over = _take_over(tournament, goes, bench, comes)
    note(
        tournament,
        "substituted",
        by,
        entry=entry.public_id,
        name=entry.name,
        out=str(goes.agent),
        came=str(comes),
        matches=taken_over,
    )
    follow(tournament)
    return entry


def _coming(
    tournament: Tournament, entry: Entry, goes: EntryMember, bench: EntryMember | None, player_id: int
) -> Agent:
    """The version that comes in: pinned for who stands by, else the newest; raises TournamentError if it may not."""
    if bench not in (None, goes) and bench.agent.status == AgentStatus.ACTIVE:
        return bench.agent
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise TournamentError("no_such_player", "He who should come in is no player here.")
    elsewhere = EntryMember.objects.filter(tournament=tournament, player=player).exclude(entry=entry)
    if other := elsewhere.select_related("entry").first():
        raise TournamentError("entered_already", f"{player} plays for {other.entry.name} in “{tournament}”.")
    agent = newest_version(player)
    check_agent(tournament, agent)
    return agent


def _places(
    tournament: Tournament,
    members: Sequence[EntryMember],
    goes: EntryMember,
    bench: EntryMember | None,
    comes: Agent,
) -> dict[int, Agent]:
    """Who has which position then. One who alone plays all hands does not stay: he would keep one of them."""
    places = {member.position: member.agent for member in members}
    places[goes.position] = comes
    if bench is not None and bench is not goes:
        places[bench.position] = goes.agent
    elif bench is None and tournament.hands <= len(members) < MOST_MEMBERS:
        places[max(places) + 1] = goes.agent
    return places


def _write(tournament: Tournament, entry: Entry, places: Mapping[int, Agent]) -> None:
    """All anew: a position and a player are there once at every moment."""
    if entry.hands is None:
        entry.hands = min(entry.members.count(), tournament.hands)
        entry.save(update_fields=["hands"])
    entry.members.all().delete()
    EntryMember.objects.bulk_create(
        EntryMember(tournament=tournament, entry=entry, position=position, player=agent.player, agent=agent)
        for position, agent in sorted(places.items())
    )


def _take_over(tournament: Tournament, goes: EntryMember, bench: EntryMember | None, comes: Agent) -> int:
    """At how many matches that have not begun the seats change hands; two who both play keep theirs there."""
    has_played = [member for member in (goes, bench) if member is not None and member.position < tournament.hands]
    if goes not in has_played or (bench in has_played and bench is not goes):
        return 0
    matches = Match.objects.filter(pairing__round__stage__tournament=tournament, seats__agent=goes.agent)
    return reseat(matches.values_list("pk", flat=True), goes.agent, comes)
