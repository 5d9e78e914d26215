"""A revealed party as a page replays it: the table after every step, and every step in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import Step, rules_of, steps
from engine.rules import Rules
from engine.scoring import Pool
from engine.steps import StepKind
from matches.models import MatchSeat, Party
from matches.web.saying import action_words, fact_words
from matches.web.wording import DEAL_END, PARTY_REASON, rules_words


@dataclass(frozen=True, slots=True)
class TableState:
    """What the script draws: cards as texts, everything else by seat or side, totals as they stand at this step."""

    deal: int
    step: int
    kind: str
    seat: int | None
    hands: tuple[tuple[str, ...], ...]
    dealer: int
    maker: int | None
    upcard: str
    trump: str | None
    bottom: str | None
    trick: tuple[tuple[int, str], ...]
    winner: int | None
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One side's line of a deal as it was written."""

    name: str
    points: int
    written: int
    fine: int
    total: int


@dataclass(frozen=True, slots=True)
class Move:
    """A step in words; a deal's last step carries its score."""

    deal: int
    step: int
    index: int
    kind: str
    words: tuple[str, ...]
    lines: tuple[ScoreLine, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def has_fines(self) -> bool:
        return any(line.fine for line in self.lines)


@dataclass(frozen=True, slots=True)
class DealOfMoves:
    number: int
    first_index: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class ReplayPage:
    match_id: str
    party_id: str
    number: int
    board: int
    title: str
    rules_words: str
    names: tuple[str, ...]
    sides: tuple[str, ...]
    deals: tuple[DealOfMoves, ...]
    states: tuple[dict[str, Any], ...]
    totals: tuple[int, ...]
    winner: str
    reason: str
    previous: int | None
    following: int | None


def replay_page(party: Party) -> ReplayPage:
    """The whole replay of a party. The caller has made sure that it `is_revealed`."""
    record = party.record
    rules = rules_of(record["rules"], record["overrides"])
    names = _names(party)
    sides = _side_names(rules, names)
    walked = steps(record)
    result = record["result"]
    others = _revealed_numbers(party)
    return ReplayPage(
        match_id=party.match.public_id,
        party_id=party.public_id,
        number=party.number,
        board=party.board.number,
        title=" – ".join(names),
        rules_words=rules_words(record["rules"]),
        names=names,
        sides=sides,
        deals=_deals(walked, names, sides),
        states=tuple(asdict(state) for state in _states(walked, rules)),
        totals=tuple(result["totals"]),
        winner=sides[result["winner"]] if result["winner"] is not None else "",
        reason=str(PARTY_REASON.get(result["reason"], result["reason"])),
        previous=max((number for number in others if number < party.number), default=None),
        following=min((number for number in others if number > party.number), default=None),
    )


def _names(party: Party) -> tuple[str, ...]:
    """Names in table order: the seats of the match, turned by the party's rotation."""
    seats = MatchSeat.objects.filter(match=party.match).select_related("agent__player").order_by("index")
    by_index = [seat.agent.player.name for seat in seats]
    return tuple(by_index[party.match_seat(seat, len(by_index))] for seat in range(len(by_index)))


def _side_names(rules: Rules, names: Sequence[str]) -> tuple[str, ...]:
    seats = {
        side: [name for seat, name in enumerate(names) if rules.side_of(seat) == side] for side in range(rules.sides)
    }
    return tuple(" + ".join(seats[side]) for side in range(rules.sides))


def _revealed_numbers(party: Party) -> list[int]:
    """The other parties of the match that can be replayed."""
    parties = Party.objects.filter(match=party.match).defer("record_json").select_related("board__match")
    return [one.number for one in parties.prefetch_related("board__parties") if one.is_revealed]


def _states(walked: Sequence[Step], rules: Rules) -> list[TableState]:
    states, totals = [], (0,) * rules.sides
    for deal, of_deal in groupby(walked, key=lambda step: step.deal):
        for number, step in enumerate(of_deal):
            totals = step.totals or totals
            states.append(_state(step, deal, number, totals))
    return states


def _state(step: Step, deal: int, number: int, totals: tuple[int, ...]) -> TableState:
    return TableState(
        deal=deal + 1,
        step=number,
        kind=step.kind,
        seat=step.seat,
        hands=step.hands,
        dealer=step.dealer,
        maker=step.maker,
        upcard=step.upcard,
        trump=step.trump,
        bottom=step.bottom,
        trick=step.trick,
        winner=step.winner,
        tricks=step.tricks_won,
        points=step.card_points,
        totals=totals,
    )


def _deals(walked: Sequence[Step], names: Sequence[str], sides: Sequence[str]) -> tuple[DealOfMoves, ...]:
    deals, index = [], 0
    for deal, of_deal in groupby(walked, key=lambda step: step.deal):
        moves = tuple(_move(step, number, index + number, names, sides) for number, step in enumerate(of_deal))
        deals.append(DealOfMoves(deal + 1, index, moves))
        index += len(moves)
    return tuple(deals)


def _move(step: Step, number: int, index: int, names: Sequence[str], sides: Sequence[str]) -> Move:
    return Move(
        deal=step.deal + 1,
        step=number,
        index=index,
        kind=step.kind,
        words=(_headline(step, names), *(fact_words(fact, names) for fact in step.facts)),
        lines=tuple(_score_lines(step, sides)),
        waiting=tuple(_pool_words(pool, sides) for pool in step.waiting),
    )


def _headline(step: Step, names: Sequence[str]) -> str:
    if step.kind is StepKind.DEAL:
        return _("%(name)s deals; the upcard is %(card)s") % {"name": names[step.dealer], "card": f"[{step.upcard}]"}
    if step.kind is StepKind.SCORE:
        return _("The deal is over: %(end)s") % {"end": DEAL_END.get(str(step.end), step.end)}
    said = action_words(names[step.seat or 0], step.action or "", step.upcard, step.cause)
    if step.winner is None:
        return said
    return _("%(said)s; the trick goes to %(name)s") % {"said": said, "name": names[step.winner]}


def _score_lines(step: Step, sides: Sequence[str]) -> Iterator[ScoreLine]:
    figures = zip(sides, step.points, step.written, step.fines, step.totals, strict=False)
    return (ScoreLine(*line) for line in figures)


def _pool_words(pool: Pool, sides: Sequence[str]) -> str:
    waits = ngettext("%(points)s point waits", "%(points)s points wait", pool.points) % {"points": pool.points}
    if len(pool.eligible) == len(sides):
        return _("%(waits)s for whoever writes most in the next deal") % {"waits": waits}
    return _("%(waits)s for %(names)s") % {"waits": waits, "names": ", ".join(sides[side] for side in pool.eligible)}
