"""How the solver holds cards, and what it reads from two hands without playing: who is sure to take what.

Each suit is nine bits: the trump suit lowest, then the others; in a suit the strongest card lowest (R2, R3), and above
the weakest a fence, which no card ever holds. So arithmetic on all four suits at once stops at a suit's border, and the
bits of a suit below a card's are the cards that beat it.

*Touching* are two cards of one hand between which the other hand has none: in all that follows they take the same
tricks, and only their points differ.
"""

from __future__ import annotations

from typing import Final

from engine.fast.ints import i64

TRUMPS: Final = 0xFF
ALL: Final = 0xFF | 0xFF << 9 | 0xFF << 18 | 0xFF << 27
FENCES: Final = 1 << 8 | 1 << 17 | 1 << 26 | 1 << 35
WORTHLESS: Final = 0xC0 | 0xE0 << 9 | 0xE0 << 18 | 0xE0 << 27
"""7 8 of trumps, 7 8 9 of the others."""
SMALL: Final = 0x30 | 0x1C << 9 | 0x1C << 18 | 0x1C << 27
"""Q K of trumps, J Q K of the others."""

DRAWN: Final = 1 << 16
WHOLE: Final = 1 << 17
TOPS_AT: Final = 18

_STEP_1: Final = 0x7F | 0x7F << 9 | 0x7F << 18 | 0x7F << 27
_STEP_2: Final = 0x3F | 0x3F << 9 | 0x3F << 18 | 0x3F << 27
_STEP_4: Final = 0x0F | 0x0F << 9 | 0x0F << 18 | 0x0F << 27

# Three bits a rank of R4's order (7 8 9 T J Q K A): how many of the suit are stronger.
_PLAIN_PLACES: Final = 7 | 6 << 3 | 5 << 6 | 1 << 9 | 4 << 12 | 3 << 15 | 2 << 18 | 0 << 21
_TRUMP_PLACES: Final = 7 | 6 << 3 | 1 << 6 | 3 << 9 | 0 << 12 | 5 << 15 | 4 << 18 | 2 << 21

# And back: the rank of each place.
_PLAIN_RANKS: Final = 7 | 3 << 3 | 6 << 6 | 5 << 9 | 4 << 12 | 2 << 15 | 1 << 18 | 0 << 21
_TRUMP_RANKS: Final = 4 | 2 << 3 | 7 << 6 | 3 << 9 | 6 << 12 | 5 << 15 | 1 << 18 | 0 << 21

# Five bits a card, in the order in which `bit * 23 >> 5 & 7` (de Bruijn) numbers the eight bits of a suit.
_PLAIN_POINTS: Final = 11 | 10 << 5 | 4 << 10 | 2 << 15 | 3 << 25
_TRUMP_POINTS: Final = 20 | 14 << 5 | 11 << 10 | 4 << 15 | 10 << 25 | 3 << 35


def bit_of(card: i64, trump: i64) -> i64:
    """The solver's bit for a card 0..31."""
    suit: i64 = card >> 3
    place: i64 = card & 7
    bit: i64 = 1
    if suit == trump:
        return bit << (_TRUMP_PLACES >> place * 3 & 7)
    if suit < trump:
        suit += 1
    return bit << (suit * 9 + (_PLAIN_PLACES >> place * 3 & 7))


def card_of(bit: i64, trump: i64) -> i64:
    """The card 0..31 of a solver's bit."""
    place: i64 = 0
    suit: i64 = 0
    while bit > 0xFF:
        bit >>= 9
        suit += 1
    while bit > 1:
        bit >>= 1
        place += 1
    if suit == 0:
        return trump << 3 | _TRUMP_RANKS >> place * 3 & 7
    if suit <= trump:
        suit -= 1
    return suit << 3 | _PLAIN_RANKS >> place * 3 & 7


def laid_out(hand: i64, trump: i64) -> i64:
    """A 32-bit hand in the solver's order."""
    cards: i64 = 0
    card: i64 = 0
    while hand:
        if hand & 1:
            cards |= bit_of(card, trump)
        hand >>= 1
        card += 1
    return cards


def points_of(bit: i64) -> i64:
    """Card points of one card (R2, R3)."""
    if bit <= TRUMPS:
        return _TRUMP_POINTS >> (bit * 23 >> 5 & 7) * 5 & 31
    plain: i64 = (bit >> 9 | bit >> 18 | bit >> 27) & 255
    return _PLAIN_POINTS >> (plain * 23 >> 5 & 7) * 5 & 31


def points_in(cards: i64) -> i64:
    """Card points of all the cards."""
    points: i64 = 0
    while cards:
        points += points_of(cards & -cards)
        cards &= cards - 1
    return points


