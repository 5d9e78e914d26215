"""The state machine: a table, what is legal at it, and the table after an action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.actions import DECLINE, NO_OFFER, PASS, SURRENDER, Action, ActionKind
from engine.bidding import BIDS, OFFERS, bid, offer, swap, why_not_bid, why_not_offer, why_not_swap
from engine.cards import POINTS, SUITS, Card, format_card, rank_of, suit_of
from engine.closing import close
from engine.dava import answer, why_not_answer
from engine.deal import Deal, Phase, check_deck, deal_cards, forced_deal, logged
from engine.dealers import first_dealer_after
from engine.errors import IllegalAction, Reason, SetupError
from engine.illegal_card import fault, fault_in
from engine.party import Party, PartyResult, new_party
from engine.play import card_actions, play_card, why_not_play
from engine.rights import RIGHTS, legal_rights, use, why_not_right
from engine.rules import Rules
from engine.shuffle import SEED_BYTES, lot, pack_of
from engine.wording import brief
from engine.writing import forfeited, write

CAUSES: Final = (
    "timeout",
    "illegal",
    "malformed",
    "unreachable",
    "http_error",
    "rejected",
    "no_show",
    "resigned",
    "stalled",
    "infra",
    "admin_void",
)
"""Why a default was played (protocol §7)."""

FAULT: Final = "illegal"
"""The cause that an illegal card carries in a record (R66)."""


def _is_seat(rules: Rules, seat: object) -> bool:
    """Whether this is a seat's number; True and False are none, though Python has them for 1 and 0."""
    return type(seat) is int and 0 <= seat < rules.players


@dataclass(frozen=True, slots=True)
class PartySetup:
    """From what a party is dealt.

    Either a `seed` (32 bytes, R68), or `decks`: the packs in order, for parties that were not dealt here.
    `first_dealer` None means by lot (R69), a seat means that the match says so (R15).
    """

    rules: Rules
    seed: bytes | None
    entropy: bytes = b""
    suits: str = SUITS
    first_dealer: int | None = None
    decks: tuple[tuple[Card, ...], ...] | None = None

    def __post_init__(self) -> None:
        if (self.seed is None) == (self.decks is None):
            raise SetupError("a party is dealt either from a seed or from decks")
        if self.first_dealer is None and self.seed is None:
            raise SetupError("without a seed there is no lot: say who deals first")
        if self.first_dealer is not None and not _is_seat(self.rules, self.first_dealer):
            raise SetupError(f"the first dealer is a seat from 0 to {self.rules.players - 1}")
        if self.seed is not None and len(self.seed) != SEED_BYTES:
            raise SetupError(f"a seed is {SEED_BYTES} bytes (R68), not {len(self.seed)}")
        if len(self.entropy) not in (0, SEED_BYTES):
            raise SetupError(f"entropy is {SEED_BYTES} bytes or none (R68), not {len(self.entropy)}")
        if self.seed is None and (self.entropy or self.suits != SUITS):
            raise SetupError("decks are dealt as they are: without a seed there is no entropy and no change of suits")
        if sorted(self.suits) != sorted(SUITS):
            raise SetupError(f"suits are the letters {SUITS} in some order")
        for deck in self.decks or ():
            check_deck(deck)

    @property
    def first_dealer_by(self) -> str:
        """`lot` or `match` (protocol §3)."""
        return "lot" if self.first_dealer is None else "match"

    def dealer(self) -> int:
        """The first dealer's seat (R7, R15)."""
        if self.first_dealer is not None:
            return self.first_dealer
        assert self.seed is not None
        return lot(self.seed, self.rules.players)

    def deck(self, number: int) -> tuple[Card, ...]:
        """The pack of a deal; raises SetupError when given decks have run out."""
        if self.seed is not None:
            return pack_of(self.seed, self.entropy, number, self.suits)
        if self.decks is None or number >= len(self.decks):
            raise SetupError(f"there is no deck for deal {number}, and the party is not over")
        return self.decks[number]


