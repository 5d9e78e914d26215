"""A party played on the fast core beside the reference, everything compared: `python -m tests.engine.following 5`."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from engine import Rules, Table, observe, rules_of, verify
from engine.actions import ACTIONS
from engine.deal import Deal
from engine.fast import COMPILED
from engine.fast.legal import default_code
from engine.presets import PRESETS
from engine.stepping import CODE_OF, Stepper
from engine.table import default_action
from tests.engine.directed import Turn
from tests.engine.drawing import SINGLES, party

MOST: int = 200
"""Turns of a party that are followed."""


def check_party(turns: list[Turn], rng: random.Random) -> None:
    """Plays the turns on the core and compares whatever there is after each; of the views, some."""
    if not turns:
        return
    table = turns[0].before
    stepper = Stepper(table.rules, setup=table.setup)
    for turn in turns:
        check_table(stepper, turn.before, rng)
        if rng.random() < 0.05:
            stepper = gone_on_as_a_copy(stepper)
        take(stepper, turn)
        assert stepper.deal_over is turn.ended or turn.action is None
    last = turns[-1].after
    check_table(stepper, last, rng)
    assert stepper.result == last.result
    assert [replace(deal, actions=plain(deal.actions)) for deal in last.party.deals] == stepper.deals
    assert verify(stepper.record()) is None


def gone_on_as_a_copy(stepper: Stepper) -> Stepper:
    """A copy of the party, of which the original is played on by itself."""
    copy = stepper.copy()
    if stepper.seat >= 0:
        stepper.step(stepper.legal[-1])
    return copy


def take(stepper: Stepper, turn: Turn) -> None:
    """The turn's action on the core."""
    if turn.action is None:
        assert turn.after.result is not None
        assert turn.after.result.forfeiter is not None
        stepper.forfeit(turn.after.result.forfeiter)
    elif turn.action not in turn.before.legal:
        assert turn.action.card is not None
        stepper.fault(turn.action.card)
    else:
        stepper.step(CODE_OF[turn.action])


def check_table(stepper: Stepper, table: Table, rng: random.Random) -> None:
    """Whose turn it is and what it may do, the whole deal, and what a seat sees of it."""
    assert stepper.seat == (-1 if table.seat_to_act is None else table.seat_to_act)
    assert stepper.legal == [CODE_OF[action] for action in table.legal]
    assert stepper.texts == [action.text for action in table.legal]
    assert (stepper.over, stepper.totals, stepper.ply) == (table.over, table.totals, table.ply)
    if table.legal:
        assert ACTIONS[default_code(stepper.deal)] is default_action(table)
    if rng.random() < 0.3:
        assert without_causes(stepper.reference_deal()) == without_causes(table.deal)
        seat, since = rng.randrange(table.rules.players), rng.choice((None, 0, table.ply, rng.randrange(table.ply + 1)))
        assert stepper.observe(seat, since, 2) == observe(table, seat, since, 2)


def without_causes(deal: Deal) -> Deal:
    """The deal as if every default had been chosen: the core knows of no seat that failed."""
    end = None if deal.end == "forfeit" else deal.end  # the reference leaves a forfeited deal as it lies
    return replace(deal, actions=plain(deal.actions), end=end)


def plain(actions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text if text.endswith("!illegal") else text.partition(" !")[0] for text in actions)


def check_presets(parties: int) -> int:
    """So many parties of every preset as it is, and as many with one thing changed; how many turns that were."""
    count = 0
    for preset in PRESETS:
        for number in range(parties):
            rng = random.Random(f"{preset} {number}")
            for agreed in (rules_of(preset), _changed(preset, rng)):
                turns = party(agreed, rng.randrange(2**32), MOST)
                check_party(turns, rng)
                count += len(turns)
    return count


def _changed(preset: str, rng: random.Random) -> Rules:
    return rules_of(preset, rng.choice(SINGLES(preset)))


if __name__ == "__main__":
    print(f"{'compiled' if COMPILED else 'plain'}: {check_presets(int(sys.argv[1]))} turns, all equal")
