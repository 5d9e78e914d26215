"""The score sheet of a replayed party: what every deal wrote, in numbers and in the pencil's marks (R63)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine import Rules, Step
from engine.deal import End
from engine.marks import marks_of, marks_svg
from engine.scoring import Pool, PoolFrom, Verdict, verdict_of
from engine.settlement import multiplier, per_point
from matches.web.moves import Said
from matches.web.wording import DEAL_END, minus, signed

VERDICTS = {
    Verdict.MADE: gettext_lazy("made"),
    Verdict.BAIT: gettext_lazy("bait"),
    Verdict.HANG: gettext_lazy("hang"),
}


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One side's line of a deal. `verdict`: made, bait or hang, on the maker's line alone."""

    name: str
    points: str
    written: str
    marks: SafeString
    fine: int
    total: str
    verdict: str
    verdict_words: str


@dataclass(frozen=True, slots=True)
class SheetDeal:
    """A deal on the sheet; it is written with the step `index`.

    `end` says how it ended unless it was played out, `waiting` what hangs after it and for whom.
    """

    number: int
    index: int
    end: str
    sides: tuple[SheetSide, ...]
    waiting: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    deals: tuple[SheetDeal, ...]
    has_fines: bool


def score_sheet(walked: Sequence[Step], rules: Rules, sides: Sequence[str]) -> ScoreSheet:
    """Every deal of a party as it was written."""
    scores = [(index, step) for index, step in enumerate(walked) if step.end is not None]
    return ScoreSheet(
        deals=tuple(_deal(step, index, rules, sides) for index, step in scores),
        has_fines=any(any(step.fines) for _index, step in scores),
    )


def _deal(step: Step, index: int, rules: Rules, sides: Sequence[str]) -> SheetDeal:
    return SheetDeal(
        number=step.deal + 1,
        index=index,
        end="" if step.end is End.PLAYED else str(DEAL_END.get(str(step.end), step.end)),
        sides=tuple(_side(step, side, rules, name) for side, name in enumerate(sides)),
        waiting=tuple(Said(pool_words(pool, sides), _POOL_CLAUSE[pool.source]) for pool in step.waiting),
    )


def _side(step: Step, side: int, rules: Rules, name: str) -> SheetSide:
    written, verdict = step.written[side], _verdict(step, side, rules)
    return SheetSide(
        name=name,
        points=minus(step.points[side]),
        written=minus(written),
        marks=mark_safe(marks_svg(marks_of(written)) if written else ""),
        fine=step.fines[side],
        total=minus(step.totals[side]),
        verdict=verdict or "",
        verdict_words=str(VERDICTS[verdict]) if verdict else "",
    )


def _verdict(step: Step, side: int, rules: Rules) -> Verdict | None:
    """What became of the maker's game, for the maker's side (R45-R47)."""
    maker = step.maker
    if step.end is not End.PLAYED or maker is None or rules.side_of(maker) != side or rules.short == "plain":
        return None
    return verdict_of(rules, maker, step.points)


_POOL_CLAUSE = {PoolFrom.HANG: "R47", PoolFrom.BAIT: "R46", PoolFrom.HELD: "R48"}


def pool_words(pool: Pool, sides: Sequence[str]) -> str:
    """How many points hang, and who they wait for."""
    values = {"points": pool.points, "names": ", ".join(sides[side] for side in pool.eligible)}
    if pool.source is PoolFrom.HELD:
        words = ngettext(
            "%(points)s point of %(names)s is held for the next deal",
            "%(points)s points of %(names)s are held for the next deal",
            pool.points,
        )
    elif len(pool.eligible) == len(sides):
        words = ngettext(
            "%(points)s point waits for whoever writes most in the next deal",
            "%(points)s points wait for whoever writes most in the next deal",
            pool.points,
        )
    else:
        words = ngettext(
            "%(points)s point waits for the better of %(names)s",
            "%(points)s points wait for the better of %(names)s",
            pool.points,
        )
    return words % values


def settlement_lines(rules: Rules, result: Mapping[str, Any], sides: Sequence[str]) -> tuple[Said, ...]:
    """What the party would be worth in stakes: numbers only (R58, R61, R62). Nothing where nobody would pay."""
    if result["stakes"] is not None:
        return (Said(_("Stakes: %(amounts)s.") % {"amounts": _amounts(result["stakes"], sides)}, "R58"),)
    if rules.deals is not None or result["winner"] is None or result["forfeiter"] is not None:
        return ()
    totals, winner = result["totals"], result["winner"]
    amounts = _amounts(per_point(rules.target, totals, winner), sides)
    times = [
        (name, multiplier(rules.target, totals, winner, side)) for side, name in enumerate(sides) if side != winner
    ]
    return (
        Said(_("At one a point this party is worth: %(amounts)s.") % {"amounts": amounts}, "R61"),
        *(
            Said(_("%(name)s is far behind and pays %(times)s times.") % {"name": name, "times": count}, "R62")
            for name, count in times
            if count > 1
        ),
    )


def _amounts(stakes: Sequence[int], sides: Sequence[str]) -> str:
    return ", ".join(f"{name} {signed(stake)}" for name, stake in zip(sides, stakes, strict=True))
