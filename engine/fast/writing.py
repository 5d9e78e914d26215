# plain: it makes the reference's values, and only where the core leaves a deal to it
"""What the reference has to say where the core does not know: illegal cards, forfeits, refusals."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import ACTIONS
from engine.errors import IllegalAction, Reason
from engine.fast.chronicle import Chronicle
from engine.fast.deal import FastDeal
from engine.fast.seeing import deal_of
from engine.party import Party
from engine.rules import Rules
from engine.scoring import PoolFrom, Pools
from engine.wording import brief
from engine.writing import forfeited, write


def written(
    rules: Rules,
    deal: FastDeal,
    totals: Sequence[int],
    baits: Sequence[int],
    waiting: Pools,
    played: int,
    forfeiter: int = -1,
) -> Party:
    """The party after a finished deal, or one that a seat forfeits, as the reference writes it; that deal alone in it.

    `totals`, `baits`, `waiting`, `played`: as before the deal.
    """
    sides = rules.sides
    before = Party(tuple(totals[:sides]), tuple(baits[:sides]), waiting, played=played)
    done = deal_of(rules, deal, known=Chronicle(rules, deal).read())
    return write(rules, before, done) if forfeiter < 0 else forfeited(rules, before, done, forfeiter)


def holds_points(waiting: Pools) -> bool:
    """Whether something is held for a forced deal (R48)."""
    return any(pool.source is PoolFrom.HELD for pool in waiting)


def refuse(code: int, legal: Sequence[int]) -> None:
    """Raises IllegalAction for a code that is none of the legal ones."""
    if not legal:
        raise IllegalAction(Reason("nobody_acts", "nobody is to act: the party is over, or there is no pack to deal"))
    said = ACTIONS[code].text if 0 <= code < len(ACTIONS) else f"code {brief(code)}"
    may = ", ".join(ACTIONS[other].text for other in legal)
    raise IllegalAction(Reason("not_legal", f"{said} is not legal now: expected one of {may}"))
