"""What the script of a replay draws: the table as it lies after every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from engine import Rules, Step
from engine.notes import KINDS
from engine.rules import Dava
from engine.scoring import Pools
from engine.steps import StepKind
from matches.web.sheets import pool_words

Tags = tuple[tuple[str, ...], ...]
"""What each seat has said that still matters, in a word or two each."""


@dataclass(frozen=True, slots=True)
class TableState:
    """Cards are texts, everything else by seat or side; totals and waiting points as they stand at this step.

    `stake` is empty where there is none.
    """

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
    tags: Tags
    stake: str
    waiting: tuple[str, ...]


def table_states(walked: Sequence[Step], rules: Rules, sides: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """The table after every step, fit for JSON."""
    return tuple(asdict(state) for state in _states(walked, rules, sides))


def _states(walked: Sequence[Step], rules: Rules, sides: Sequence[str]) -> Iterator[TableState]:
    totals: tuple[int, ...] = (0,) * rules.sides
    waiting: tuple[str, ...] = ()
    for deal, of_deal in groupby(walked, key=lambda step: step.deal):
        tags: Tags = ((),) * rules.players
        stakes_raised = 0
        for number, step in enumerate(of_deal):
            tags = _tags_after(tags, step)
            stakes_raised += rules.dava is not None and step.action == "accept"
            if step.kind is StepKind.SCORE:
                totals, waiting = step.totals, _waiting(step.waiting, sides)
            yield _state(step, deal, number, totals, tags, _stake(rules, stakes_raised), waiting)


def _state(
    step: Step,
    deal: int,
    number: int,
    totals: tuple[int, ...],
    tags: Tags,
    stake: str,
    waiting: tuple[str, ...],
) -> TableState:
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
        tags=tags,
        stake=stake,
        waiting=waiting,
    )


def _waiting(pools: Pools, sides: Sequence[str]) -> tuple[str, ...]:
    return tuple(pool_words(pool, sides) for pool in pools)


def _stake(rules: Rules, raised: int) -> str:
    if rules.short is None:
        return ""
    return str(2**raised if rules.dava is Dava.GEOMETRIC else 1 + raised)


def _tags_after(tags: Tags, step: Step) -> Tags:
    """Passes are forgotten when trumps are named; what was announced, bella and dava stay to the end of the deal."""
    if step.seat is not None and step.maker is None and step.action == "pass":
        return _with_tag(tags, step.seat, _("pass"), alone=True)
    if (step.action or "").startswith(("take", "trump:")):
        return ((),) * len(tags)
    for seat, tag in _spoken(step):
        tags = _with_tag(tags, seat, tag)
    return tags


def _spoken(step: Step) -> Iterator[tuple[int, str]]:
    for fact in step.facts:
        kind, *rest = fact.removeprefix("! ").split()
        if kind == "announce":
            yield int(rest[0]), _(KINDS[rest[1]])
    words = {"dava": _("dava"), "close": _("closes")}
    said = _("bella") if (step.action or "").endswith("+bella") else words.get(step.action or "", "")
    if step.seat is not None and said:
        yield step.seat, said


def _with_tag(tags: Tags, seat: int, tag: str, alone: bool = False) -> Tags:
    kept = tuple(one for one in tags[seat] if one != tag)
    return (*tags[:seat], (tag,) if alone else (*kept, tag), *tags[seat + 1 :])
