"""Play that looks for what is rare: stacked packs, actions that somebody likes, deals that end as wanted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import count
from typing import Final, NamedTuple

from engine import PartySetup, Rules, Table, apply, default_action, fault_of, forfeit, rules_of, start
from engine.actions import ACCEPT, DECLINE, NO_OFFER, PASS, PLAYS, TAKE, Action
from engine.cards import PACK, SUITS, Card, card_of, cards_in, suit_of
from engine.deal import FIRST_CARDS, Deal, Phase
from engine.scoring import Verdict, verdict_of
from engine.sequences import holds_sequence
from engine.table import deal_after
from engine.tricks import LAST_TRICK, lay, legal_plays

PACKS: Final = 60
"""So many packs, a sixth of them different, lie ready for a party that is not dealt from a seed."""


class Turn(NamedTuple):
    """What happened at a table: an action or a forfeit, and the running deal after it, before it was written."""

    before: Table
    action: Action | None
    cause: str | None
    deal: Deal
    after: Table

    @property
    def ended(self) -> bool:
        return len(self.after.party.deals) > len(self.before.party.deals)


@dataclass(frozen=True, slots=True)
class Wish:
    """How a party is played.

    `likes`: how likely an action of a kind is beside the others, of which each counts 1, or what `SELDOM` says.
    `pack` stacks the packs; `script`: deals among them that end as it says. `failing`, `forfeits`, `illegal`: how
    often a seat fails, gives up, lays an illegal card.
    """

    likes: Mapping[str, float] = field(default_factory=dict)
    pack: str = ""
    script: tuple[str, ...] = ()
    failing: float = 0.0
    forfeits: float = 0.0
    illegal: float = 0.0


SELDOM: Final[Mapping[str, float]] = {"close": 0.05, "redeal": 0.05, "surrender": 0.05, "dava": 0.3}


def dealt_by(agreed: Rules, rng: random.Random, wish: Wish) -> PartySetup:
    """A setup from a seed, or from stacked packs."""
    if not wish.pack and not wish.script:
        return PartySetup(
            agreed,
            rng.randbytes(32),
            entropy=rng.choice((b"", rng.randbytes(32))),
            suits=rng.choice((SUITS, "".join(rng.sample(SUITS, 4)))),
            first_dealer=rng.choice((None, rng.randrange(agreed.players))),
        )
    decks = tuple(_pack(agreed, rng, wish, number) for number in range(PACKS // 6)) * 6
    return PartySetup(agreed, None, first_dealer=rng.randrange(agreed.players), decks=decks)


def _pack(agreed: Rules, rng: random.Random, wish: Wish, number: int) -> tuple[Card, ...]:
    if wish.script and rng.random() < 0.7:
        return rng.choice(scripts(_course(agreed), wish.script[number % len(wish.script)])).deck
    return stacked(agreed, rng, wish.pack)


def turns(agreed: Rules, rng: random.Random, wish: Wish, most: int = 800) -> Iterator[Turn]:
    """The turns of a party, at most so many, and of stacked packs only as long as there are any."""
    table = start(dealt_by(agreed, rng, wish))
    by_deck = {one.deck: one for end in wish.script for one in scripts(_course(agreed), end)}
    for _ in range(most):
        if table.seat_to_act is None or table.deal_number == PACKS - 1:
            return
        if rng.random() < wish.forfeits:
            after = forfeit(table, rng.randrange(agreed.players))
            yield Turn(table, None, None, table.deal, after)
            return
        script = by_deck.get(table.deal.deck)
        action = None if script is None else script.next(table)
        turn = taken(table, *chosen(table, rng, wish)) if action is None else taken(table, action)
        yield turn
        table = turn.after


def taken(table: Table, action: Action, cause: str | None = None) -> Turn:
    """A turn with this action."""
    after = apply(table, action, cause)
    running = len(after.party.deals) == len(table.party.deals)
    return Turn(table, action, cause, after.deal if running else deal_after(table, action, cause), after)


def chosen(table: Table, rng: random.Random, wish: Wish) -> tuple[Action, str | None]:
    """What the seat to act does, and the cause if it fails."""
    if rng.random() < wish.illegal and (wrong := illegal_cards(table)):
        return rng.choice(wrong), "illegal"
    if rng.random() < wish.failing:
        return default_action(table), "timeout"
    legal = table.legal
    if len(legal) == 1:
        return legal[0], None
    weights = [_weight(action, wish.likes) for action in legal]
    return (rng.choices(legal, weights)[0] if any(weights) else rng.choice(legal)), None


def _weight(action: Action, likes: Mapping[str, float]) -> float:
    kind = "bella" if action.bella else action.kind.value
    return likes.get(kind, SELDOM.get(kind, 1.0))


def illegal_cards(table: Table) -> list[Action]:
    """The cards that R66 would punish."""
    if table.rules.illegal_move is None or table.phase is not Phase.PLAY:
        return []
    return [fault for action in PLAYS if (fault := fault_of(table, action))]


# --- deals that end as wanted


class Course(NamedTuple):
    """What decides which cards can be played in a deal, and what they are worth."""

    table: str
    buy_in: int
    upcard: str
    first_lead: str
    overtrump: str
    beat: str


def _course(agreed: Rules) -> Course:
    return Course(
        agreed.table,
        agreed.buy_in,
        agreed.upcard.value,
        agreed.first_lead.value,
        agreed.overtrump.value,
        agreed.beat.value,
    )


@dataclass(frozen=True, slots=True)
class Script:
    """A pack, and its cards in the order in which they are to be played once eldest has taken.

    Nobody holds a sequence or says bella in it, so that it ends in the same way at most tables.
    """

    deck: tuple[Card, ...]
    cards: tuple[Card, ...]

    def next(self, table: Table) -> Action | None:
        """What comes next, None where that cannot be said or the deal has left the script."""
        if table.phase is Phase.PLAY:
            said = [text for text in table.deal.actions if " play:" in text]
            wanted: Action = PLAYS[self.cards[len(said)]]
        else:
            wanted = {Phase.BID: TAKE, Phase.OFFER: NO_OFFER, Phase.ANSWER: DECLINE, Phase.SWAP: PASS}.get(
                table.phase, ACCEPT
            )
        return wanted if wanted in table.legal else None


@cache
def scripts(course: Course, end: str) -> tuple[Script, Script]:
    """Two deals that end in a `hang`, or in a bait with `equal` defenders; where one defends alone, hangs for those."""
    if course.table in ("2", "pairs"):
        end = "hang"
    rng = random.Random(f"{course} {end}")
    overrides = {name: value for name, value in course._asdict().items() if name != "table"}
    agreed = rules_of(f"encyclopedia/{course.table}", {"deals": 1, **overrides})
    found = (script for _ in count() if (script := _tried(agreed, rng, end)))
    return next(found), next(found)


def _tried(agreed: Rules, rng: random.Random, end: str) -> Script | None:
    """One deal of any cards, if it ends so; the tricks alone, for that is all that there is to it."""
    deck = tuple(rng.sample(PACK, len(PACK)))
    deal = deal_after(start(PartySetup(agreed, None, first_dealer=0, decks=(deck,))), TAKE)
    if any(map(holds_sequence, deal.hands)):
        return None
    tricks, seat, hands, cards = deal.in_play.tricks, deal.to_act, list(deal.hands), []
    while hands[seat]:
        card = rng.choice(cards_in(legal_plays(agreed, deal.in_play.trump, hands[seat], tricks.trick, seat)))
        cards.append(card)
        hands[seat] &= ~(1 << card)
        tricks = lay(agreed, deal.in_play.trump, tricks, seat, card)
        seat = (seat + 1) % agreed.players if tricks.trick else tricks.leader
    last = agreed.side_of(tricks.leader)
    points = [points + LAST_TRICK * (side == last) for side, points in enumerate(tricks.points)]
    return Script(deck, tuple(cards)) if _end_of(agreed, deal.maker or 0, points) == end else None


def _end_of(agreed: Rules, maker: int, points: Sequence[int]) -> str:
    verdict = verdict_of(agreed, maker, points)
    others = [points[side] for side in agreed.others_after(maker)]
    equal = verdict is Verdict.BAIT and others.count(max(others)) > 1
    return "equal" if equal else verdict.value


# --- packs


@lru_cache(maxsize=32)
def _places(players: int, buy_in: int) -> tuple[tuple[int, ...], ...]:
    """Where in a pack the cards of each hand lie, eldest first, the first cards first (R8, R9)."""
    packet = 2 if players == 4 else 3
    own: list[list[int]] = [[] for _ in range(players)]
    for place in range(FIRST_CARDS * players):
        own[place // packet % players].append(place)
    top = FIRST_CARDS * players + 1
    for seat in range(players):
        left = range(top + seat * buy_in, min(32, top + (seat + 1) * buy_in))
        own[seat].extend(left)
    return tuple(map(tuple, own))


def stacked(agreed: Rules, rng: random.Random, pack: str) -> tuple[Card, ...]:
    """A pack in which somebody holds what is looked for; shuffled else."""
    deck = list(PACK)
    rng.shuffle(deck)
    places = _places(agreed.players, agreed.buy_in)
    seats = rng.sample(range(agreed.players), agreed.players)
    up = FIRST_CARDS * agreed.players
    for place, card in _STACKS[pack](rng, up, [places[seat] for seat in seats]) if pack else ():
        at = deck.index(card)
        deck[place], deck[at] = deck[at], deck[place]
    return tuple(deck)


Laid = Iterator[tuple[int, Card]]
Places = list[tuple[int, ...]]


def _suit(rng: random.Random, ranks: str) -> list[Card]:
    """Cards of one suit by their ranks."""
    suit = suit_of(rng.choice(PACK))
    return [card_of(suit, "789TJQKA".index(rank)) for rank in ranks]


def _jackpot(rng: random.Random, up: int, places: Places) -> Laid:
    """Seven from the ace down, six of them at once, and the upcard's suit."""
    cards = _suit(rng, "AKQJT987")
    yield up, cards[7]
    yield from zip(places[0][:7], cards[:7], strict=True)


