# plain: it makes the reference's values, and only when they are asked for
"""What the reference makes of a fast deal: a `Deal` to be written, a seat's `View` (protocol §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.actions import ACTIONS
from engine.bella import Bella
from engine.cards import Card, Suit
from engine.deal import Deal, End, Phase, Play
from engine.fast.chronicle import Chronicle, jackpot_of, recorded
from engine.fast.deal import FastDeal, came, hand
from engine.fast.legal import default_code
from engine.party import DealRecord
from engine.rules import Rules
from engine.scoring import Pools
from engine.sequences import Declarations, Declared, sequences_in
from engine.tricks import Trick, Tricks
from engine.view import View, known_of

if TYPE_CHECKING:
    from engine.fast.party import Finished

PHASES: Final = tuple(Phase)
ENDS: Final = tuple(End)


class Standing(NamedTuple):
    """What a view tells of the party besides its running deal; `party`: which of a match it is."""

    party: int
    number: int
    ply: int
    totals: tuple[int, ...]
    waiting: Pools
    baits: tuple[int, ...]


def or_none(number: int) -> int | None:
    """A number of the core, in which -1 stands for none."""
    return None if number < 0 else number


def lanes(packed: int, count: int, bits: int = 8) -> tuple[int, ...]:
    """So many numbers out of a packed one, the first from its lowest bits."""
    return tuple(packed >> bits * place & (1 << bits) - 1 for place in range(count))


def is_bought_in(deal: FastDeal) -> bool:
    """Whether the play has begun."""
    return PHASES[deal.phase] in (Phase.PLAY, Phase.DAVA)


def deal_of(rules: Rules, deal: FastDeal, number: int = 0, known: Chronicle | None = None) -> Deal:
    """The reference's value of a fast deal, equal to what it would have come to itself.

    `known` has read the whole deal; without it there is no history, and nothing announced.
    """
    return Deal(
        number=number,
        dealer=deal.dealer,
        deck=tuple(map(Card, deal.deck)),
        hands=hands_of(rules, deal),
        upcard=Card(deal.upcard),
        to_act=deal.to_act,
        phase=PHASES[deal.phase],
        asked=deal.asked,
        trump=None if deal.trump < 0 else Suit(deal.trump),
        maker=or_none(deal.maker),
        bottom=None if deal.bottom < 0 else Card(deal.bottom),
        play=_play_of(rules, deal, known) if is_bought_in(deal) else None,
        actions=tuple(map(recorded, deal.log)),
        history=() if known is None else tuple(known.lines),
        end=None if deal.end < 0 else ENDS[deal.end],
        ender=or_none(deal.ender),
        forced=bool(deal.forced),
    )


def hands_of(rules: Rules, deal: FastDeal) -> tuple[int, ...]:
    """Each seat's cards as a mask."""
    return tuple(hand(deal, seat) for seat in range(rules.players))


def _play_of(rules: Rules, deal: FastDeal, known: Chronicle | None) -> Play:
    players = rules.players
    came_with = tuple(came(deal, seat) if deal.comes >> seat & 1 else 0 for seat in range(players))
    return Play(
        Suit(deal.trump),
        Tricks(
            first_leader=deal.first_leader,
            leader=deal.leader,
            trick=_trick_of(rules, deal),
            last=_cards_from(rules, deal.last, deal.last_leader, players) if deal.done else (),
            done=deal.done,
            won=lanes(deal.won, players),
            points=lanes(deal.points, rules.sides, 16),
        ),
        Declarations(came_with, _declared(rules, deal), () if known is None else known.announced),
        Bella(or_none(deal.bella_seat), or_none(deal.bella_side), deal.bella_own),
        terz_asked=bool(deal.terz_asked),
        barred=deal.barred,
        stake=deal.stake,
        raiser=or_none(deal.raiser),
    )


def _declared(rules: Rules, deal: FastDeal) -> tuple[Declared | None, ...]:
    """What each seat declared: all that it came with, or the jackpot that ended the deal (R25, R27)."""
    said = [
        sequences_in(rules, came(deal, seat)) if deal.declared >> seat & 1 else None for seat in range(rules.players)
    ]
    if deal.end == ENDS.index(End.JACKPOT):
        jackpot = jackpot_of(rules, deal, deal.ender)
        said[deal.ender] = (jackpot,) if jackpot else None
    return tuple(said)


def _trick_of(rules: Rules, deal: FastDeal) -> Trick:
    return _cards_from(rules, deal.trick, deal.leader, deal.laid) if is_bought_in(deal) else ()


def _cards_from(rules: Rules, packed: int, leader: int, count: int) -> Trick:
    """Seats and cards of so many cards, packed in order of play from their leader."""
    cards = lanes(packed, count)
    return tuple(((leader + place) % rules.players, Card(card)) for place, card in enumerate(cards))


def view_of(known: Chronicle, seat: int, standing: Standing, events: tuple[str, ...], legal: list[int]) -> View:
    """What a seat sees of a fast deal, equal to the reference's `observe`.

    `known` has read the whole deal; `legal`: the codes of what the seat may do, none if it is not to act.
    """
    rules, deal = known.rules, known.deal
    return View(
        rules=rules,
        seat=seat,
        party=standing.party,
        deal=standing.number,
        ply=standing.ply,
        phase=PHASES[deal.phase],
        hand=hand(deal, seat),
        dealer=deal.dealer,
        upcard=Card(deal.upcard),
        trump=None if deal.trump < 0 else Suit(deal.trump),
        maker=or_none(deal.maker),
        bottom=None if deal.bottom < 0 else Card(deal.bottom),
        totals=standing.totals,
        waiting=standing.waiting,
        baits=standing.baits,
        announced=tuple(map(known_of, known.announced)),
        bella=() if deal.bella_seat < 0 else (deal.bella_seat,),
        trick=_trick_of(rules, deal),
        hand_sizes=tuple(held.bit_count() for held in hands_of(rules, deal)),
        tricks_won=lanes(deal.won, rules.players),
        stake=deal.stake,
        history=tuple(known.lines),
        events=events,
        legal=tuple(ACTIONS[code] for code in legal),
        default=ACTIONS[default_code(deal)] if legal else None,
    )


def record_of_deal(rules: Rules, done: Finished) -> DealRecord:
    """A finished deal as protocol §3 lists it."""
    deal, wrote, sides = done.deal, done.outcome, rules.sides
    return DealRecord(
        number=done.number,
        dealer=deal.dealer,
        deck=tuple(map(Card, deal.deck)),
        actions=tuple(map(recorded, deal.log)),
        end=ENDS[deal.end],
        maker=or_none(deal.maker),
        trump=None if deal.trump < 0 else Suit(deal.trump),
        points=(wrote.point0, wrote.point1, wrote.point2, wrote.point3)[:sides],
        written=(wrote.wrote0, wrote.wrote1, wrote.wrote2, wrote.wrote3)[:sides],
        waiting=done.waiting,
        fines=(wrote.fine0, wrote.fine1, wrote.fine2, wrote.fine3)[:sides],
        totals=tuple(done.totals[:sides]),
    )