def cheapest(cards: i64) -> i64:
    """A card of the cheapest class there is: worthless, small, or ace, ten and the high trumps."""
    few: i64 = cards & WORTHLESS
    if few == 0:
        few = cards & SMALL
        if few == 0:
            few = cards
    return few & -few


def suit_with(bit: i64) -> i64:
    """All the cards of the suit of a card."""
    if bit <= TRUMPS:
        return TRUMPS
    if bit < 1 << 18:
        return 0xFF << 9
    if bit < 1 << 27:
        return 0xFF << 18
    return 0xFF << 27


def strongest_of(cards: i64, other: i64) -> i64:
    """Of all that touch, the strongest; `other` is the other hand.

    Each card is carried over the empty places to the next weaker card there is: what is hit touches a stronger one.
    """
    return cards & ~((cards << 1) + (ALL & ~(cards | other)))


def weakest_of(cards: i64, other: i64) -> i64:
    """Of all that touch, the weakest: no card is carried down to it over the empty places of its suit."""
    empty: i64 = ALL & ~(cards | other)
    reached: i64 = cards >> 1
    reached |= (reached & empty) >> 1
    empty &= empty << 1
    reached |= (reached & empty) >> 2
    empty &= empty << 2
    reached |= (reached & empty) >> 4
    return cards & ~reached


def replies(theirs: i64, led: i64) -> tuple[i64, i64]:
    """What may be played to a card led, as two masks: what takes the trick, what does not (R38, R39, R41).

    At two players both of R39's duties are one: who ruffs beats no trump.
    """
    following: i64 = theirs & suit_with(led)
    beating: i64 = following & (led - 1)
    if led <= TRUMPS:
        if beating:
            return beating, 0
        return 0, following or theirs
    if following:
        return beating, following ^ beating
    ruffs: i64 = theirs & TRUMPS
    return ruffs, 0 if ruffs else theirs


def leads(mine: i64, theirs: i64) -> tuple[i64, i64, i64]:
    """The cards worth leading, as three masks: sure to take the trick, sure to lose it, and open.

    A trump takes the trick if no trump of theirs beats it, else it must be beaten (R39). A plain card is ruffed by who
    has none of its suit, but trumps; else it loses for certain if all of theirs are stronger, and it is open if only
    some are: nobody need beat it (R38).

    Of touching cards that are sure of the trick only the one with most points is here, of those sure to lose it only
    the one with fewest: let x be worth d less than y. What follows after either is the same play with the same
    tricks, but for d points more in whatever trick the one kept is played to; so it is worth to its owner between
    nothing and d more to have kept y. Now led to a sure trick y brings those d at once; led to a lost one it gives
    them away at once. Of open ones all are here.
    """
    fill: i64 = FENCES - theirs
    tops: i64 = mine & ~(fill | theirs)
    void: i64 = fill & FENCES
    void -= void >> 8
    down: i64 = theirs
    down |= down >> 1 & _STEP_1
    down |= down >> 2 & _STEP_2
    down |= down >> 4 & _STEP_4
    lost: i64 = mine & ~(down | void)
    if theirs & TRUMPS:
        lost |= mine & (void | TRUMPS & ~tops)
        tops &= ~lost
    return strongest_of(tops, theirs), weakest_of(lost, theirs), mine & ~(tops | lost)


def rounds(mine: i64, theirs: i64, shift: i64) -> i64:
    """What a hand can take in one suit by leading it, both hands' cards of the suit given as eight bits.

    Packed: eight bits of points of the rounds in which cards that nobody beats are led while the other hand must
    follow; eight of the points if nobody can ruff; `DRAWN` if the other hand has none left of the suit then; `WHOLE` if
    every card of the suit takes a trick if nobody can ruff; from `TOPS_AT` on the points of the cards that nobody
    beats. The other hand gives its lowest cards first, or all it has. `shift` is 0 for trumps, 9 for another suit.
    """
    tops: i64 = mine & ~((256 - theirs) | theirs)
    led: i64 = tops
    low: i64 = theirs
    points: i64 = 0
    while led and low:
        weakest: i64 = 128
        while low & weakest == 0:
            weakest >>= 1
        low ^= weakest
        points += points_of((led & -led) << shift) + points_of(weakest << shift)
        led &= led - 1
    packed: i64 = points | points_in(tops << shift) << TOPS_AT
    if low == 0:
        packed |= DRAWN
        led |= mine & ~tops
    if low == 0 or tops == mine:
        packed |= WHOLE
    return packed | points + points_in(led << shift) << 8
