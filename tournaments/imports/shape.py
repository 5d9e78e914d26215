"""Whether the stages, rounds and tables of a document hang together as those that are played here do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from matches.core.lifecycle import MatchStatus
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, SeatState, StageStatus, TournamentStatus
from tournaments.formats.positions import canonical, format_bracket_round
from tournaments.imports.strict import Given, check_changes, check_draw, check_kept, check_lots, check_reasons, expect
from tournaments.models import Pairing, PairingSeat, Round, Stage, Tournament
from tournaments.services.bracketing import bracket_of, is_bracket, pairings_of
from tournaments.services.draws import PARTNERS_OPPOSITE
from tournaments.services.stages import are_individuals, format_of, meets_of, seats_of, settings_of, take_of
from tournaments.services.table_rules import short_rules

_UNDECIDED = (PairingStatus.OPEN, PairingStatus.WAITING)
_DONE = (TournamentStatus.FINISHED, TournamentStatus.PUBLISHED)


def check_plan(stage: Stage) -> None:
    """A stage's format and its settings; raises TournamentError, ValueError."""
    told = f"{stage.format} is not played at {stage.tournament.rules}."
    expect(format_of(stage).meets is meets_of(stage.tournament), told)
    expect(isinstance(stage.settings, dict) and isinstance(stage.takes, dict), "expected objects of settings.")
    settings_of(stage)
    take_of(stage)


def check_round(stage: Stage, drawn: Round, numbers: Collection[int]) -> None:
    """A round by itself, before it is written."""
    expect(drawn.number >= 1, "rounds are numbered from 1.")
    check_lots(drawn.lots)
    if drawn.position is not None:
        check_kept(drawn.position, drawn.lots, seats_of(stage.tournament))
    if drawn.changes is not None:
        check_changes(drawn.changes, numbers)
    if drawn.draw is not None:
        _check_draw(stage, drawn, drawn.draw, numbers)


def _check_draw(stage: Stage, drawn: Round, draw: Given, numbers: Collection[int]) -> None:
    if not is_bracket(stage):
        check_draw(draw, numbers)
        return
    expect(drawn.engine == format_of(stage).engine, f"engine: {drawn.engine} draws no brackets here.")
    drawn_here = format_bracket_round(bracket_of(stage), drawn.number)
    expect(canonical(draw) == canonical(drawn_here), "draw: the bracket of so many is another one.")


def check_pairing(stage: Stage, pairing: Pairing, seats: Sequence[PairingSeat], match: Any) -> None:
    """A table with its seats and what is told of its match, before it is written."""
    place = f"table {pairing.number}"
    check_reasons(pairing.reasons)
    size, full = len(seats), seats_of(stage.tournament)
    sizes = (full, full - 1) if short_rules(stage.tournament) else (full,)
    sides = PARTNERS_OPPOSITE if are_individuals(stage.tournament) else range(size)
    is_bye = pairing.status == PairingStatus.BYE
    expect(is_bye == bool(pairing.bye), f"{place}: it has a bye, or a kind of bye, alone.")
    expect(size in sizes or (is_bye and 0 < size <= full), f"{place}: {size} seats are not {full}.")
    expect([seat.seat for seat in seats] == list(range(len(seats))), f"{place}: seats are numbered from 0.")
    if not is_bye:
        expect([seat.side for seat in seats] == list(sides), f"{place}: expected the sides {list(sides)}.")
    for seat in seats:
        expect((seat.state == SeatState.FILLED) == (seat.entry is not None), f"{place}: who is seated fills a seat.")
    filled = sum(seat.state == SeatState.FILLED for seat in seats)
    is_open = SeatState.OPEN in [seat.state for seat in seats]
    expect(not is_bye or (filled == 1 and not is_open), f"{place}: one alone has a bye.")
    expect(is_open == (pairing.status == PairingStatus.WAITING), f"{place}: it waits for somebody, or does not.")
    if pairing.status in (PairingStatus.OPEN, PairingStatus.DECIDED):
        expect(filled == size, f"{place}: a seat is not filled.")
    _check_match(pairing, filled == size, match)


def _check_match(pairing: Pairing, is_full: bool, match: Any) -> None:
    place = f"table {pairing.number}"
    expect(match is None or isinstance(match, dict), f"{place}: expected a match, or none.")
    status = None if match is None else MatchStatus(match["status"])
    expect(status is None or is_full, f"{place}: a match needs somebody at every seat.")
    expect(
        pairing.status != PairingStatus.DECIDED or status == MatchStatus.FINISHED, f"{place}: it is decided by nothing."
    )


def check_stage(stage: Stage, numbers: Sequence[int]) -> None:
    """A stage with all of its rounds, when they are written."""
    expect(sorted(numbers) == list(range(1, len(numbers) + 1)), "its entries are numbered from 1.")
    if stage.status == StageStatus.PLANNED:
        expect(not numbers and not stage.rounds.exists(), "it is planned, and has no entries or rounds yet.")
        return
    expect(bool(numbers), "nobody is in it.")
    if is_bracket(stage):
        matches, pairings = bracket_of(stage).matches, pairings_of(stage)
        drawn = Counter(match.round for match in matches)
        expect(drawn == Counter(pairing.round.number for pairing in pairings), "the bracket of so many is another one.")


def check_chain(tournament: Tournament, stages: Sequence[Stage]) -> None:
    """The stages one after another, and how far the tournament is."""
    expect([stage.number for stage in stages] == list(range(1, len(stages) + 1)), "they are numbered from 1, in order.")
    begun = [stage.status != StageStatus.PLANNED for stage in stages]
    expect(begun == sorted(begun, reverse=True), "a stage begins after the one before.")
    expect(tournament.is_frozen or not any(begun), f"none has begun in a tournament that is {tournament.status}.")
    expect(begun[:1] == [True] or not tournament.is_frozen or _is_cancelled(tournament), "the first has not begun.")
    if tournament.status in _DONE:
        expect(all(stage.status == StageStatus.FINISHED for stage in stages), "a stage of it is not over.")
        undecided = Pairing.objects.filter(round__stage__in=stages, status__in=_UNDECIDED)
        expect(not undecided.exclude(round__status=RoundStatus.WITHDRAWN).exists(), "a table of it is not decided.")


def _is_cancelled(tournament: Tournament) -> bool:
    return tournament.status == TournamentStatus.CANCELLED
