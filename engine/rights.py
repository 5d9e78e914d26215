"""Rights on one's own turn: exchange, ask, declare, redeal, close, dava (R20-R22, R27, R55, R57, R59)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.actions import ASK, CLOSE, DAVA, DECLARE, EXCHANGE, REDEAL, Action
from engine.cards import (
    EIGHT,
    FOUR_SEVENS,
    JACK,
    NINE,
    SEVEN,
    Suit,
    card_of,
    format_suit,
    points_in,
    texts_of,
)
from engine.dava import dava, why_not_dava
from engine.deal import Deal, End, Phase, exchange, first_cards, may_swap
from engine.errors import Reason
from engine.jackpots import declare_jackpot, jackpot_in
from engine.rules import Declare, DeclareUntil, Rules, SevenSwap
from engine.sequences import Declarations, announce, holds_sequence, sequences_in, standing

RIGHTS: Final = (EXCHANGE, ASK, DECLARE, REDEAL, CLOSE, DAVA)
"""In the order in which legal actions list them."""


def why_not_exchange(rules: Rules, deal: Deal) -> Reason | None:
    """R20, the window before one's first card."""
    if rules.seven_swap is not SevenSwap.FIRST_CARD:
        return Reason("not_agreed", "this table exchanges no seven on one's first turn (R20)")
    if too_late := _why_not_before_first_card(deal, "exchange"):
        return too_late
    if not may_swap(rules, deal):
        return Reason("no_swap", "the seven is exchanged only while trumps are the upcard's suit and it lies (R20)")
    if not deal.hands[deal.to_act] >> card_of(deal.in_play.trump, SEVEN) & 1:
        return Reason("no_seven", "only the holder of the trump seven can exchange it (R20)")
    return None


def why_not_ask(rules: Rules, deal: Deal) -> Reason | None:
    """R22."""
    if not rules.ask_terz:
        return Reason("not_agreed", "this table has no question about the terz (R22)")
    if deal.forced:
        return Reason("forced_deal", "nothing is declared in a forced deal, so there is nothing to ask (R22, R27)")
    if reason := why_not_exchange(rules, deal):
        return Reason(reason.code, f"only who could exchange may ask (R22): {reason.text}")
    terz = _trump_terz(deal.in_play.trump)
    if deal.hands[deal.to_act] & terz != terz:
        return Reason("no_terz", f"only the holder of 9-8-7 of {format_suit(deal.in_play.trump)} may ask (R22)")
    return Reason("asked_already", "the question is asked once a deal (R22)") if deal.in_play.terz_asked else None


def _trump_terz(trump: Suit) -> int:
    return (1 << SEVEN | 1 << EIGHT | 1 << NINE) << 8 * trump


def why_not_declare(rules: Rules, deal: Deal) -> Reason | None:
    """R27."""
    if rules.declare is not Declare.MANUAL:
        return Reason("not_agreed", "at this table sequences declare themselves with the first card (R27)")
    if deal.forced:
        return Reason("forced_deal", "nothing is declared in a forced deal (R27)")
    play, came = deal.in_play, _came(deal)
    if play.declarations.declared[deal.to_act] is not None:
        return Reason("declared_already", "you have declared all that you hold (R27)")
    if came and (rules.declare_until is DeclareUntil.FIRST_CARD or play.tricks.done > 1):
        return Reason("too_late", f"sequences are declared before one's {_which_card(rules)} (R27)")
    if not holds_sequence(came or deal.hands[deal.to_act]):
        return Reason("no_sequence", "you hold no three in a row (R23, R27)")
    return None


def _which_card(rules: Rules) -> str:
    return "first card" if rules.declare_until is DeclareUntil.FIRST_CARD else "second card"


def why_not_redeal(rules: Rules, deal: Deal) -> Reason | None:
    """R21: a claim is legal only when it is true."""
    if _came(deal):
        return Reason("too_late", "redeal is claimed before one's first card (R21)")
    if any((_four_sevens(rules, deal), _below(rules, deal), _poor(rules, deal))):
        return None
    return Reason("no_redeal", "your cards give no redeal at this table (R21)")


def _four_sevens(rules: Rules, deal: Deal) -> bool:
    return rules.redeal_four_sevens and deal.hands[deal.to_act] & FOUR_SEVENS == FOUR_SEVENS


def _below(rules: Rules, deal: Deal) -> bool:
    """Too few points in the first six cards, in round one of the bidding."""
    if rules.redeal_below is None or deal.phase is not Phase.BID or deal.asked >= rules.players:
        return False
    return points_in(first_cards(rules, deal, deal.to_act), None) < rules.redeal_below


def _poor(rules: Rules, deal: Deal) -> bool:
    """Too few points in the hand as it is, in play before the first card."""
    if rules.redeal_poor is None or deal.phase is not Phase.PLAY:
        return False
    return points_in(deal.hands[deal.to_act], None) <= rules.redeal_poor


