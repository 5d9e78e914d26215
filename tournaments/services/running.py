"""Starting, pausing, resuming, cancelling; annulling a match."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction

from engine import RulesError
from matches.core.chance import derived
from matches.core.clocks import Control
from matches.core.lifecycle import OVER
from matches.core.plan import MatchPlan
from matches.models import Agent, AgentStatus, Match
from matches.services.create import create_match
from matches.services.desk import hold_matches, release_matches, void_matches
from tournaments.errors import TournamentError
from tournaments.formats.drawing import DrawnRound, entries_least, format_of, meetings_of, rounds_of
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, SeatState, TournamentStatus
from tournaments.formats.meetings import Kind
from tournaments.models import Entry, Pairing, PairingSeat, Round, Stage, Tournament
from tournaments.services.entries import check_house
from tournaments.services.state import lock, move

MOST_ENTRIES = 512
MOST_PARTIES = 20_000


@transaction.atomic
def start(tournament_id: int, seed: bytes | None = None) -> Tournament:
    """Freezes rules and entries, draws every round and hands the matches to the workers, all or nothing.

    `seed`: 32 secret bytes from which all boards follow; drawn fresh if not given. Locks the tournament, so that
    eight starts at once draw it once; raises TournamentError.
    """
    tournament = lock(tournament_id)
    entries = _ready_entries(tournament)
    _check_size(tournament, len(entries))
    tournament.seed = seed or secrets.token_bytes(32)
    move(tournament, TournamentStatus.RUNNING)
    stage = Stage.objects.create(tournament=tournament, number=1, format=format_of(tournament.table_kind))
    for number, drawn in enumerate(rounds_of(len(entries), tournament.table_kind), start=1):
        pair_round(stage, number, drawn, entries)
    return tournament


def _ready_entries(tournament: Tournament) -> list[Entry]:
    """The active entries in order of their numbers; raises TournamentError unless play could begin."""
    entries = list(
        tournament.entries.filter(status=EntryStatus.ACTIVE)
        .prefetch_related("members__agent__player")
        .order_by("number")
    )
    _check_rules(tournament)
    least = entries_least(tournament.table_kind)
    if len(entries) < least:
        told = "two are the least" if least == 2 else f"a table of {tournament.table_kind} needs {least}"
        raise TournamentError("too_few_entries", f"“{tournament}” has {len(entries)} entries; {told}.")
    for entry in entries:
        _check_entry(tournament, entry)
    return entries


def _check_rules(tournament: Tournament) -> None:
    try:
        tournament.game_rules  # noqa: B018  # the engine reads and checks them all
    except RulesError as error:
        raise TournamentError("bad_rules", f"The rules do not fit together: {error}") from error


def _check_entry(tournament: Tournament, entry: Entry) -> None:
    members = list(entry.members.all())
    if not members or any(member.agent.status != AgentStatus.ACTIVE for member in members):
        raise TournamentError(
            "version_not_active", f"{entry.name} cannot play: its version is not active. Take it out or admit it."
        )
    for member in members:
        check_house(tournament, member.agent)
    if len(members) > tournament.hands:
        raise TournamentError(
            "too_many_members",
            f"{entry.name} has {len(members)} members, and at {tournament.rules} each plays for himself. "
            "Take it out, or choose a table for pairs.",
        )


def _check_size(tournament: Tournament, entries: int) -> None:
    """One transaction draws it all, and the machine plays it all: raises TournamentError where that is too much."""
    if entries > MOST_ENTRIES:
        raise TournamentError(
            "too_large", f"“{tournament}” has {entries} entries; {MOST_ENTRIES} are the most. Enter fewer players."
        )
    pairings = meetings_of(entries, tournament.table_kind)
    parties = pairings * tournament.boards * tournament.game_rules.players
    if parties > MOST_PARTIES:
        raise TournamentError(
            "too_large",
            f"“{tournament}” would be {parties} parties: {pairings} pairings, {tournament.boards} boards each, from "
            f"every seat. {MOST_PARTIES} are the most: play fewer boards, or enter fewer players.",
        )


def pair_round(stage: Stage, number: int, drawn: DrawnRound, entries: Sequence[Entry]) -> Round:
    """Writes a round, its pairings and their matches. To be called under the tournament's lock."""
    written = Round.objects.create(stage=stage, number=number)
    for table, numbers in enumerate(drawn, start=1):
        sides = [entries[one - 1] for one in numbers]
        match = _match(stage.tournament, written, table, sides) if len(sides) > 1 else None
        status = PairingStatus.OPEN if match else PairingStatus.BYE
        bye = "" if match else Kind.ZERO_BYE
        pairing = Pairing.objects.create(round=written, number=table, match=match, status=status, bye=bye)
        PairingSeat.objects.bulk_create(
            PairingSeat(
                round=written,
                pairing=pairing,
                seat=side,
                side=side,
                entry=entry,
                state=SeatState.FILLED if entry else SeatState.BYE,
            )
            for side, entry in enumerate(sides if match else [*sides, None])
        )
    return written


def _match(tournament: Tournament, drawn: Round, table: int, entries: Sequence[Entry]) -> Match:
    plan = MatchPlan(
        agents=tuple(agent.pk for agent in _seated(entries)),
        rules=tournament.rules,
        overrides=tournament.overrides,
        boards=tournament.boards,
        deals=tournament.deals,
        control=Control(tournament.control),
        strict=tournament.strict,
        seed=derived(bytes(tournament.seed or b""), "match", drawn.stage.number, drawn.number, table),
        title=" – ".join(entry.name for entry in entries),
        group=tournament.public_id,
        round_number=drawn.number,
        rated=tournament.rated,
        priority=drawn.number,
    )
    return create_match(plan)


def _seated(entries: Sequence[Entry]) -> list[Agent]:
    """The versions in seat order: every entry's first hand, then the partners opposite."""
    by_hand = zip(*(entry.seat_agents() for entry in entries), strict=True)
    return [agent for hand in by_hand for agent in hand]


@transaction.atomic
def pause(tournament_id: int) -> Tournament:
    """No further match begins; those being played go on to their end. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.PAUSED)
    hold_matches(_unfinished(tournament))
    return tournament


@transaction.atomic
def resume(tournament_id: int) -> Tournament:
    """Takes a paused tournament up again. Locks the tournament."""
    tournament = lock(tournament_id)
    move(tournament, TournamentStatus.RUNNING)
    release_matches(_unfinished(tournament))
    return tournament


@transaction.atomic
def cancel(tournament_id: int, reason: str) -> Tournament:
    """Ends a tournament for good; every match that is not decided is void. Locks the tournament."""
    tournament = lock(tournament_id)
    if not reason.strip():
        raise TournamentError(
            "reason_missing", "Say why the tournament is cancelled: the pages of its matches show it."
        )
    move(tournament, TournamentStatus.CANCELLED)
    void_matches(_unfinished(tournament), f"the tournament was cancelled: {reason}")
    return tournament


def _unfinished(tournament: Tournament) -> list[int]:
    matches = Match.objects.filter(pairing__round__stage__tournament=tournament).exclude(status__in=list(OVER))
    return list(matches.order_by("pk").values_list("pk", flat=True))
