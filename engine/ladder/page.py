"""The page that a run of the ladder writes: docs/strength.md."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import HOUSE_VERSIONS
from engine.fast import COMPILED
from engine.ladder.climbing import LOOKS, Ladder
from engine.ladder.saving import Saving
from engine.ladder.telling import told_ladder, told_savings

_HEAD = """\
# How strong the house bots are

Written by one command; do not edit:

```
{command}
```

Versions: {versions}. The engine's fast core was {core}.
Bots with a number of worlds give the same figures on every machine and with any number of processes; those with a
budget of milliseconds depend on how fast the machine is and on what else it does.

## How it is measured

- A **board** is a seed: the packs and the dealers that follow from it. It is played from every side: two players or
  two pairs change places; three and four play it with each of the two bots alone in every seat in turn, the other bot
  in all the others. Suits are relabelled for every exposure (R70). A board has {deals} (R71); packs thrown in are dealt
  again and waiting points burn with its end. In Short a board is one party.
- **Points a deal**: what a bot's side gets more than the mean of the other's, averaged over a board's exposures. Boards
  are the independent units: the interval is Student's t over boards.
- **Elo**: whoever has more points on a board has won it, a draw is half a win. A step's interval is from the boards'
  variance of the score; "at least" where all boards went one way. The scale of a table is the maximum likelihood over
  all pairs (Bradley-Terry, one drawn board added to each pair), the first bot at 0, the interval a parametric
  bootstrap: boards drawn anew from the fitted strengths. "At least" and "or more" where nothing bounds it above.
- All intervals are at 95 %. A step is **significant** if both its points and its Elo lie above 0:
  {rule}.
"""

_ALWAYS = "at 95 %, the number of boards having been fixed before"
_LOOKED = (
    "neighbours play until it is, on twice as many boards each time, and are looked at "
    f"{LOOKS} times at most,\n  so the level asked for there is that of 5 % divided by {LOOKS}"
)

_SAVINGS = """\
## What duplicate boards save

The variance of a mean over independent deals, seats by turns, divided by that of a mean over as many deals on duplicate
boards: 2 means that half the deals are enough. sd: standard deviation in points, of the difference on one deal and of a
board's mean a deal. The interval is a bootstrap over boards. The less the bots differ and the less they leave to
chance, the more of the variance is the cards', and that is what a duplicate board takes away.
"""


def page(command: str, ladders: Sequence[Ladder], savings: Sequence[Saving], finished: bool = True) -> str:
    """The whole page; one that is not finished says so."""
    plan = ladders[0].plan
    parts = [
        _HEAD.format(
            command=command,
            versions=", ".join(f"{name}@{version}" for name, version in HOUSE_VERSIONS.items()),
            core="compiled" if COMPILED else "not compiled",
            deals="one deal" if plan.deals == 1 else f"{plan.deals} deals, the dealer by turns",
            rule=_LOOKED if plan.until_significant else _ALWAYS,
        ),
        *(f"## {ladder.rules}: {', '.join(ladder.plan.bots)}\n\n{told_ladder(ladder)}\n" for ladder in ladders),
    ]
    if savings:
        parts.append(f"{_SAVINGS}\n{told_savings(savings)}\n")
    if not finished:
        parts.append("**Not finished**: the rest was still being measured when this was written.\n")
    return "\n".join(parts)
