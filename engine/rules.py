"""`Rules`: one frozen value with every option of a table resolved (rules.md §15).

Options are words in a record and typed values here: `"on"`/`"off"` is a bool, an option that may be off is None
when it is, and words are members of the enumerations below. `presets.rules_of` makes it; nothing else should.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class NextDealer(StrEnum):
    """R12."""

    ROTATE = "rotate"
    DEAL_WINNER = "deal_winner"


class PartyDealer(StrEnum):
    """R15."""

    ROTATE = "rotate"
    WINNER = "winner"


class HangDealer(StrEnum):
    """R14."""

    NEXT = "next"
    MAKER = "maker"


class FirstLead(StrEnum):
    """R37."""

    ELDEST = "eldest"
    MAKER = "maker"


class UpcardGoes(StrEnum):
    """R10."""

    TABLE = "table"
    DEALER = "dealer"
    MAKER = "maker"
    UNDER = "under"


class SevenSwap(StrEnum):
    """R20."""

    FIRST_CARD = "first_card"
    BUY_IN = "buy_in"


class BottomCard(StrEnum):
    """R11."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    TOP_AFTER_TRICK_1 = "top_after_trick_1"


class Overtrump(StrEnum):
    """R39."""

    LED = "led"
    ALWAYS = "always"


class SequenceTie(StrEnum):
    """R28."""

    TRUMP_ORDER = "trump_order"
    ORDER = "order"
    SUIT = "suit"
    LAST_TRICK = "last_trick"
    TRUMP_LAST_TRICK = "trump_last_trick"


class Declare(StrEnum):
    """R27."""

    MANUAL = "manual"
    AUTO = "auto"


class DeclareUntil(StrEnum):
    """R27."""

    FIRST_CARD = "first_card"
    SECOND_CARD = "second_card"


class BellaWhen(StrEnum):
    """R34."""

    ANY_CARD = "any_card"
    PAIR_CARD = "pair_card"
    FIRST_CARD = "first_card"


class BellaTo(StrEnum):
    """R35."""

    HOLDER = "holder"
    TRICK_WINNER = "trick_winner"
    ONE_WINS = "one_wins"
    HALVES = "halves"


class Beat(StrEnum):
    """R44."""

    EACH = "each"
    SUM = "sum"


class BaitTo(StrEnum):
    """R46."""

    HIGHEST = "highest"
    HALVES = "halves"


class Hang(StrEnum):
    """R47, R48."""

    WAIT = "wait"
    FORCED = "forced"


class HangTo(StrEnum):
    """R49."""

    ALL = "all"
    DEFENDERS = "defenders"


class HangRepeat(StrEnum):
    """R50."""

    SUM = "sum"
    QUEUE = "queue"
    RELEASE_FIRST = "release_first"
    SPLIT_DEFENDERS = "split_defenders"


class BaitFineThen(StrEnum):
    """R51."""

    EACH = "each"
    EVERY_THIRD = "every_third"


class BothReach(StrEnum):
    """R52."""

    HIGHEST = "highest"
    LAST_TRICK = "last_trick"
    MAKER = "maker"


class FalseClose(StrEnum):
    """R56."""

    LOSE = "lose"
    NOTHING = "nothing"
    DOUBLE = "double"


class Offer(StrEnum):
    """R19."""

    FIFTY = "fifty"


class Short(StrEnum):
    """R58."""

    PLAIN = "plain"
    BAIT = "bait"


class Dava(StrEnum):
    """R59."""

    ARITHMETIC = "arithmetic"
    GEOMETRIC = "geometric"


class IllegalMove(StrEnum):
    """R66."""

    RULES = "rules"


class FaultTable(StrEnum):
    """R65."""

    BAIT_ON_CARDS = "bait_on_cards"
    KLABOR = "klabor"
    KHARKOV_FULL = "kharkov_full"
    NONE = "none"


class Prize(StrEnum):
    """R25."""

    PARTY = "party"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Jackpot:
    """What run counts as a jackpot and what it wins (R25)."""

    length: int
    trumps_only: bool
    from_ace: bool
    first_cards: bool
    prize: Prize


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that one table has agreed on.

    `name` is `preset@version`; `overrides` are the options asked for beside it, as they were asked for.
    `sides` is the number of those who score: the players, or two pairs.
    """

    name: str
    overrides: Mapping[str, object] = field(hash=False)
    players: int
    pairs: bool
    sides: int
    # the deal
    buy_in: int
    next_dealer: NextDealer
    party_dealer: PartyDealer
    hang_dealer: HangDealer
    obligation: bool
    first_lead: FirstLead
    upcard: UpcardGoes
    seven_swap: SevenSwap | None
    bottom_card: BottomCard
    ask_terz: bool
    offer: Offer | None
    redeal_four_sevens: bool
    redeal_below: int | None
    redeal_poor: int | None
    # the play
    overtrump: Overtrump
    overtrump_partner: bool
    sequence_tie: SequenceTie
    declare: Declare
    declare_until: DeclareUntil
    sequence_needs_trick: bool
    bella_needs_trick: bool
    hundred: int | None
    jackpot: Jackpot | None
    split_runs: bool
    bella_when: BellaWhen
    bella_to: BellaTo
    # the score
    defenders_pool: bool
    beat: Beat
    bait_to: BaitTo
    hang: Hang
    hang_to: HangTo
    hang_repeat: HangRepeat
    bait_fine_from: int | None
    bait_fine: int
    bait_fine_then: BaitFineThen
    no_tricks_fine: int
    # the party
    target: int
    both_reach: BothReach
    hang_blocks_end: bool
    lead_limit: int | None
    close: bool
    false_close: FalseClose
    close_not_on_jack: bool
    deals: int | None
    short: Short | None
    dava: Dava | None
    # faults
    illegal_move: IllegalMove | None
    fault_table: FaultTable

    @property
    def table(self) -> str:
        """The kind of table: `2`, `3`, `4` (each for himself) or `pairs`."""
        return "pairs" if self.pairs else str(self.players)

    def as_json(self) -> dict[str, object]:
        """Every option of the table by name, its value as §15 writes it, resolved."""
        return {name: _as_json(getattr(self, name)) for name in self.__slots__ if name not in _NO_OPTIONS}

    def side_of(self, seat: int) -> int:
        """The side for which a seat scores: itself, or its pair (seats 0 and 2, 1 and 3; R6)."""
        return seat % self.sides

    def others_after(self, seat: int) -> tuple[int, ...]:
        """The other sides than the seat's own, the one nearest to its left first."""
        sides = dict.fromkeys(self.side_of(other) for other in self.seats_after(seat))
        return tuple(side for side in sides if side != self.side_of(seat))

    def seats_from(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, this one first."""
        return tuple((seat + step) % self.players for step in range(self.players))

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise from this one's left, this one last."""
        return self.seats_from(seat + 1)


_NO_OPTIONS: Final = ("name", "overrides", "players", "pairs", "sides")


def _as_json(value: object) -> object:
    """An option's value as overrides write it: words, integers, an object for a jackpot; off is always `off`."""
    if value is None or isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Jackpot):
        return {name: getattr(value, name) for name in Jackpot.__slots__} | {"prize": value.prize.value}
    return value.value if isinstance(value, StrEnum) else value
