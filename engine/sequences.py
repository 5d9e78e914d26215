"""Sequences: what a hand holds, whose is best, what the table learns (R23-R32)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engine.cards import ALL_SUITS, CARD_TEXTS, RANKS, Card, Suit, card_of, rank_of, suit_of
from engine.rules import Declare, DeclareUntil, Rules, SequenceTie


class SequenceKind(StrEnum):
    """Terz, fifty, hundred (R23, R24), and a jackpot, which ends the deal and has no points of its own (R25)."""

    TERZ = "terz"
    FIFTY = "fifty"
    HUNDRED = "hundred"
    JACKPOT = "jackpot"


WORTH: Final = {SequenceKind.TERZ: 20, SequenceKind.FIFTY: 50, SequenceKind.HUNDRED: 100, SequenceKind.JACKPOT: 0}
# A run of three is anchored at a seven to a queen; the mask keeps it from going over into the next suit.
_ANCHORS: Final = 0x3F3F3F3F


@dataclass(frozen=True, slots=True)
class RunOfCards:
    """One sequence: its kind, its highest card, how many cards."""

    kind: SequenceKind
    top: Card
    length: int

    @property
    def worth(self) -> int:
        """Points it scores if its side scores."""
        return WORTH[self.kind]

    @property
    def rank(self) -> tuple[int, int]:
        """What R28 compares before `sequence_tie`: the kind, then the top."""
        return WORTH[self.kind], rank_of(self.top)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Its cards, low to high."""
        return tuple(Card(number) for number in range(self.top - self.length + 1, self.top + 1))