def _long_run(rng: random.Random, up: int, places: Places) -> Laid:
    """Six in a row."""
    cards = _suit(rng, rng.choice(["AKQJT9", "KQJT98", "QJT987"]))
    yield from zip(places[0][:6], cards, strict=True)


def _equal_runs(rng: random.Random, up: int, places: Places) -> Laid:
    """The same run in two hands, one of them often in the upcard's suit."""
    ranks = rng.choice(["KQJ", "QJT", "JT9", "QJT9", "T98"])
    one, other = (card_of(suit_of(PACK[8 * suit]), 0) // 8 for suit in rng.sample(range(4), 2))
    for seat, suit in ((0, one), (1, other)):
        cards = [Card(8 * suit + "789TJQKA".index(rank)) for rank in ranks]
        yield from zip(places[seat], cards, strict=False)
    if rng.random() < 0.6:
        yield up, Card(8 * one + "789TJQKA".index("A"))


def _sevens(rng: random.Random, up: int, places: Places) -> Laid:
    yield from zip(places[0], [Card(8 * suit) for suit in range(4)], strict=False)


def _trump_terz(rng: random.Random, up: int, places: Places) -> Laid:
    """Nine, eight, seven of the upcard's suit in one hand, and something against them or nothing in another."""
    cards = _suit(rng, "A789KQJ")
    yield up, cards[0]
    yield from zip(places[0], cards[1:4], strict=False)
    if rng.random() < 0.5:
        suit = (cards[0] // 8 + 1) % 4
        yield from zip(places[1], [Card(8 * suit + rank) for rank in (2, 3, 4)], strict=False)


def _pair(rng: random.Random, up: int, places: Places) -> Laid:
    """King and queen of the upcard's suit."""
    cards = _suit(rng, "9KQ")
    yield up, cards[0]
    yield from zip(places[0], cards[1:], strict=False)


def _slam(rng: random.Random, up: int, places: Places) -> Laid:
    """One hand that takes everything: trumps from above, then aces."""
    cards = _suit(rng, "7J9ATKQ8")
    yield up, cards[0]
    aces = [Card(8 * suit + 7) for suit in range(4) if suit != cards[0] // 8]
    mine = [*cards[1:], *aces]
    yield from zip(places[0], mine, strict=False)


def _poor(rng: random.Random, up: int, places: Places) -> Laid:
    """A hand without a court card."""
    small = [Card(8 * suit + rank) for suit in range(4) for rank in range(3)]
    yield from zip(places[0], rng.sample(small, len(places[0])), strict=True)


_STACKS: Final[Mapping[str, Callable[[random.Random, int, Places], Laid]]] = {
    "jackpot": _jackpot,
    "long run": _long_run,
    "equal runs": _equal_runs,
    "sevens": _sevens,
    "trump terz": _trump_terz,
    "pair": _pair,
    "slam": _slam,
    "poor": _poor,
}
