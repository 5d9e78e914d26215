"""Many deals or parties at once, as columns of numbers that numpy reads without a copy.

A deal or a party depends on the seed and on its own number alone, so any number of processes gives the same columns.
The exception is a bot with a budget of time, as `pimc` and `solver` are without a number: `pimc:worlds=40` is the same
everywhere. Packs come from a fast generator for studies (`engine.fast.chance`), not from R67's shuffle.
"""

from __future__ import annotations

import pickle
import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final

from engine.actions import Action
from engine.bots import house, plays
from engine.bots.policy import Policy
from engine.cards import Card
from engine.columns import Columns, of_deals, of_parties, shaped
from engine.errors import IllegalAction, Reason, SetupError
from engine.fast.batches import batch_deals
from engine.fast.chance import Chance, seed_of
from engine.fast.deal import FastDeal
from engine.fast.dealing import begin_drawn, pack_of
from engine.fast.parties import PartyRows, batch_parties, party_seed
from engine.fast.rollout import GREEDY, RANDOM
from engine.fast.rows import Rows
from engine.fast.terms import terms_of
from engine.presets import rules_of
from engine.rules import Rules
from engine.stepping import CODE_OF, Stepper, check_numbers, check_seed
from engine.table import PartySetup
from engine.view import View
from engine.wording import brief

Policies = str | Policy | Sequence[str | Policy]
"""A house bot's name, or anything that has a house bot's `choose(view, rng)`; one for all seats, or one for each.

Every seat of every deal (or party) has a fresh copy of what can be pickled, and so remembers nothing of others; what
cannot be pickled is one object for all of them, and plays in this process alone.
"""

CORE: Final = {"random": RANDOM, "greedy": GREEDY}
"""House bots that play inside the core. All others, and whoever sits beside them, are given views."""

NOT_PICKLED: Final = (pickle.PicklingError, AttributeError, TypeError)
"""What `pickle.dumps` raises for an object that it does not take."""

CHUNK: Final = 50_000
MOST: Final = 2**31 - 1
"""The highest number that a column of 32 bits holds."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Deals, each a board of its own; row i is deal i, which seat i mod players deals.

    By side, shape (n, sides), int32, points: `points` (R43), `written`, `fines` (positive); `stakes` (in Short alone).
    One each, int8, -1 = none: `dealer`, `maker`, `trump` (0 to 3 for C D H S), `end` (its place in `engine.deal.End`),
    `verdict` (in `engine.scoring.Verdict`), `ender` (the seat that ended it), `last` (the side that took the last
    trick), `winner` (the side that wins by this deal whatever the totals). `waiting`, int32: points left waiting.
    """

    n: int
    points: memoryview
    written: memoryview
    fines: memoryview
    stakes: memoryview
    waiting: array[int]
    dealer: array[int]
    maker: array[int]
    trump: array[int]
    end: array[int]
    verdict: array[int]
    ender: array[int]
    last: array[int]
    winner: array[int]


@dataclass(frozen=True, slots=True)
class Parties:
    """Parties from their first pack to their end; row i is party i.

    By side, shape (n, sides): `totals` int64 (points), `baits` int32, `stakes` int32 (won positive; Short alone).
    One each: `winner` int8 (a side), `reason` int8 (its place in `engine.party.EndReason`), both -1 = none;
    `first_dealer` int8; `deals` int32 (packs played, those thrown in too).
    """

    n: int
    totals: memoryview
    baits: memoryview
    stakes: memoryview
    winner: array[int]
    reason: array[int]
    first_dealer: array[int]
    deals: array[int]


def play_deals(rules: Rules, n: int, seed: int | str, policies: Policies = "random", processes: int = 1) -> Deals:
    """Plays `n` deals, each as a board of one (`deals=1`, R71; a Short as it is).

    A pack that is thrown in or redealt is a row, too, with that `end`. The cards of a deal are the same whatever plays
    it. With several `processes`, a script that calls this guards its own start (`if __name__ == "__main__"`), and
    policies of your own can be pickled. An illegal card is a fault where `illegal_move=rules` (R66). Raises SetupError,
    UnknownBot for a name, and IllegalAction for any other answer that is not legal, with whose it is.
    """
    check_numbers(rules, MOST)
    _check_asked(seed, n=(n, 0), processes=(processes, 1))
    board = rules if rules.short else rules_of(rules.name, {**rules.overrides, "deals": 1})
    chunk = partial(_deals, board, seed_of(seed), _players_of(board, policies))
    return Deals(n, **shaped(_joined(chunk, n, processes), board.sides))


def play_parties(
    rules: Rules,
    n: int,
    seed: int | str,
    policies: Policies = "random",
    processes: int = 1,
    most_deals: int = 1_000,
) -> Parties:
    """Plays `n` parties to their ends; one that is not over after `most_deals` packs has no winner and no reason.

    Otherwise as `play_deals`.
    """
    check_numbers(rules)
    _check_asked(seed, n=(n, 0), processes=(processes, 1), most_deals=(most_deals, 1))
    chunk = partial(_parties, rules, seed_of(seed), _players_of(rules, policies), most_deals)
    return Parties(n, **shaped(_joined(chunk, n, processes), rules.sides))


