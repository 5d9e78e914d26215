"""Drawing up a match: all of its rows at once."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from engine import Rules, commitment, lot, rules_of, suits_of
from matches.core.chance import derived
from matches.core.house import KIND as HOUSE
from matches.core.house import thinks, why_not_house
from matches.core.lifecycle import MatchStatus
from matches.core.owners import have_one_owner
from matches.core.plan import Exposure, Length, MatchPlan, exposures, forfeit_points, match_overrides, why_not_plan
from matches.models import Agent, Board, Game, Match, MatchSeat, Party, PlayerKind
from matches.services.wake import wake_lanes_on_commit


def create_match(plan: MatchPlan, *, held: bool = False) -> Match:
    """Writes a match with its seats, boards, parties and games; a held one waits for `release_matches`.

    With a person at a seat it is reported and not played here: it has no boards then, and no parties.
    Raises: RulesError if rules, overrides and deals do not fit, ValueError if the agents do not fill the table, a house
    program among them does not play at it, or the match cannot be so long.
    """
    return create_matches([plan], held=held)[0]


@transaction.atomic
def create_matches(plans: Sequence[MatchPlan], *, held: bool = False) -> list[Match]:
    """Writes all of these, in their order, in as many statements as one takes. Raises as `create_match`."""
    agents = {agent for plan in plans for agent in plan.agents}
    seated = {pk: _Seated(*of_it) for pk, *of_it in Agent.objects.filter(pk__in=agents).values_list(*_OF_AGENTS)}
    rules = _rules_of_each(plans)
    matches = Match.objects.bulk_create(
        [_match(plan, one, seated, held) for plan, one in zip(plans, rules, strict=True)], batch_size=_BATCH
    )
    seats = [_seats(*drawn) for drawn in zip(matches, plans, rules, strict=True)]
    MatchSeat.objects.bulk_create([seat for own in seats for seat in own], batch_size=_BATCH)
    _write_boards([drawn for drawn in zip(matches, plans, rules, seats, strict=True) if not drawn[0].is_reported])
    if any(match.status == MatchStatus.READY for match in matches):
        wake_lanes_on_commit()
    return matches


_BATCH = 1_000
_OF_AGENTS = ("pk", "kind", "label", "player__owner")


class _Seated(NamedTuple):
    """What a version at the table is. `owner`: of its player; the house's and most people's have none."""

    kind: str
    label: str
    owner: int | None


def _rules_of_each(plans: Sequence[MatchPlan]) -> list[Rules]:
    """Matches that are drawn together have the same rules, which are read once."""
    known: dict[str, Rules] = {}
    for plan in plans:
        if (key := _key(plan)) not in known:
            known[key] = rules_of(plan.rules, match_overrides(plan.overrides, plan.deals_of_party))
    return [known[_key(plan)] for plan in plans]


def _key(plan: MatchPlan) -> str:
    return f"{plan.rules} {plan.deals_of_party} {sorted(plan.overrides.items())}"


def _match(plan: MatchPlan, rules: Rules, agents: Mapping[int, _Seated], held: bool) -> Match:
    """Not written yet. Where one owner's programs meet nothing is rated, whatever was planned: he decides for both."""
    _check_plan(plan, rules)
    seated = [agents[agent] for agent in plan.agents]
    house = _house_labels(rules, seated)
    is_reported = any(one.kind == PlayerKind.PERSON for one in seated)
    return Match(
        title=plan.title,
        group=plan.group,
        rules=rules.name,
        overrides=match_overrides(plan.overrides, plan.deals_of_party),
        length=Length(plan.length),
        boards_planned=plan.boards,
        is_reported=is_reported,
        control=plan.control,
        strict=plan.strict,
        forfeit_points=forfeit_points(rules),
        round_number=plan.round_number,
        rated=plan.rated and not _are_one_owners(rules, seated),
        house_thinks=not is_reported and any(thinks(label) for label in house),
        priority=plan.priority,
        due_at=timezone.now(),
        status=_first_status(is_reported, held),
    )


def _seats(match: Match, plan: MatchPlan, rules: Rules) -> list[MatchSeat]:
    return [
        MatchSeat(match=match, index=index, side=rules.side_of(index), agent_id=agent)
        for index, agent in enumerate(plan.agents)
    ]


def _first_status(is_reported: bool, held: bool) -> MatchStatus:
    if held:
        return MatchStatus.HELD
    return MatchStatus.AWAITED if is_reported else MatchStatus.READY


def _check_plan(plan: MatchPlan, rules: Rules) -> None:
    """Raises ValueError."""
    _check_seats(rules, plan.agents)
    if why := why_not_plan(plan, rules):
        raise ValueError(why)


def _check_seats(rules: Rules, agents: Sequence[int]) -> None:
    """Raises ValueError unless there is a version for every seat and none on two sides."""
    if len(agents) != rules.players:
        raise ValueError(f"{rules.name} is for {rules.players} seats, {len(agents)} versions were given.")
    seated = {(agent, rules.side_of(index)) for index, agent in enumerate(agents)}
    if len({agent for agent, _ in seated}) < len(seated):
        raise ValueError("A version cannot play against itself in one match.")


def _are_one_owners(rules: Rules, seated: Sequence[_Seated]) -> bool:
    return have_one_owner((rules.side_of(index), one.owner) for index, one in enumerate(seated))


def _house_labels(rules: Rules, seated: Iterable[_Seated]) -> list[str]:
    """The house programs among kinds and labels; raises ValueError where one cannot play, or not these rules."""
    labels = [one.label for one in seated if one.kind == HOUSE]
    refusals = [why for label in labels if (why := why_not_house(label, rules))]
    if refusals:
        raise ValueError(" ".join(refusals))
    return labels


Drawn = tuple[Match, MatchPlan, Rules, list[MatchSeat]]


def _write_boards(drawn: Sequence[Drawn]) -> None:
    """What lanes need: boards, their exposures, and an alias for every seat of those."""
    boards = {match.pk: _boards(match, rules, plan) for match, plan, rules, _ in drawn}
    Board.objects.bulk_create([board for own in boards.values() for board in own.values()], batch_size=_BATCH)
    parties = [(party, seats) for match, _, _, seats in drawn for party in _parties(match, boards[match.pk], seats)]
    Party.objects.bulk_create([party for party, _ in parties], batch_size=_BATCH)
    Game.objects.bulk_create([game for party, seats in parties for game in _games(party, seats)], batch_size=_BATCH)


def _boards(match: Match, rules: Rules, plan: MatchPlan) -> dict[int, Board]:
    boards = {}
    for number in range(1, plan.boards + 1):
        seed = derived(plan.seed, "board", number) if plan.seed else secrets.token_bytes(32)
        boards[number] = Board(
            match=match,
            number=number,
            seed=seed,
            commitment=commitment(seed),
            first_dealer=lot(seed, rules.players) if number == 1 or plan.length == Length.BOARDS else None,
        )
    return boards


def _parties(match: Match, boards: Mapping[int, Board], seats: Sequence[MatchSeat]) -> list[Party]:
    rotations = len(seats) if match.length == Length.BOARDS else 1
    return [_party(match, boards[exposure.board], exposure) for exposure in exposures(len(boards), rotations)]


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
