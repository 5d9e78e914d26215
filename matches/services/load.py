"""A claimed match as values: all that is needed to go on at the very card where it stopped."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch

from engine import PartySetup, Rules
from matches.core.clocks import CLOCKS, ClockRules, Control
from matches.core.lifecycle import PartyStatus
from matches.models import Game, Match, Party, PartyEvent
from matches.services.claim import Lease


@dataclass(frozen=True, slots=True)
class SeatInPlay:
    agent_id: int
    kind: str
    label: str
    game: str


@dataclass(frozen=True, slots=True)
class PastEvent:
    seat: int
    action: str
    cause: str
    corrected: bool
    bank_ms: int
    charged_ms: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class PartyInPlay:
    """A party that is not over. `seats` are in table order; `events` are its log so far.

    `party_id`: its row's key, 0 where it has none.
    """

    party_id: int
    public_id: str
    number: int
    rotation: int
    seed: bytes
    commitment: str
    setup: PartySetup
    seats: tuple[SeatInPlay, ...]
    events: tuple[PastEvent, ...]
    forfeiter: int | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every party of a match. `public_id` is the match's."""

    public_id: str
    rules: Rules
    clock: ClockRules
    control: Control
    strict: bool
    round_number: int
    rated: bool


@dataclass(frozen=True, slots=True)
class MatchInPlay:
    lease: Lease
    terms: Terms
    parties: tuple[PartyInPlay, ...]
    is_all: bool


def load_match(lease: Lease) -> MatchInPlay:
    """Reads a match and those of its parties that can be played now, in order of play.

    `is_all`: no others will be once these are over. Where parties follow one another the next one's dealer is not known
    before (R15).
    """
    match = Match.objects.get(pk=lease.match_id)
    rules = match.game_rules
    unfinished = (
        match.parties.filter(status__in=[PartyStatus.WAITING, PartyStatus.PLAYING])
        .select_related("board__match")
        .prefetch_related(Prefetch("games", Game.objects.select_related("match_seat__agent")), "events")
        .order_by("number")
    )
    known = [party for party in unfinished if party.board.first_dealer is not None]
    return MatchInPlay(
        lease=lease,
        terms=_terms(match, rules),
        parties=tuple(_party(party, rules) for party in known),
        is_all=len(known) == len(unfinished),
    )


def _terms(match: Match, rules: Rules) -> Terms:
    return Terms(
        public_id=match.public_id,
        rules=rules,
        clock=CLOCKS[Control(match.control)],
        control=Control(match.control),
        strict=match.strict,
        round_number=match.round_number,
        rated=match.rated,
    )


def _party(party: Party, rules: Rules) -> PartyInPlay:
    seed, events = bytes(party.board.seed), list(party.events.all())
    games = sorted(party.games.all(), key=lambda game: game.seat)
    return PartyInPlay(
        party_id=party.pk,
        public_id=party.public_id,
        number=party.number,
        rotation=party.rotation,
        seed=seed,
        commitment=party.board.commitment,
        setup=PartySetup(rules, seed, b"", party.suits, party.board.first_dealer_by_match),
        seats=tuple(_seat(game) for game in games),
        events=tuple(_past(event) for event in events if event.kind == "action"),
        forfeiter=next((event.seat for event in events if event.kind == "forfeit"), None),
    )


def _seat(game: Game) -> SeatInPlay:
    agent = game.match_seat.agent
    return SeatInPlay(agent.pk, agent.kind, agent.label, game.public_id)


def _past(event: PartyEvent) -> PastEvent:
    return PastEvent(
        event.seat,
        event.action,
        event.cause,
        event.corrected,
        event.bank_ms,
        event.charged_ms,
        event.elapsed_ms,
    )
