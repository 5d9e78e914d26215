"""Cards in running text: `[JH]` becomes a small card, `[H]` a suit. The pages carry the suits as SVG symbols."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()

RANKS = {
    "7": gettext_lazy("seven"),
    "8": gettext_lazy("eight"),
    "9": gettext_lazy("nine"),
    "T": gettext_lazy("ten"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "A": gettext_lazy("ace"),
}
SUITS = {
    "C": gettext_lazy("clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
}
_TOKEN = re.compile(r"\[([789TJQKA]?)([CDHS])\]([.,:;]?)")


def card_name(card: str) -> str:
    """`JH` → “jack of hearts”."""
    return _("%(rank)s of %(suit)s") % {"rank": RANKS[card[0]], "suit": SUITS[card[1]]}


@register.filter
def with_cards(text: str) -> SafeString:
    """Text with its card and suit tokens drawn; everything else is escaped."""
    return mark_safe(_TOKEN.sub(_drawn, conditional_escape(text)))


def _drawn(token: re.Match[str]) -> str:
    rank, suit, mark = token.groups()
    drawn = _pip(rank, suit)
    return format_html('<span class="unbroken">{}{}</span>', drawn, mark) if mark else drawn


def _pip(rank: str, suit: str) -> SafeString:
    return format_html(
        '<span class="pip pip-{suit}"><span class="unseen">{name}</span><span aria-hidden="true">{rank}</span>'
        '<svg aria-hidden="true" focusable="false"><use href="#suit-{suit}"/></svg></span>',
        suit=suit,
        name=card_name(rank + suit) if rank else SUITS[suit],
        rank="10" if rank == "T" else rank,
    )