Declared = tuple[RunOfCards, ...]
"""What one seat declared, best first."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What the table knows of one seat's sequences.

    `best` is the seat's own; the table knows its kind, its top once `top_known`, and the cards in `shown`.
    """

    seat: int
    best: RunOfCards
    top_known: bool = False
    shown: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Declarations:
    """Each seat's hand when it came to its first card (0 before), what it declared, what was announced of it."""

    came: tuple[int, ...]
    declared: tuple[Declared | None, ...]
    announced: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose sequences are best: one side's, nobody's, or of several sides of which the last trick chooses (`open`).

    `pool`: the sides that all score if one of them has the best (R30).
    """

    sides: tuple[int, ...]
    open: bool = False
    pool: tuple[int, ...] = ()

    def scoring(self, last_trick: int | None) -> tuple[int, ...]:
        """The sides that score once the last trick is taken by that side; None = nobody has taken it yet."""
        best = last_trick if self.open else next(iter(self.sides), None)
        return () if best is None or best not in self.sides else self._with_pool(best)

    @property
    def shown(self) -> tuple[int, ...]:
        """The sides that score, or may by the last trick (R32)."""
        return tuple(dict.fromkeys(scoring for side in self.sides for scoring in self._with_pool(side)))

    def _with_pool(self, side: int) -> tuple[int, ...]:
        return self.pool if side in self.pool else (side,)


def holds_sequence(hand: int) -> bool:
    """Whether any suit has three in a row (R23)."""
    return bool(hand & hand >> 1 & hand >> 2 & _ANCHORS)


def sequences_in(rules: Rules, hand: int) -> Declared:
    """All sequences of a hand, best first; a card belongs to one only (R23-R26)."""
    if not holds_sequence(hand):
        return ()
    found = [
        RunOfCards(kind, card_of(suit, top), length)
        for suit in ALL_SUITS
        for kind, top, length in _in_suit(hand >> 8 * suit & 255, rules.hundred, rules.split_runs)
    ]
    return tuple(sorted(found, key=lambda run: run.rank, reverse=True))


@cache
def _in_suit(bits: int, hundred: int | None, split: bool) -> tuple[tuple[SequenceKind, int, int], ...]:
    """Kind, top rank and length of the sequences among eight bits of one suit, from the highest run down."""
    found: list[tuple[SequenceKind, int, int]] = []
    rank = 7
    while rank >= 0:
        length = run_down(bits, rank)
        found.extend(_split(rank, length, hundred, split))
        rank -= length + 1
    return tuple(found)


def run_down(bits: int, top: int) -> int:
    """How many cards stand in a row from this rank down."""
    length = 0
    while top - length >= 0 and bits >> (top - length) & 1:
        length += 1
    return length


def _split(top: int, length: int, hundred: int | None, split: bool) -> Iterable[tuple[SequenceKind, int, int]]:
    """A run as sequences: best value first, each from the top of what is left (R26)."""
    while length >= 3:
        kind, taken = _longest(length, hundred)
        yield kind, top, taken
        top, length = top - taken, length - taken
        if not split:
            return


def _longest(length: int, hundred: int | None) -> tuple[SequenceKind, int]:
    if hundred and length >= hundred:
        return SequenceKind.HUNDRED, hundred
    return (SequenceKind.FIFTY, 4) if length >= 4 else (SequenceKind.TERZ, 3)


def standing(
    rules: Rules, trump: Suit, maker: int, declared: tuple[Declared | None, ...], order: tuple[int, ...]
) -> Standing:
    """Whose sequences are best by what is declared (R28, R30).

    `order`: seats in order of play from the first leader. Decided: under `defenders_pool` a tie between defenders
    is none, for both score; one with the maker is settled as any other.
    """
    runs = [(seat, run) for seat in order for run in declared[seat] or ()]
    if not runs:
        return Standing(())
    best = max(run.rank for _, run in runs)
    tied = [(rules.side_of(seat), suit_of(run.top) == trump) for seat, run in runs if run.rank == best]
    sides = tuple(dict.fromkeys(side for side, _ in tied))
    pool = rules.others_after(maker) if rules.defenders_pool else ()
    if len(sides) == 1 or all(side in pool for side in sides):
        return Standing(sides[:1], pool=pool)
    in_trumps = next((side for side, is_trump in tied if is_trump), None)
    best_sides, open_still = _untied(rules.sequence_tie, sides, in_trumps)
    return Standing(best_sides, open_still, pool)


def _untied(tie: SequenceTie, sides: tuple[int, ...], trump_side: int | None) -> tuple[tuple[int, ...], bool]:
    """The best of equal sequences by `sequence_tie`, and whether the last trick chooses; `sides` in order of play."""
    by_trumps = tie in (SequenceTie.TRUMP_ORDER, SequenceTie.SUIT, SequenceTie.TRUMP_LAST_TRICK)
    if by_trumps and trump_side is not None:
        return (trump_side,), False
    if tie is SequenceTie.SUIT:
        return (), False
    by_last_trick = tie in (SequenceTie.LAST_TRICK, SequenceTie.TRUMP_LAST_TRICK)
    return (sides, True) if by_last_trick else (sides[:1], False)


def sequence_points(rules: Rules, declared: tuple[Declared | None, ...], scoring: tuple[int, ...]) -> tuple[int, ...]:
    """Points of the sequences by side: a side that scores does so with all that it declared (R29)."""
    points = [0] * rules.sides
    for seat, runs in enumerate(declared):
        if rules.side_of(seat) in scoring:
            points[rules.side_of(seat)] += sum(run.worth for run in runs or ())
    return tuple(points)


def announce(
    announced: tuple[Announcement, ...], seat: int, runs: Declared
) -> tuple[tuple[Announcement, ...], tuple[str, ...]]:
    """What the table learns when a seat declares: the announcements after it, and the new facts (R32)."""
    best = runs[0]
    leading = max(announced, key=lambda other: other.best.rank, default=None)
    if leading is not None and WORTH[best.kind] < WORTH[leading.best.kind]:
        return announced, ()
    said = f"! announce {seat} {best.kind}"
    if leading is None or best.kind is not leading.best.kind:
        return (*announced, Announcement(seat, best)), (said,)
    facts = [said] if leading.top_known else [said, _height(leading.seat, leading.best)]
    higher = rank_of(best.top) >= rank_of(leading.best.top)
    if higher:
        facts.append(_height(seat, best))
    known = Announcement(leading.seat, leading.best, True, leading.shown)
    others = tuple(known if other is leading else other for other in announced)
    return (*others, Announcement(seat, best, higher)), tuple(facts)


def _height(seat: int, run: RunOfCards) -> str:
    return f"! height {seat} {RANKS[rank_of(run.top)]}"


def window_tricks(rules: Rules) -> int:
    """After how many tricks nobody can declare any more (R27, R32)."""
    return 2 if rules.declare is Declare.MANUAL and rules.declare_until is DeclareUntil.SECOND_CARD else 1


def show(
    rules: Rules, trump: Suit, maker: int, declarations: Declarations, order: tuple[int, ...]
) -> tuple[Declarations, tuple[str, ...]]:
    """The cards of all that score, or may by the last trick, laid open when the last window has closed (R32)."""
    scoring = standing(rules, trump, maker, declarations.declared, order).shown
    announced, facts = {known.seat: known for known in declarations.announced}, []
    for seat in order:
        runs = declarations.declared[seat]
        if runs and rules.side_of(seat) in scoring:
            cards = tuple(card for run in runs for card in run.cards)
            facts.append(f"! show {seat} {' '.join(CARD_TEXTS[card] for card in cards)}")
            announced[seat] = Announcement(seat, runs[0], True, cards)
    return Declarations(declarations.came, declarations.declared, tuple(announced.values())), tuple(facts)
