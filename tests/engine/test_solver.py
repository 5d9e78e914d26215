"""Double dummy for two: the values of brute force, and the laws that hold for all of them (R37-R42).

Size: 300 positions, 1 500 with MANELA_PROOF=full; whole deals of nine and of ten cards are among them.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import ALL_SUITS, PACK, POINTS, Card, Suit, cards_in, mask_of, parse_card, parse_suit
from engine.cards import points_in as card_points
from engine.fast.chance import Chance, shuffle
from engine.fast.deal import PLAY, FastDeal, begin
from engine.fast.legal import default_code, legal_rights
from engine.fast.solver import Solver
from engine.fast.solving import bit_of, card_of, leads, strongest_of, weakest_of
from engine.fast.step import step
from engine.fast.terms import terms_of
from engine.tricks import LAST_TRICK, Trick
from tests.engine.agreements import FULL
from tests.engine.brute_force import RULES, BruteForce
from tests.engine.notation import hand

POSITIONS: Final = 1_500 if FULL else 300
AT_ONCE: Final = 50
LAWS: Final = settings(max_examples=300 if FULL else 25, deadline=None)
NUMBERS: Final = st.integers(0, 2**32)


class Position(NamedTuple):
    """Two hands, trumps, the seat to act, and the card that the other has led, or -1."""

    hands: tuple[int, int]
    trump: Suit
    to_act: int
    led: int

    @property
    def trick(self) -> Trick:
        return () if self.led < 0 else ((1 - self.to_act, Card(self.led)),)

    @property
    def asked(self) -> tuple[int, int, int, int, int]:
        return (*self.hands, self.trump, self.to_act, self.led)

    @property
    def worth(self) -> int:
        """All the points that are left, the last trick's among them."""
        led = POINTS[self.trump][self.led] if self.led >= 0 else 0
        return led + card_points(self.hands[0] | self.hands[1], self.trump) + LAST_TRICK


def position(number: int, tricks: int) -> Position:
    """A random position, with a card led or not; of four suits, or of few so that ruffs and long suits are many."""
    rng = random.Random(number)
    suits = rng.sample(ALL_SUITS, 4 if tricks > 8 else rng.choice((2, 3, 4, 4)) if tricks > 4 else rng.randrange(1, 5))
    dealt = rng.sample([card for card in PACK if card >> 3 in suits], 2 * tricks)
    hands, to_act = [mask_of(dealt[:tricks]), mask_of(dealt[tricks:])], rng.randrange(2)
    led = rng.choice((-1, rng.choice(cards_in(hands[1 - to_act]))))
    if led >= 0:
        hands[1 - to_act] ^= 1 << led
    return Position((hands[0], hands[1]), rng.choice(ALL_SUITS), to_act, led)


def tricks_of(number: int) -> int:
    """How many tricks are left: seldom all ten or all nine, else one to seven."""
    return 10 if number % 300 == 150 else 9 if number % 100 == 50 else 1 + number % 7


def valued(solver: Solver, asked: Position) -> dict[int, int]:
    return {card: solver.value_of(card) for card in cards_in(solver.values(*asked.asked))}


@pytest.mark.parametrize("first", range(0, POSITIONS, AT_ONCE))
def test_values_are_those_of_brute_force(first: int) -> None:
    solver = Solver()
    for number in range(first, first + AT_ONCE):
        asked = position(number, tricks_of(number))
        brute_force = BruteForce(asked.trump)
        best = brute_force.best(asked.hands, asked.to_act, asked.trick)
        assert solver.solve(*asked.asked) == best, asked
        assert valued(solver, asked) == brute_force.values(asked.hands, asked.to_act, asked.trick), asked


@pytest.mark.parametrize(
    ("mine", "theirs", "led", "taken"),
    [
        ("", "", "", 0),
        ("AS", "KS", "", 11 + 4 + 10),
        ("AS", "7H", "", 0),  # ruffed (R38), and the 10 gone with it (R42)
        ("9H KH", "7S", "TH", 10 + 14 + 4 + 10),  # E1: the nine must beat the ten, and the king is left
        ("KH 7H", "AS", "TH", 4 + 11 + 10),  # E2: neither beats the ten, and the king is worth keeping
        ("KH 7H", "8S", "QH", 3 + 4 + 10),  # the king must beat the queen, and the seven ruffs
        ("JC AS", "TS 9S", "", 2 + 11 + 10 + 10),
        ("AS TS", "KS 7H", "", 11 + 4),  # the second round is ruffed
    ],
)
def test_hands_of_a_few_cards(mine: str, theirs: str, led: str, taken: int) -> None:
    card = parse_card(led) if led else -1
    assert Solver().solve(hand(mine), hand(theirs), parse_suit("H"), 0, card) == taken


@given(NUMBERS, st.integers(1, 9))
@LAWS
def test_the_value_is_the_best_of_all_cards_and_within_what_is_left(number: int, tricks: int) -> None:
    solver, asked = Solver(), position(number, tricks)
    values = valued(solver, asked).values()
    value = solver.solve(*asked.asked)
    assert value == (min(values) if asked.to_act else max(values))
    assert all(0 <= each <= asked.worth for each in values)


