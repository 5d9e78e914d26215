"""The closed set of actions and their text form (protocol §1).

There are 81 of them, each made once, so that two equal actions are the same object.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import ALL_SUITS, PACK, Card, Suit, format_card, format_suit
from engine.errors import ActionError
from engine.wording import brief


class ActionKind(StrEnum):
    """What an action is, whatever its suit or card; in protocol §1's fixed order."""

    TAKE = "take"
    PASS = "pass"
    TRUMP = "trump"
    OFFER = "offer"
    NO_OFFER = "no_offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    EXCHANGE = "exchange"
    ASK = "ask"
    DECLARE = "declare"
    REDEAL = "redeal"
    CLOSE = "close"
    DAVA = "dava"
    SURRENDER = "surrender"
    PLAY = "play"


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One action; `suit` only of `trump:S`, `card` and `bella` only of `play:…`."""

    kind: ActionKind
    text: str
    suit: Suit | None = None
    card: Card | None = None
    bella: bool = False

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Copies and pickles give the one object back: actions are compared by identity."""
        return parse_action, (self.text,)


def _trump(suit: Suit) -> Action:
    return Action(ActionKind.TRUMP, f"trump:{format_suit(suit)}", suit=suit)


def _play(card: Card, bella: bool) -> Action:
    return Action(ActionKind.PLAY, f"play:{format_card(card)}{'+bella' * bella}", card=card, bella=bella)


TRUMPS: Final = tuple(_trump(suit) for suit in ALL_SUITS)
PLAYS: Final = tuple(_play(card, bella=False) for card in PACK)
BELLA_PLAYS: Final = tuple(_play(card, bella=True) for card in PACK)
SIMPLE: Final = {kind: Action(kind, kind.value) for kind in ActionKind if kind not in ("trump", "play")}

TAKE, PASS = SIMPLE[ActionKind.TAKE], SIMPLE[ActionKind.PASS]
OFFER, NO_OFFER = SIMPLE[ActionKind.OFFER], SIMPLE[ActionKind.NO_OFFER]
ACCEPT, DECLINE = SIMPLE[ActionKind.ACCEPT], SIMPLE[ActionKind.DECLINE]
EXCHANGE, ASK, DECLARE = SIMPLE[ActionKind.EXCHANGE], SIMPLE[ActionKind.ASK], SIMPLE[ActionKind.DECLARE]
REDEAL, CLOSE = SIMPLE[ActionKind.REDEAL], SIMPLE[ActionKind.CLOSE]
DAVA, SURRENDER = SIMPLE[ActionKind.DAVA], SIMPLE[ActionKind.SURRENDER]


def _in_order() -> tuple[Action, ...]:
    """All actions in the order in which protocol §1 lists legal ones."""
    plays = [action for pair in zip(PLAYS, BELLA_PLAYS, strict=True) for action in pair]
    others = [SIMPLE[kind] for kind in ActionKind if kind in SIMPLE]
    return (*others[:2], *TRUMPS, *others[2:], *plays)


ACTIONS: Final = _in_order()
ACTION_OF: Final = {action.text: action for action in ACTIONS}


def parse_action(text: str) -> Action:
    """The action of a text such as `trump:S` or `play:KH+bella`; raises ActionError."""
    action = ACTION_OF.get(text) if isinstance(text, str) else None
    if action is None:
        raise ActionError(
            f"{brief(text)} is no action: expected one of {', '.join(SIMPLE)}, trump:S, play:JH or play:KH+bella"
        )
    return action


def format_action(action: Action) -> str:
    """The action's text."""
    return action.text
