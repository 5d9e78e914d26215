"""From a draw to rows: rounds, pairings, seats; and from pairings whose seats are filled to matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from matches.core.chance import derived
from matches.core.clocks import Control
from matches.core.lifecycle import MatchStatus
from matches.core.plan import Length, MatchPlan
from matches.models import Agent, Match
from matches.services.create import create_matches
from matches.services.desk import void_matches
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, SeatState, TournamentStatus
from tournaments.formats.meetings import Draw, Table
from tournaments.formats.positions import format_draw, format_reasons
from tournaments.models import Entry, FormerMatch, Pairing, PairingSeat, Round, Stage
from tournaments.services.table_rules import rules_at

LONGEST_TITLE = 300
WITH_MATCHES = (RoundStatus.CONFIRMED, RoundStatus.RELEASED)
"""Rounds whose pairings have matches; before, a draw is a proposal."""
NOT_BEGUN = (MatchStatus.READY, MatchStatus.HELD, MatchStatus.AWAITED)

DRAWN_FROM = ("round__position", "round__draw", "round__changes")
"""Columns that grow with the field, and would be read anew with every one of its pairings."""

Numbered = Mapping[int, Entry]
"""A stage's entries by their numbers in it."""


def entries_of(stage: Stage) -> dict[int, Entry]:
    """By number, with their members, players and the tournament itself: three queries."""
    rows = stage.stage_entries.select_related("entry").prefetch_related("entry__members__agent__player")
    found = {row.number: row.entry for row in rows.order_by("number")}
    for entry in found.values():
        entry.tournament = stage.tournament
    return found


def write_round(stage: Stage, number: int, draw: Draw, entries: Numbered, **columns: Any) -> Round:
    """Writes a round with its draw, pairings and seats; `columns` are the round's own. A few queries for any size."""
    written = Round.objects.create(stage=stage, number=number, draw=format_draw(draw), **columns)
    write_tables(written, draw.tables, entries)
    return written


def write_tables(drawn: Round, tables: Sequence[Table], entries: Numbered, first: int = 1) -> list[Pairing]:
    """Writes pairings, numbered from `first`, and their seats."""
    pairings = Pairing.objects.bulk_create(
        Pairing(
            round=drawn,
            number=number,
            group=table.group,
            status=PairingStatus.BYE if len(table.entrants) == 1 else PairingStatus.OPEN,
            bye=table.kind if len(table.entrants) == 1 else "",
            reasons=format_reasons(table.reasons),
        )
        for number, table in enumerate(tables, start=first)
    )
    PairingSeat.objects.bulk_create(
        seat for pairing, table in zip(pairings, tables, strict=True) for seat in _seats(drawn, pairing, table, entries)
    )
    return pairings


def _seats(drawn: Round, pairing: Pairing, table: Table, entries: Numbered) -> Iterator[PairingSeat]:
    for seat, number in enumerate(table.entrants):
        side = table.sides[seat] if table.sides else seat
        yield PairingSeat(round=drawn, pairing=pairing, seat=seat, side=side, entry=entries[number])
    if len(table.entrants) == 1:
        yield PairingSeat(round=drawn, pairing=pairing, seat=1, side=1, entry=None, state=SeatState.BYE)


def make_matches(stage: Stage, rounds: Iterable[Round] | None = None) -> int:
    """Makes the matches that are due: of confirmed rounds, where all seats are filled. Returns how many were made.

    Held until the round is released and while the tournament is paused. To be called under the tournament's lock;
    raises TournamentError where one of them cannot be played.
    """
    among = Round.objects.filter(stage=stage, status__in=WITH_MATCHES)
    if rounds is not None:
        among = among.filter(pk__in=[one.pk for one in rounds])
    taken_back = Counter(stage.rounds.filter(status=RoundStatus.WITHDRAWN).values_list("number", flat=True))
    due = (
        Pairing.objects.filter(round__in=among, status=PairingStatus.OPEN, match=None)
        .select_related("round")
        .defer(*DRAWN_FROM)
        .prefetch_related("seats__entry__members__agent__player", "former")
        .order_by("round__number", "number")
    )
    return sum(_with_matches(stage, list(of_round), taken_back) for _, of_round in groupby(due, key=_round_of))


def _round_of(pairing: Pairing) -> int:
    return pairing.round_id


def _with_matches(stage: Stage, pairings: Sequence[Pairing], taken_back: Mapping[int, int]) -> int:
    """Those of one round, all at once."""
    plans = [
        plan_of(stage, pairing, _entries(stage, pairing), _seed(stage, pairing, taken_back)) for pairing in pairings
    ]
    is_held = pairings[0].round.status != RoundStatus.RELEASED or stage.tournament.status == TournamentStatus.PAUSED
    try:
        matches = create_matches(plans, held=is_held)
    except ValueError as error:  # the engine's, of rules that do not fit, is one too
        raise TournamentError("no_match", f"{pairings[0].round}: its matches cannot be made. {error}") from error
    for pairing, match in zip(pairings, matches, strict=True):
        pairing.match = match
    Pairing.objects.bulk_update(pairings, ["match"], batch_size=500)
    return len(pairings)


def _entries(stage: Stage, pairing: Pairing) -> list[Entry]:
    """In seat order."""
    entries = [seat.entry for seat in pairing.seats.all() if seat.entry is not None]
    for entry in entries:
        entry.tournament = stage.tournament
    return entries


def plan_of(stage: Stage, pairing: Pairing, entries: Sequence[Entry], seed: bytes) -> MatchPlan:
    """What the match of these entries consists of, by the plan of the stage or else the tournament's."""
    tournament = stage.tournament
    return MatchPlan(
        agents=tuple(agent.pk for agent in _seated(entries)),
        rules=rules_at(tournament, len(entries)),
        overrides=tournament.overrides,
        length=Length(stage.length or tournament.length),
        boards=stage.boards or tournament.boards,
        deals=stage.deals or tournament.deals,
        control=Control(tournament.control),
        strict=tournament.strict,
        seed=seed,
        title=" – ".join(entry.name for entry in entries)[:LONGEST_TITLE],
        group=tournament.public_id,
        round_number=pairing.round.number,
        rated=tournament.rated,
        priority=pairing.round.number,
    )


def _seed(stage: Stage, pairing: Pairing, taken_back: Mapping[int, int]) -> bytes:
    """What the boards follow from. A draw after one that was taken back, and a match after one that was voided, have
    boards of their own: a seed is never used twice (R68)."""
    place = (stage.number, pairing.round.number, pairing.number)
    again = (taken_back.get(pairing.round.number, 0), len(pairing.former.all()))
    return derived(bytes(stage.tournament.seed or b""), "match", *place, *(again if any(again) else ()))


def _seated(entries: Sequence[Entry]) -> list[Agent]:
    """The versions in seat order: every entry's first hand, then the partners opposite."""
    by_hand = zip(*(entry.seat_agents() for entry in entries), strict=True)
    return [agent for hand in by_hand for agent in hand]


def part_from_match(pairing: Pairing, reason: str) -> None:
    """Voids a pairing's match and keeps it beside the pairing, which may have another one.

    To be called under the tournament's lock.
    """
    match = pairing.match
    if match is None:
        return
    void_matches([match.pk], reason)
    FormerMatch.objects.create(pairing=pairing, match=match, reason=reason[:200])
    pairing.match = None
    pairing.save(update_fields=["match"])


def has_begun(match: Match) -> bool:
    """Whether anything of it was played, or said to have been."""
    return match.status not in NOT_BEGUN