def why_not_close(rules: Rules, deal: Deal) -> Reason | None:
    """R55, R57: when it may be said; whether it is true is counted afterwards."""
    if not rules.close:
        return Reason("not_agreed", "this table does not close early (R55)")
    play = deal.in_play
    if play.tricks.trick or not play.tricks.done:
        return Reason("not_to_lead", "close is said when one is to lead to a trick after the first (R55)")
    if play.barred >> deal.to_act & 1:
        return Reason("closed_falsely", "you closed falsely in this deal and may not again (R56)")
    if rules.close_not_on_jack and play.tricks.last_card == card_of(play.trump, JACK):
        return Reason("jack_trick", "not after the trump jack's trick: take another first (R57)")
    return None


def _why_not_before_first_card(deal: Deal, what: str) -> Reason | None:
    """What exchange and ask have in common."""
    if _came(deal):
        return Reason("too_late", f"{what} comes before one's first card (R20)")
    if deal.in_play.declarations.declared[deal.to_act] is not None:
        return Reason("declared_already", f"{what} comes before declare (R20)")
    return None


def _came(deal: Deal) -> int:
    """The hand with which the seat to act came to its first card; 0 if that is still to be played."""
    return deal.play.declarations.came[deal.to_act] if deal.play else 0


def why_not_right(rules: Rules, deal: Deal, action: Action) -> Reason | None:
    """Why a right cannot be used in bidding or play, or None."""
    if action is not REDEAL and deal.phase is not Phase.PLAY:
        return Reason("wrong_phase", f"{action} is for the play")
    return _WHY_NOT[action](rules, deal)


_WHY_NOT: Final = {
    EXCHANGE: why_not_exchange,
    ASK: why_not_ask,
    DECLARE: why_not_declare,
    REDEAL: why_not_redeal,
    CLOSE: why_not_close,
    DAVA: why_not_dava,
}


def legal_rights(rules: Rules, deal: Deal) -> tuple[Action, ...]:
    """The rights that the seat to act may use in the play, in the fixed order."""
    tricks = deal.in_play.tricks
    if not _came(deal):
        return tuple(action for action in RIGHTS if why_not_right(rules, deal, action) is None)
    # Most turns come here: after the first card only these three are left.
    late = rules.declare_until is DeclareUntil.SECOND_CARD and tricks.done <= 1
    rights = (DECLARE,) if late and why_not_declare(rules, deal) is None else ()
    if not tricks.trick and why_not_close(rules, deal) is None:
        rights = (*rights, CLOSE)
    return (*rights, DAVA) if rules.dava and why_not_dava(rules, deal) is None else rights


def ask(rules: Rules, deal: Deal) -> Deal:
    """The question of R22 and the engine's answer."""
    answer = "yes" if _terz_is_good(rules, deal) else "no"
    play = replace(deal.in_play, terz_asked=True)
    return replace(deal, play=play, history=(*deal.history, f"! ask {deal.to_act} {answer}"))


def _terz_is_good(rules: Rules, deal: Deal) -> bool:
    """Whether the asker would score, if both declared all that they hold; a tie left open is no (R22).

    Decided: a jackpot is better than every sequence, and of two the asker's, who is on turn.
    """
    play, seat = deal.in_play, deal.to_act
    if any(jackpot_in(rules, deal, other) for other in rules.seats_after(seat)):
        return jackpot_in(rules, deal, seat) is not None
    hands = [came or hand for came, hand in zip(play.declarations.came, deal.hands, strict=True)]
    held = tuple(sequences_in(rules, hand) for hand in hands)
    assert deal.maker is not None
    best = standing(rules, play.trump, deal.maker, held, rules.seats_from(play.tricks.first_leader))
    return rules.side_of(seat) in best.scoring(None)


def declare(rules: Rules, deal: Deal, seat: int) -> Deal:
    """All sequences of the hand with which a seat came, or comes, to its first card, or its jackpot (R25, R27, R32)."""
    if jackpot := jackpot_in(rules, deal, seat):
        return declare_jackpot(deal, seat, jackpot)
    before = deal.in_play.declarations
    runs = sequences_in(rules, before.came[seat] or deal.hands[seat])
    announced, facts = announce(before.announced, seat, runs)
    declared = (*before.declared[:seat], runs, *before.declared[seat + 1 :])
    play = replace(deal.in_play, declarations=Declarations(before.came, declared, announced))
    return replace(deal, play=play, history=deal.history + facts)


def redeal(deal: Deal) -> Deal:
    """A true claim: the hand is shown and the deal is over (R21)."""
    shown = f"! show {deal.to_act} {' '.join(texts_of(deal.hands[deal.to_act]))}"
    return replace(deal, end=End.REDEAL, ender=deal.to_act, history=(*deal.history, shown))


def use(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after exchange, ask, declare, redeal or dava."""
    if action is EXCHANGE:
        return exchange(deal, deal.to_act)
    if action is ASK:
        return ask(rules, deal)
    if action is DAVA:
        return dava(deal)
    return declare(rules, deal, deal.to_act) if action is DECLARE else redeal(deal)