@dataclass(frozen=True, slots=True)
class Table:
    """A party at one moment. `legal` belongs to the seat to act; `ply` counts public actions of the party.

    `earlier`: the history of every deal before `deal`, in order.
    """

    setup: PartySetup
    party: Party
    deal: Deal
    legal: tuple[Action, ...]
    ply: int = 0
    earlier: tuple[tuple[str, ...], ...] = ()

    @property
    def rules(self) -> Rules:
        """The table's rules."""
        return self.setup.rules

    @property
    def over(self) -> bool:
        """Whether the party is."""
        return self.party.result is not None

    @property
    def seat_to_act(self) -> int | None:
        """The seat whose turn it is, None when the party is over or `rest`s."""
        return None if self.over or self.deal.end is not None else self.deal.to_act

    @property
    def result(self) -> PartyResult | None:
        """How the party ended, None while it goes on."""
        return self.party.result

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by side, after the last finished deal."""
        return self.party.totals

    @property
    def deal_number(self) -> int:
        """The running deal's number from 0, thrown-in packs counted; of a party that is over, the last one's."""
        return self.deal.number

    @property
    def phase(self) -> Phase:
        """What the deal is waiting for."""
        return self.deal.phase

    @property
    def stake(self) -> int:
        """What the deal is played for in Short, 1 until it is raised (R59)."""
        return self.deal.stake


def start(setup: PartySetup) -> Table:
    """A table with the first cards of the first deal dealt."""
    return _next_deal(setup, new_party(setup.rules, setup.dealer()), 0, ())


def _next_deal(setup: PartySetup, party: Party, ply: int, earlier: tuple[tuple[str, ...], ...]) -> Table:
    number = len(party.deals)
    deal = deal_cards(setup.rules, number, party.next_dealer, setup.deck(number))
    if party.forced_maker is not None:
        deal = forced_deal(setup.rules, deal, party.forced_maker)
    return Table(setup, party, deal, _legal(setup.rules, deal), ply, earlier)


def legal_actions(table: Table) -> tuple[Action, ...]:
    """All that the seat to act may do, in protocol §1's fixed order; nothing when the party is over."""
    return table.legal


def _legal(rules: Rules, deal: Deal) -> tuple[Action, ...]:
    if deal.phase is Phase.PLAY:
        return (*legal_rights(rules, deal), *card_actions(rules, deal))
    candidates = (*BIDS, *OFFERS, *RIGHTS, SURRENDER)
    return tuple(action for action in candidates if _why_not(rules, deal, action) is None)


def why_not(table: Table, action: Action) -> Reason | None:
    """Why the seat to act may not take an action, None if it may: the one source of legality."""
    return _why_nobody_acts(table) or _why_not(table.rules, table.deal, action)


def _why_nobody_acts(table: Table) -> Reason | None:
    if table.over:
        return Reason("party_over", "the party is over")
    if table.deal.end is not None:
        return Reason("no_deck", "the decks that were given have run out, and the party is not over")
    return None


def _why_not(rules: Rules, deal: Deal, action: Action) -> Reason | None:
    if deal.phase in (Phase.OFFER, Phase.ANSWER):
        return why_not_offer(deal, action)
    if deal.phase is Phase.SWAP:
        return why_not_swap(deal, action)
    if deal.phase is Phase.DAVA:
        return why_not_answer(action)
    if action in RIGHTS:
        return why_not_right(rules, deal, action)
    if deal.phase is Phase.PLAY and action.kind is ActionKind.PLAY:
        return why_not_play(rules, deal, action)
    if deal.phase is Phase.BID and action in BIDS:
        return why_not_bid(rules, deal, action)
    return Reason("wrong_phase", f"{action} is not for now: the table is in the phase {deal.phase}")


def apply(table: Table, action: Action, cause: str | None = None) -> Table:
    """The table after an action of the seat to act; raises IllegalAction.

    `cause` (of `CAUSES`): the action is the default that was played for a seat which failed; an illegal card with the
    cause `illegal` is played as one where R66 holds.
    """
    if action not in table.legal:
        return _faulted(table, action, cause)
    if cause is not None and (reason := why_not_cause(table, action, cause)):
        raise IllegalAction(reason)
    deal = _deal_after(table, action, cause)
    if deal.end is not None:
        return _written(table, deal)
    return Table(table.setup, table.party, deal, _legal(table.rules, deal), table.ply + 1, table.earlier)


def _faulted(table: Table, action: Action, cause: str | None) -> Table:
    """The table after an illegal card that ends the deal (R66); whatever else is not legal raises IllegalAction."""
    card = fault_of(table, action) if cause == FAULT else None
    if card is None:
        raise IllegalAction(why_not(table, action) or Reason("not_legal", f"{action} is not legal now"))
    return _written(table, deal_after(table, card, cause))


