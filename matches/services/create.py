"""Drawing up a match: all of its rows at once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from engine import Rules, commitment, lot, rules_of, suits_of
from matches.core.chance import derived
from matches.core.house import KIND as HOUSE
from matches.core.house import thinks, why_not_house
from matches.core.plan import Exposure, MatchPlan, exposures, forfeit_points, match_overrides
from matches.models import Agent, Board, Game, Match, MatchSeat, Party
from matches.services.wake import wake_lanes_on_commit


@transaction.atomic
def create_match(plan: MatchPlan, *, held: bool = False) -> Match:
    """Writes a match with its seats, boards, parties and games; a held one waits for `release_matches`.

    Raises: RulesError if rules, overrides and deals do not fit, ValueError if the agents do not fill the table or a
    house program among them does not play at it.
    """
    overrides = match_overrides(plan.overrides, plan.deals)
    rules = rules_of(plan.rules, overrides)
    _check_seats(rules, plan.agents)
    house = _house_labels(rules, plan.agents)
    match = Match.objects.create(
        title=plan.title,
        group=plan.group,
        rules=rules.name,
        overrides=overrides,
        boards_planned=plan.boards,
        control=plan.control,
        strict=plan.strict,
        forfeit_points=forfeit_points(rules),
        round_number=plan.round_number,
        rated=plan.rated,
        house_thinks=any(thinks(label) for label in house),
        priority=plan.priority,
        due_at=timezone.now(),
        status="held" if held else "ready",
    )
    seats = [
        MatchSeat(match=match, index=index, side=rules.side_of(index), agent_id=agent)
        for index, agent in enumerate(plan.agents)
    ]
    MatchSeat.objects.bulk_create(seats)
    _parties(match, _boards(match, rules, plan), seats)
    if not held:
        wake_lanes_on_commit()
    return match


def _check_seats(rules: Rules, agents: Sequence[int]) -> None:
    """Raises ValueError unless there is a version for every seat and none on two sides."""
    if len(agents) != rules.players:
        raise ValueError(f"{rules.name} is for {rules.players} seats, {len(agents)} versions were given.")
    seated = {(agent, rules.side_of(index)) for index, agent in enumerate(agents)}
    if len({agent for agent, _ in seated}) < len(seated):
        raise ValueError("A version cannot play against itself in one match.")


def _house_labels(rules: Rules, agents: Sequence[int]) -> list[str]:
    """The house programs among them; raises ValueError where one cannot play, or not these rules."""
    labels = list(Agent.objects.filter(pk__in=agents, kind=HOUSE).values_list("label", flat=True))
    refusals = [why for label in labels if (why := why_not_house(label, rules))]
    if refusals:
        raise ValueError(" ".join(refusals))
    return labels


def _boards(match: Match, rules: Rules, plan: MatchPlan) -> dict[int, Board]:
    boards = {}
    for number in range(1, plan.boards + 1):
        seed = derived(plan.seed, "board", number) if plan.seed else secrets.token_bytes(32)
        boards[number] = Board(
            match=match,
            number=number,
            seed=seed,
            commitment=commitment(seed),
            first_dealer=lot(seed, rules.players),
        )
    Board.objects.bulk_create(boards.values())
    return boards


def _parties(match: Match, boards: Mapping[int, Board], seats: Sequence[MatchSeat]) -> None:
    parties = [_party(match, boards[exposure.board], exposure) for exposure in exposures(len(boards), len(seats))]
    Party.objects.bulk_create(parties)
    Game.objects.bulk_create(game for party in parties for game in _games(party, seats))


def _party(match: Match, board: Board, exposure: Exposure) -> Party:
    return Party(
        match=match,
        board=board,
        number=exposure.party,
        rotation=exposure.rotation,
        suits=suits_of(bytes(board.seed), exposure.rotation),
    )


def add_games(party: Party, seats: Sequence[MatchSeat]) -> None:
    """One alias per seat of a party."""
    Game.objects.bulk_create(_games(party, seats))


def _games(party: Party, seats: Sequence[MatchSeat]) -> list[Game]:
    return [Game(party=party, match_seat=seat, seat=party.table_seat(seat.index, len(seats))) for seat in seats]
