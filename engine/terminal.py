"""A party at the terminal, for people and house bots in any seats."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.actions import Action, parse_action
from engine.bots import Policy
from engine.cards import CARD_TEXTS, SUITS, cards_in, format_card
from engine.errors import ActionError
from engine.table import Table, apply, why_not
from engine.view import View, observe


def play(table: Table, bots: Sequence[Policy | None], rng: random.Random, show: bool) -> None:
    """Plays to the end of the party, or of the input; a seat without a bot is asked."""
    seen = 0
    while (seat := table.seat_to_act) is not None:
        bot, view = bots[seat], observe(table, seat)
        action = bot.choose(view, rng) if bot else _ask(table, view)
        if action is None:
            print("\nNo more input: the party stops here.")
            return
        before, table = table, apply(table, action)
        seen = _tell(before, table, seen, show)
    result = table.result
    assert result is not None
    winner = "nobody" if result.winner is None else f"side {result.winner}"
    print(f"{winner} wins ({result.reason}), {_numbers(result.totals)}")


def _tell(before: Table, table: Table, seen: int, show: bool) -> int:
    """Prints what the table has seen since; returns how much of the running deal's history has been told."""
    same_deal = len(table.party.deals) == len(before.party.deals)
    if not seen and show:
        print(f"--- deal {before.deal_number}: {_hands(before)}, upcard {CARD_TEXTS[before.deal.upcard]}")
    history = table.deal.history if same_deal or table.over else table.earlier[-1]
    for line in history[seen:]:
        print(f"  {line}")
    if same_deal:
        return len(history)
    written = table.party.deals[-1]
    print(f"--- {written.end}: written {_numbers(written.written)}, totals {_numbers(written.totals)}")
    return 0


def _hands(table: Table) -> str:
    return " | ".join(" ".join(map(format_card, cards_in(hand))) for hand in table.deal.hands)


def _numbers(numbers: tuple[int, ...]) -> str:
    return " : ".join(map(str, numbers))


def _ask(table: Table, view: View) -> Action | None:
    """A legal action from the keyboard, asked for until one comes; None at the end of input."""
    _print_view(view)
    while True:
        try:
            text = input(f"seat {view.seat}> ").strip()
        except EOFError:
            return None
        try:
            action = parse_action(text)
        except ActionError as error:
            print(f"  {error}")
            continue
        reason = why_not(table, action)
        if reason is None:
            return action
        print(f"  {reason.text}")


def _print_view(view: View) -> None:
    trump = "not named" if view.trump is None else SUITS[view.trump]
    print(f"  totals {_numbers(view.totals)}, upcard {CARD_TEXTS[view.upcard]}, trumps {trump}")
    if view.trick:
        print(f"  trick: {' '.join(f'{seat} {format_card(card)}' for seat, card in view.trick)}")
    print(f"  your hand: {' '.join(map(format_card, view.cards))}")
    print(f"  you may: {' '.join(map(str, view.legal))}")