def fault_of(table: Table, action: Action) -> Action | None:
    """The plain card that R66 would punish if the seat to act plays this; None if it is no such fault."""
    return None if _why_nobody_acts(table) else fault_in(table.rules, table.deal, action)


def _written(before: Table, deal: Deal) -> Table:
    """The next deal after a finished one, or the table as it lies when the party is over."""
    party = write(before.rules, before.party, deal)
    if party.result is not None:
        return Table(before.setup, party, deal, (), before.ply + 1, before.earlier)
    return _next_deal(before.setup, party, before.ply + 1, (*before.earlier, deal.history))


def rest(table: Table, action: Action, cause: str | None = None) -> Table:
    """The table after the last action of a deal for which there is no next deck: written, and nobody to act."""
    deal = deal_after(table, action, cause)
    return Table(table.setup, write(table.rules, table.party, deal), deal, (), table.ply + 1, table.earlier)


def why_not_cause(table: Table, action: Action, cause: str) -> Reason | None:
    """Why an action cannot carry a cause: it is unknown, or the action is not the default (protocol §3)."""
    if cause not in CAUSES:
        return Reason("unknown_cause", f"{cause!r} is no cause: expected one of {', '.join(CAUSES)}")
    default = default_action(table)
    if action is not default:
        return Reason("not_the_default", f"only the default, {default} here, is played for a seat that failed")
    return None


def deal_after(table: Table, action: Action, cause: str | None = None) -> Deal:
    """The running deal after a legal action, or after an illegal card (R66), before anything is written."""
    if action in table.legal:
        return _deal_after(table, action, cause)
    actions, history = logged(table.deal, action, cause)
    return fault(replace(table.deal, actions=actions, history=history))


def _deal_after(table: Table, action: Action, cause: str | None) -> Deal:
    actions, history = logged(table.deal, action, cause)
    if action.kind is ActionKind.PLAY:
        return play_card(table.rules, table.deal, action, actions, history)
    deal = replace(table.deal, actions=actions, history=history)
    if deal.phase in (Phase.OFFER, Phase.ANSWER):
        return offer(table.rules, deal, action)
    if deal.phase is Phase.SWAP:
        return swap(table.rules, deal, action)
    if deal.phase is Phase.DAVA:
        return answer(table.rules, deal, action)
    if action.kind is ActionKind.CLOSE:
        return close(table.rules, table.party, deal)
    if action in RIGHTS:
        return use(table.rules, deal, action)
    return bid(table.rules, deal, action)


def forfeit(table: Table, seat: int) -> Table:
    """The party ended now, lost by a seat, whoever is to act (protocol §3)."""
    if reason := _why_nobody_acts(table):
        raise IllegalAction(reason)
    if not _is_seat(table.rules, seat):
        raise SetupError(f"a seat is a number from 0 to {table.rules.players - 1}, not {brief(seat)}")
    party = forfeited(table.rules, table.party, table.deal, seat)
    return Table(table.setup, party, table.deal, (), table.ply, table.earlier)


def next_first_dealer(table: Table) -> int:
    """Who deals first in the party after this one, which is over, in the same match (R15)."""
    if table.result is None:
        raise SetupError("the party is not over: nobody knows yet who deals first in the next")
    return first_dealer_after(table.rules, table.deal.dealer, table.result)


def default_action(table: Table) -> Action:
    """What is played for a seat that fails: pass or its like, the first trumps, the cheapest card; never a right."""
    if reason := _why_nobody_acts(table):
        raise IllegalAction(reason)
    for action in (PASS, NO_OFFER, DECLINE, SURRENDER):
        if action in table.legal:
            return action
    trumps = next((action for action in table.legal if action.kind is ActionKind.TRUMP), None)
    return trumps or cheapest_card(table.deal, table.legal)


def cheapest_card(deal: Deal, legal: tuple[Action, ...]) -> Action:
    """The legal card with the fewest points, then lowest in natural order, then C D H S (protocol §1)."""
    assert deal.trump is not None
    worth = POINTS[deal.trump]
    plays = [
        (worth[action.card], rank_of(action.card), suit_of(action.card), action.text, action)
        for action in legal
        if action.card is not None and not action.bella
    ]
    return min(plays)[-1]


def format_deck(deck: tuple[Card, ...]) -> list[str]:
    """The deck as texts, first card on top."""
    return [format_card(card) for card in deck]
