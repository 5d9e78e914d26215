"""What one seat may know: the only thing that a program or a page ever gets (protocol §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from engine.actions import Action
from engine.cards import CARD_TEXTS, RANKS, SUITS, Card, Suit, cards_in, rank_of, texts_of
from engine.deal import Phase
from engine.errors import SetupError
from engine.rules import Rules
from engine.scoring import Pool, Pools
from engine.sequences import Announcement
from engine.table import Table, default_action
from engine.tricks import Trick

PROTOCOL = "1"


@dataclass(frozen=True, slots=True)
class Announced:
    """What is known of a seat's declared sequences: `top` and `cards` as far as the table has learned them."""

    seat: int
    kind: str
    top: int | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class View:
    """One seat's view of a table; `hand` is a mask, the rest is as in protocol §2."""

    rules: Rules
    seat: int
    party: int
    deal: int
    ply: int
    phase: Phase
    hand: int
    dealer: int
    upcard: Card
    trump: Suit | None
    maker: int | None
    bottom: Card | None
    totals: tuple[int, ...]
    waiting: Pools
    baits: tuple[int, ...]
    announced: tuple[Announced, ...]
    bella: tuple[int, ...]
    trick: Trick
    hand_sizes: tuple[int, ...]
    tricks_won: tuple[int, ...]
    stake: int
    history: tuple[str, ...]
    events: tuple[str, ...]
    legal: tuple[Action, ...]
    default: Action | None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The seat's hand, in the order of the pack."""
        return cards_in(self.hand)

    def as_json(self) -> dict[str, object]:
        """The observation with exactly protocol §2's keys, in its order."""
        rules = self.rules
        return {
            "protocol": PROTOCOL,
            "rules": rules.name,
            "overrides": dict(rules.overrides),
            "players": rules.players,
            "pairs": rules.pairs,
            "target": rules.target,
            "seat": self.seat,
            "party": self.party,
            "deal": self.deal,
            "ply": self.ply,
            "phase": self.phase.value,
            "you": {"hand": texts_of(self.hand), "side": rules.side_of(self.seat)},
            "table": self._table(),
            "history": list(self.history),
            "events": list(self.events),
            "legal": [action.text for action in self.legal],
            "default": None if self.default is None else self.default.text,
        }

    def _table(self) -> dict[str, object]:
        return {
            "dealer": self.dealer,
            "upcard": CARD_TEXTS[self.upcard],
            "trump": None if self.trump is None else SUITS[self.trump],
            "maker": self.maker,
            "bottom": None if self.bottom is None else CARD_TEXTS[self.bottom],
            "totals": list(self.totals),
            "waiting": [pool_json(pool) for pool in self.waiting],
            "baits": list(self.baits),
            "announced": [_announced_json(known) for known in self.announced],
            "bella": list(self.bella),
            "trick": [{"seat": seat, "card": CARD_TEXTS[card]} for seat, card in self.trick],
            "hand_sizes": list(self.hand_sizes),
            "tricks_won": list(self.tricks_won),
            "stake": self.stake,
        }


def pool_json(pool: Pool) -> dict[str, object]:
    """A pool of waiting points as records and views write it (protocol §3)."""
    return {"points": pool.points, "eligible": list(pool.eligible), "from": pool.source.value}


def _announced_json(known: Announced) -> dict[str, object]:
    return {
        "seat": known.seat,
        "kind": known.kind,
        "top": None if known.top is None else RANKS[known.top],
        "cards": [CARD_TEXTS[card] for card in known.cards],
    }


def observe(table: Table, seat: int, since: int | None = None, party: int = 1) -> View:
    """The table as a seat sees it.

    `since`: `table.ply` right after this seat's own last action, None if it has not acted in this party; `events` is
    what the table has seen since then, earlier deals' ends included. `party`: the party's number in its match, from 1.
    `legal` and `default` only for the seat to act.
    """
    if not 0 <= seat < table.rules.players:
        raise SetupError(f"a seat is a number from 0 to {table.rules.players - 1}, not {seat}")
    deal, score, play = table.deal, table.party, table.deal.play
    on_turn = table.seat_to_act == seat
    return View(
        rules=table.rules,
        seat=seat,
        party=party,
        deal=deal.number,
        ply=table.ply,
        phase=deal.phase,
        hand=deal.hands[seat],
        dealer=deal.dealer,
        upcard=deal.upcard,
        trump=deal.trump,
        maker=deal.maker,
        bottom=deal.bottom,
        totals=score.totals,
        waiting=score.waiting,
        baits=score.baits,
        announced=tuple(map(known_of, play.declarations.announced)) if play else (),
        bella=() if play is None or play.bella.seat is None else (play.bella.seat,),
        trick=play.tricks.trick if play else (),
        hand_sizes=tuple(hand.bit_count() for hand in deal.hands),
        tricks_won=play.tricks.won if play else (0,) * table.rules.players,
        stake=deal.stake,
        history=deal.history,
        events=events_since(table.earlier, deal.history, table.ply, since),
        legal=table.legal if on_turn else (),
        default=default_action(table) if on_turn else None,
    )


def known_of(announcement: Announcement) -> Announced:
    """What the table knows of an announcement."""
    top = rank_of(announcement.best.top) if announcement.top_known else None
    return Announced(announcement.seat, announcement.best.kind.value, top, announcement.shown)


def events_since(
    earlier: Sequence[tuple[str, ...]], history: tuple[str, ...], ply: int, since: int | None
) -> tuple[str, ...]:
    """What has been seen since that ply, all of the party for None: the running deal and as much before it.

    `earlier`: the histories of the deals before the running one; `ply`: of the party, now.
    """
    if since is None:
        return tuple(chain(*earlier, history))
    actions = max(0, ply - since)
    at, actions = _start_of(history, actions)
    news, deals = history[at:], len(earlier)
    while not at and deals:
        deals -= 1
        at, actions = _start_of(earlier[deals], actions)
        news = earlier[deals][at:] + news
    return news


def _start_of(history: tuple[str, ...], actions: int) -> tuple[int, int]:
    """Where the last so many actions of a history begin, and how many of them are not in it.

    Facts that the action before them brought out stand after it, and so are new too.
    """
    at = len(history)
    while at and (actions or history[at - 1].startswith("!")):
        at -= 1
        actions -= not history[at].startswith("!")
    return at, actions
