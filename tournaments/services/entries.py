"""Registration: opening it, entering, leaving, seeding by hand; and who enters when it has begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from matches.core.house import KIND, house_programs
from matches.core.names import NameRefused
from matches.models import Agent, Player, User
from matches.services.versions import house_agent
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus
from tournaments.models import Entry, EntryMember, Stage, Tournament
from tournaments.services.byes import ask_bye, take_back_bye
from tournaments.services.checking_in import check_in, check_out
from tournaments.services.field import current_stage, join, lock_entry, next_round
from tournaments.services.leaving import expel, no_show, reinstate, withdraw
from tournaments.services.log import note, note_each
from tournaments.services.members import (
    check_house,
    check_members,
    check_names,
    check_not_entered,
    newest_version,
    rules_of,
    wanted_name,
)
from tournaments.services.state import lock, move
from tournaments.services.substitutes import substitute

__all__ = [
    "Newcomer",
    "ask_bye",
    "check_house",
    "check_in",
    "check_out",
    "enter",
    "enter_house",
    "enter_many",
    "enter_player",
    "expel",
    "leave",
    "no_show",
    "open_registration",
    "rate",
    "reinstate",
    "seed_by_hand",
    "substitute",
    "take_back_bye",
    "withdraw",
]
LONGEST_CLUB = 60
MOST_RATING = 10_000


@transaction.atomic
def open_registration(tournament_id: int, by: User | None = None) -> Tournament:
    """Lets everybody see a draft and takes entries. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.REGISTRATION)
    note(tournament, "registration_opened", by)
    return tournament


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who is to be entered: see `enter`."""

    agents: tuple[Agent, ...]
    substitutes: tuple[Agent, ...] = ()
    name: str | None = None
    club: str = ""
    rating: int | None = None

    @property
    def everybody(self) -> tuple[Agent, ...]:
        return self.agents + self.substitutes


def enter(
    tournament_id: int,
    agent: Agent,
    *more: Agent,
    name: str | None = None,
    club: str = "",
    rating: int | None = None,
    substitutes: Sequence[Agent] = (),
    by: User | None = None,
) -> Entry:
    """Enters a version, in pairs with a partner's or alone at both hands; the entry takes the next pairing number.

    `name`: how it is called in this tournament, by default as its players are. `substitutes` stand by until they are
    brought in. After the start it is a late entry: it plays from the next round on, with nothing, behind all others.
    During check-in whoever is entered is there. Locks the tournament; raises TournamentError.
    """
    newcomer = Newcomer((agent, *more), tuple(substitutes), name, club, rating)
    return enter_many(tournament_id, [newcomer], by)[0]


@transaction.atomic
def enter_many(tournament_id: int, newcomers: Sequence[Newcomer], by: User | None = None) -> list[Entry]:
    """Enters many at once as `enter` does one, all or nobody, in a few statements where it has not begun."""
    tournament = lock(tournament_id)
    stage = stage_to_join(tournament)
    for one in newcomers:
        check_members(tournament, one.agents, one.substitutes)
    check_not_entered(tournament, (agent for one in newcomers for agent in one.everybody))
    names = [wanted_name(one.agents, one.name) for one in newcomers]
    check_names(tournament, names)
    entries = _write(tournament, newcomers, names)
    if stage is not None:
        for entry in entries:
            join(stage, entry)
    told = [{"entry": entry.public_id, "name": entry.name} for entry in entries]
    note_each(tournament, "entered_late" if stage else "entered", told, by)
    return entries


def _write(tournament: Tournament, newcomers: Sequence[Newcomer], names: Sequence[str]) -> list[Entry]:
    """The rows of entries and their members, numbered behind those who are there."""
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    checked_in_at = timezone.now() if tournament.status == TournamentStatus.CHECK_IN else None
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            name=name,
            number=number,
            club=_checked_club(one.club),
            rating=_checked_rating(one.rating),
            hands=len(one.agents),
            checked_in_at=checked_in_at,
        )
        for number, (one, name) in enumerate(zip(newcomers, names, strict=True), start=last + 1)
    )
    EntryMember.objects.bulk_create(
        EntryMember(tournament=tournament, entry=entry, position=position, player=agent.player, agent=agent)
        for entry, one in zip(entries, newcomers, strict=True)
        for position, agent in enumerate(one.everybody)
    )
    return entries


def stage_to_join(tournament: Tournament) -> Stage | None:
    """The stage that a late entry comes into; None before the start. Raises TournamentError where it is too late."""
    if not tournament.is_frozen:
        return None
    stage = current_stage(tournament)
    is_on = tournament.status in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    if stage is None or not is_on or not tournament.late_until_round:
        raise TournamentError(
            "entries_closed", f"“{tournament}” is {tournament.status}; entries change before the start only."
        )
    if stage.number > 1 or next_round(stage) > tournament.late_until_round:
        raise TournamentError(
            "entries_closed",
            f"“{tournament}” takes late entries up to round {tournament.late_until_round}, and that is drawn.",
        )
    return stage


def _checked_club(club: str) -> str:
    tidy = " ".join(club.split())
    if len(tidy) > LONGEST_CLUB:
        raise TournamentError("club_long", f"“{tidy}” has {len(tidy)} characters; {LONGEST_CLUB} are the most.")
    return tidy


def _checked_rating(rating: int | None) -> int | None:
    if rating is not None and not 0 < rating <= MOST_RATING:
        raise TournamentError("bad_rating", f"{rating} is no rating: expected 1 to {MOST_RATING}, or none.")
    return rating


def enter_player(tournament_id: int, player: Player, by: User | None = None) -> Entry:
    """Enters a player with his newest active version; raises TournamentError if he has none."""
    return enter(tournament_id, newest_version(player), by=by)


@transaction.atomic
def enter_house(tournament_id: int, by: User | None = None) -> list[Entry]:
    """Enters each house program that plays these rules, weakest first, unless one of it is there under whatever name.

    In pairs each plays both hands. Locks the tournament; raises TournamentError.
    """
    tournament = lock(tournament_id)
    _check_open(tournament)
    rules = rules_of(tournament)
    members = EntryMember.objects.filter(tournament=tournament, agent__kind=KIND)
    there = set(members.values_list("agent__label", flat=True))
    missing = [one for one in house_programs() if one.plays(rules) and one.label not in there]
    try:
        return [enter(tournament_id, house_agent(one.label), by=by) for one in missing]
    except NameRefused as refusal:
        raise TournamentError(refusal.code, str(refusal)) from refusal


@transaction.atomic
def leave(entry_id: int, by: User | None = None) -> None:
    """Takes an entry back before the start; the numbers behind it move up. Locks the tournament."""
    tournament, entry = lock_entry(entry_id)
    _check_open(tournament)
    note(tournament, "left", by, entry=entry.public_id, name=entry.name)
    entry.delete()
    _number(tournament, list(tournament.entries.order_by("number")))


@transaction.atomic
def seed_by_hand(tournament_id: int, entry_ids: Sequence[int], by: User | None = None) -> None:
    """Numbers the entries in this order, which must hold every one of them once. Locks the tournament.

    Raises TournamentError, after the start too: numbers never change then.
    """
    tournament = lock(tournament_id)
    _check_open(tournament)
    there = {entry.pk: entry for entry in tournament.entries.all()}
    if sorted(entry_ids) != sorted(there):
        raise TournamentError(
            "not_everybody_seeded",
            f"“{tournament}” has {len(there)} entries: expected each of them once. Somebody may have come or gone "
            "meanwhile: load the list anew.",
        )
    _number(tournament, [there[entry_id] for entry_id in entry_ids])
    note(tournament, "seeded_by_hand", by, entries=[there[entry_id].public_id for entry_id in entry_ids])


def _number(tournament: Tournament, order: Sequence[Entry]) -> None:
    """Numbers entries from 1. Out of the way first: a number is taken once at every moment."""
    top = max((entry.number for entry in order), default=0) + len(order)
    tournament.entries.update(number=F("number") + top)
    for number, entry in enumerate(order, start=1):
        entry.number = number
    Entry.objects.bulk_update(order, ["number"], batch_size=1000)


@transaction.atomic
def rate(entry_id: int, rating: int | None, by: User | None = None) -> Entry:
    """Writes a rating to be seeded by, or takes it away; before the start only. Locks the tournament."""
    tournament, entry = lock_entry(entry_id)
    _check_open(tournament)
    if entry.rating == _checked_rating(rating):
        return entry
    entry.rating = rating
    entry.save(update_fields=["rating"])
    note(tournament, "rated", by, entry=entry.public_id, name=entry.name, rating=rating)
    return entry


def _check_open(tournament: Tournament) -> None:
    if tournament.is_frozen:
        raise TournamentError(
            "entries_closed", f"“{tournament}” is {tournament.status}; entries change before the start only."
        )