@given(NUMBERS, st.integers(1, 9))
@LAWS
def test_seats_changed_take_each_others_points(number: int, tricks: int) -> None:
    solver, asked = Solver(), position(number, tricks)
    changed = Position(asked.hands[::-1], asked.trump, 1 - asked.to_act, asked.led)
    others = valued(solver, changed)
    assert valued(solver, asked) == {card: asked.worth - points for card, points in others.items()}


@given(NUMBERS, st.integers(1, 9), st.permutations(ALL_SUITS))
@LAWS
def test_suits_renamed_change_nothing(number: int, tricks: int, suits: list[Suit]) -> None:
    solver, asked = Solver(), position(number, tricks)
    hands = tuple(sum((held >> 8 * old & 255) << 8 * new for old, new in enumerate(suits)) for held in asked.hands)
    led = asked.led if asked.led < 0 else suits[asked.led >> 3] << 3 | asked.led & 7
    renamed = Position((hands[0], hands[1]), suits[asked.trump], asked.to_act, led)
    values = {suits[card >> 3] << 3 | card & 7: points for card, points in valued(solver, asked).items()}
    assert valued(solver, renamed) == values


@given(NUMBERS)
@LAWS
def test_an_answer_does_not_depend_on_earlier_ones(number: int) -> None:
    asked, before = position(number, 7), position(number + 1, 7)
    fresh, used = Solver(), Solver()
    used.solve(*before.asked)
    used.values(*asked.asked)
    assert (fresh.solve(*asked.asked), fresh.nodes) == (used.solve(*asked.asked), used.nodes)


def test_answers_stay_right_when_the_searches_are_numbered_anew() -> None:
    solver, asked = Solver(), position(0, 7)
    values = valued(solver, asked)
    solver._stamp = (1 << 24) - 1
    assert valued(solver, asked) == values
    assert solver._stamp == 1


@given(NUMBERS, st.integers(1, 200))
@LAWS
def test_a_limit_stops_the_search_and_says_so(number: int, limit: int) -> None:
    solver, asked = Solver(), position(number, 8)
    values, value, nodes = valued(solver, asked), solver.solve(*asked.asked), solver.nodes
    solver.limit = limit
    assert solver.solve(*asked.asked) == (value if nodes <= limit else -1)
    assert solver.aborted == (nodes > limit)
    found = valued(solver, asked)
    assert found.items() <= values.items()
    assert solver.aborted == (found != values)
    solver.limit = 0
    assert valued(solver, asked) == values


@given(NUMBERS)
@LAWS
def test_a_deal_played_by_its_values_ends_as_promised(number: int) -> None:
    """Whatever card is worth the most to the seat to act keeps the promise made before the first lead."""
    d, solver = dealt(number), Solver()
    promised = solver.solve_deal(d)
    while d.end < 0:
        assert solver.solve_deal(d) + (d.points & 0xFFFF) == promised
        values = {card: solver.value_of(card) for card in cards_in(solver.values_deal(d))}
        card = (min if d.to_act else max)(values, key=values.__getitem__)
        step(d, 17 + 2 * card)
    assert (d.points & 0xFFFF) + (0 if d.leader else LAST_TRICK) == promised


def dealt(number: int) -> FastDeal:
    """A random deal whose first bidder took the upcard's suit, before the first lead."""
    d = FastDeal(terms_of(RULES))
    shuffle(Chance(number, 0), d.deck)
    begin(d, number % 2)
    while d.phase != PLAY:
        step(d, 0 if legal_rights(d) & 1 else default_code(d))
    return d


@pytest.mark.parametrize("trump", ALL_SUITS)
def test_every_card_has_its_place_and_comes_back(trump: Suit) -> None:
    bits = [bit_of(card, trump) for card in PACK]
    assert [card_of(bit, trump) for bit in bits] == list(PACK)
    assert len(set(bits)) == len(PACK)


@given(NUMBERS, st.integers(1, 8))
@LAWS
def test_touching_cards_are_found_by_arithmetic_as_by_looking(number: int, tricks: int) -> None:
    asked = position(number, tricks)
    mine, theirs = ({bit_of(card, asked.trump) for card in cards_in(held)} for held in asked.hands)
    groups = touching(mine, theirs)
    assert strongest_of(sum(mine), sum(theirs)) == sum(min(group) for group in groups)
    assert weakest_of(sum(mine), sum(theirs)) == sum(max(group) for group in groups)
    sure, lost, unsure = leads(sum(mine), sum(theirs))
    assert sure & lost == 0 == (sure | lost) & unsure
    assert (sure | lost | unsure) & ~sum(mine) == 0


def touching(mine: set[int], theirs: set[int]) -> list[list[int]]:
    """The cards of a hand, given as the solver's bits, in groups with no card of the other's between."""
    groups: list[list[int]] = []
    before = 0
    for bit in sorted(mine | theirs):
        if bit in mine and before in mine and suit_place(bit) == suit_place(before):
            groups[-1].append(bit)
        elif bit in mine:
            groups.append([bit])
        before = bit
    return groups


def suit_place(bit: int) -> int:
    return (bit.bit_length() - 1) // 9