def _check_asked(seed: int | str, **numbers: tuple[int, int]) -> None:
    """Raises SetupError for a seed that is none, and for a number that is no integer from its lowest value on."""
    check_seed(seed)
    for name, (number, least) in numbers.items():
        if not isinstance(number, int) or not least <= number <= MOST:
            raise SetupError(f"{name} is an integer from {least} to {MOST}, not {brief(number)}")


Seats = int | tuple[Policy | bytes, ...]
"""Who plays: policies of the core, four bits a seat, or a policy for each seat that is given views, or it pickled."""


def _players_of(rules: Rules, policies: Policies) -> Seats:
    if isinstance(policies, str) or hasattr(policies, "choose"):
        asked: list[str | Policy] = [policies] * rules.players
    elif isinstance(policies, Sequence):
        asked = list(policies)
    else:
        raise SetupError(f"policies are one for all seats, or a list with one for each, not {brief(policies)}")
    if len(asked) != rules.players:
        raise SetupError(f"{rules.players} play here, but there are {len(asked)} policies")
    for name in asked:
        if isinstance(name, str) and not plays(name, rules):
            raise SetupError(f"{name} does not play {rules.name}")
        if not isinstance(name, str) and (isinstance(name, type) or not hasattr(name, "choose")):
            raise SetupError(f"a policy is a house bot's name or has `choose(view, rng)`: {brief(name)}")
    if all(isinstance(name, str) and name in CORE for name in asked):
        return sum(CORE[str(name)] << 4 * seat for seat, name in enumerate(asked))
    return tuple(house(policy) if isinstance(policy, str) else _pickled(policy) for policy in asked)


def _pickled(policy: Policy) -> Policy | bytes:
    """The policy as it is before it has played; itself where it cannot be pickled."""
    try:
        return pickle.dumps(policy)
    except NOT_PICKLED:
        return policy


def _joined(chunk: Callable[[int, int], Columns], n: int, processes: int) -> Columns:
    """The columns of all chunks in order; `chunk(first, count)` makes one, in this process or another."""
    size = max(1, min(CHUNK, -(-n // (4 * processes)))) if processes > 1 else CHUNK
    firsts = range(0, max(n, 1), size)
    counts = [min(size, n - first) for first in firsts]
    if processes == 1 or n <= 1:
        return _appended(map(chunk, firsts, counts))
    try:
        pickle.dumps(chunk)
    except NOT_PICKLED as error:
        raise SetupError(f"these policies cannot be sent to another process: {error}") from None
    with ProcessPoolExecutor(min(processes, len(counts)), get_context("spawn")) as pool:
        return _appended(pool.map(chunk, firsts, counts))


def _appended(chunks: Iterator[Columns]) -> Columns:
    whole = next(chunks)
    for more in chunks:
        for name, column in more.items():
            whole[name].extend(column)
    return whole


def _deals(rules: Rules, seed: int, seats: Seats, first: int, count: int) -> Columns:
    terms = terms_of(rules)
    if isinstance(seats, int):
        return of_deals(batch_deals(terms, count, seed, first, seats), rules.sides)
    rows = Rows(terms.sides, terms.short)
    for number in range(first, first + count):
        party = Stepper(rules, setup=_board(rules, seed, number))
        _play(party, seats, f"{seed} {number}", 1)
        done = party.finished[0]
        rows.add(done.deal, done.outcome)
    rows.finish()
    return of_deals(rows, rules.sides)


def _board(rules: Rules, seed: int, number: int) -> PartySetup:
    """A deal of a study as the core deals it (`batch_deals`)."""
    deal = FastDeal(terms_of(rules))
    begin_drawn(deal, number % rules.players, Chance(seed, number))
    return PartySetup(rules, None, first_dealer=deal.dealer, decks=(tuple(map(Card, pack_of(deal))),))


def _parties(rules: Rules, seed: int, seats: Seats, most_deals: int, first: int, count: int) -> Columns:
    if isinstance(seats, int):
        return of_parties(batch_parties(rules, count, seed, first, seats, most_deals))
    rows = PartyRows()
    for number in range(first, first + count):
        party = Stepper(rules, party_seed(seed, number))
        _play(party, seats, f"{seed} {number}", most_deals)
        rows.add(party)
    return of_parties(rows)


def _play(party: Stepper, seats: tuple[Policy | bytes, ...], seed: str, most_deals: int) -> None:
    """Plays a party to its end, or so many deals of it; every seat has its own stream of random numbers."""
    policies: list[Policy] = [pickle.loads(seat) if isinstance(seat, bytes) else seat for seat in seats]
    chances = [random.Random(f"{seed} {seat}") for seat in range(len(seats))]
    since: list[int | None] = [None] * len(seats)
    while (seat := party.seat) >= 0 and party.number < most_deals:
        view = party.observe(seat, since[seat])
        _answer(party, view, policies[seat].choose(view, chances[seat]))
        since[seat] = party.ply


def _answer(party: Stepper, view: View, action: Action) -> None:
    """Does what the seat to act has answered: a step, or a fault (R66)."""
    if action in view.legal:
        party.step(CODE_OF[action])
    elif isinstance(action, Action) and action.card is not None and party.is_fault(action.card):
        party.fault(action.card)
    else:
        said = action.text if isinstance(action, Action) else brief(action)
        may = ", ".join(legal.text for legal in view.legal)
        raise IllegalAction(Reason("not_legal", f"seat {view.seat} answered {said}: expected one of {may}"))
