"""A party at the terminal, for people and house bots in any seats."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import ACTION_OF, Action, parse_action
from engine.bots import Policy
from engine.cards import CARD_TEXTS, SUITS, cards_in, format_card
from engine.deal import Deal
from engine.errors import ActionError
from engine.notes import Note, dealt_notes, score_notes
from engine.rules import Rules
from engine.table import Table, apply, deal_after, why_not
from engine.view import View, observe

_RED: Final = "\x1b[31m"
_BLACK: Final = "\x1b[1m"  # black itself cannot be seen on a dark terminal
_PLAIN: Final = "\x1b[0m"
_CARD: Final = re.compile(r"\b[789TJQKA][CDHS]\b|(?<=trump:)[CDHS]\b|\btrumps [CDHS]\b")


@dataclass(frozen=True, slots=True)
class Paint:
    """Cards in the colour of their suits, or as they are."""

    colours: bool

    def __call__(self, text: str) -> str:
        """The text with every card in it painted."""
        return _CARD.sub(_painted, text) if self.colours else text


def _painted(found: re.Match[str]) -> str:
    return f"{_RED if found[0][-1] in 'DH' else _BLACK}{found[0]}{_PLAIN}"


def play(table: Table, bots: Sequence[Policy | None], rng: random.Random, show: bool, paint: Paint) -> None:
    """Plays to the end of the party, or of the input; a seat without a bot is asked."""
    _tell_pack(table, show, paint)
    seen = len(table.deal.history)
    while (seat := table.seat_to_act) is not None:
        bot, view = bots[seat], observe(table, seat)
        action = bot.choose(view, rng) if bot else _ask(table, view, paint)
        if action is None:
            print("\nNo more input: the party stops here.")
            return
        before, table = table, apply(table, action)
        deal = deal_after(before, action)
        for line in deal.history[seen:]:
            print(f"  {paint(line)}")
        seen = len(deal.history)
        if len(table.party.deals) > len(before.party.deals):
            _tell_score(before, table, deal, paint)
            if not table.over:
                _tell_pack(table, show, paint)
            seen = len(table.deal.history)
    result = table.result
    assert result is not None
    winner = "nobody" if result.winner is None else _side(table.rules, result.winner)
    stakes = "" if result.stakes is None else f", stakes {_numbers(result.stakes)}"
    print(f"{winner} wins ({result.reason}), {_numbers(result.totals)}{stakes}")


def _tell_pack(table: Table, show: bool, paint: Paint) -> None:
    """Who deals, what is turned up, and every hand if they are open."""
    hands = " | ".join(" ".join(map(format_card, cards_in(hand))) for hand in table.deal.hands)
    opened = f": {hands}, upcard {CARD_TEXTS[table.deal.upcard]}" if show else ""
    print(paint(f"--- deal {table.deal_number}{opened}"))
    for note in dealt_notes(table, first=not table.party.deals):
        print(f"  {paint(_said(table.rules, note))}")


def _tell_score(before: Table, table: Table, deal: Deal, paint: Paint) -> None:
    """How the deal was written, line by line with clauses."""
    written = table.party.deals[-1]
    print(f"--- {written.end}: written {_numbers(written.written)}, totals {_numbers(written.totals)}")
    for note in score_notes(table.rules, before.party, table.party, deal):
        print(f"  {paint(_said(table.rules, note))}")


def _said(rules: Rules, note: Note) -> str:
    seats = [f"seat {seat}" for seat in range(rules.players)]
    sides = [_side(rules, side) for side in range(rules.sides)]
    return f"{note.clause}: {note.said(seats, sides)}"


def _side(rules: Rules, side: int) -> str:
    return f"pair {side}+{side + 2}" if rules.pairs else f"seat {side}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " : ".join(map(str, numbers))


def _ask(table: Table, view: View, paint: Paint) -> Action | None:
    """A legal action from the keyboard, asked for until one comes; None at the end of input."""
    _print_view(view, paint)
    while True:
        try:
            text = input(f"seat {view.seat}> ").strip()
        except EOFError:
            return None
        try:
            action = ACTION_OF.get(f"play:{text}") or parse_action(text)
        except ActionError as error:
            print(f"  {error}")
            continue
        reason = why_not(table, action)
        if reason is None:
            return action
        print(f"  {reason.text}")


def _print_view(view: View, paint: Paint) -> None:
    trump = "not named" if view.trump is None else SUITS[view.trump]
    stake = f", stake {view.stake}" if view.stake > 1 else ""
    print(paint(f"  totals {_numbers(view.totals)}, upcard {CARD_TEXTS[view.upcard]}, trumps {trump}{stake}"))
    if view.trick:
        print(paint(f"  trick: {' '.join(f'{seat} {format_card(card)}' for seat, card in view.trick)}"))
    print(paint(f"  your hand: {' '.join(map(format_card, view.cards))}"))
    print(paint(f"  you may: {' '.join(map(str, view.legal))}"))
