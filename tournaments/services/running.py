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
from matches.models import AgentStatus, Match
from matches.services.create import create_match
from matches.services.desk import hold_matches, release_matches, void_matches
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, SeatState, TournamentStatus
from tournaments.formats.round_robin import Meeting, round_robin
from tournaments.models import Entry, Pairing, PairingSeat, Round, Stage, Tournament
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
    stage = Stage.objects.create(tournament=tournament, number=1, format="round_robin")
    for number, meetings in enumerate(round_robin(len(entries)), start=1):
        pair_round(stage, number, meetings, entries)
    return tournament


def _ready_entries(tournament: Tournament) -> list[Entry]:
    """The active entries, renumbered from 1 without gaps; raises TournamentError unless play could begin."""
    entries = list(
        tournament.entries.filter(status=EntryStatus.ACTIVE).select_related("agent__player").order_by("number")
    )
    if len(entries) < 2:
        raise TournamentError("too_few_entries", f"“{tournament}” has {len(entries)} entries; two are the least.")
    for entry in entries:
        if entry.agent is None or entry.agent.status != AgentStatus.ACTIVE:
            raise TournamentError(
                "version_not_active", f"{entry.name} cannot play: its version is not active. Take it out or admit it."
            )
    try:
        players = tournament.game_rules.players
    except RulesError as error:
        raise TournamentError("bad_rules", f"The rules do not fit together: {error}") from error
    if players != 2:
        raise TournamentError("table_size", f"A round robin is played at two seats; {tournament.rules} has {players}.")
    return entries


def _check_size(tournament: Tournament, entries: int) -> None:
    """One transaction draws it all, and the machine plays it all: raises TournamentError where that is too much."""
    if entries > MOST_ENTRIES:
        raise TournamentError(
            "too_large", f"“{tournament}” has {entries} entries; {MOST_ENTRIES} are the most. Enter fewer players."
        )
    pairings = entries * (entries - 1) // 2
    parties = pairings * tournament.boards * tournament.game_rules.players
    if parties > MOST_PARTIES:
        raise TournamentError(
            "too_large",
            f"“{tournament}” would be {parties} parties: {pairings} pairings, {tournament.boards} boards each, from "
            f"every seat. {MOST_PARTIES} are the most: play fewer boards, or enter fewer players.",
        )


def pair_round(stage: Stage, number: int, meetings: Sequence[Meeting], entries: Sequence[Entry]) -> Round:
    """Writes a round, its pairings and their matches. To be called under the tournament's lock."""
    drawn = Round.objects.create(stage=stage, number=number)
    for table, meeting in enumerate(meetings, start=1):
        first = entries[meeting.first - 1]
        second = entries[meeting.second - 1] if meeting.second else None
        match = _match(stage.tournament, drawn, table, (first, second)) if second else None
        status = PairingStatus.OPEN if match else PairingStatus.BYE
        pairing = Pairing.objects.create(round=drawn, number=table, match=match, status=status)
        PairingSeat.objects.bulk_create(
            PairingSeat(
                round=drawn,
                pairing=pairing,
                seat=seat,
                side=seat,
                entry=entry,
                state=SeatState.FILLED if entry else SeatState.BYE,
            )
            for seat, entry in enumerate((first, second))
        )
    return drawn


def _match(tournament: Tournament, drawn: Round, table: int, entries: Sequence[Entry]) -> Match:
    plan = MatchPlan(
        agents=tuple(entry.agent_id for entry in entries if entry.agent_id),
        rules=tournament.rules,
        overrides=tournament.match_overrides,
        boards=tournament.boards,
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
