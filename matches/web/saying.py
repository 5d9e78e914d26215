"""What happens at the table in words. Cards stand as `[JH]`, suits as `[H]`: the page draws them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.web.wording import cause_words

SEQUENCES = {
    "terz": gettext_lazy("a terz"),
    "fifty": gettext_lazy("a fifty"),
    "hundred": gettext_lazy("a hundred"),
    "jackpot": gettext_lazy("a jackpot"),
}
PLAIN = {
    "take": gettext_lazy("%(name)s takes"),
    "pass": gettext_lazy("%(name)s passes"),
    "offer": gettext_lazy("%(name)s offers fifty"),
    "no_offer": gettext_lazy("%(name)s offers nothing"),
    "accept": gettext_lazy("%(name)s accepts"),
    "decline": gettext_lazy("%(name)s declines"),
    "exchange": gettext_lazy("%(name)s exchanges the seven of trumps"),
    "ask": gettext_lazy("%(name)s asks whether the terz from the nine is good"),
    "declare": gettext_lazy("%(name)s declares"),
    "redeal": gettext_lazy("%(name)s claims a redeal"),
    "close": gettext_lazy("%(name)s closes: the target is reached"),
    "dava": gettext_lazy("%(name)s says dava"),
    "surrender": gettext_lazy("%(name)s surrenders"),
}


def action_words(name: str, action: str, upcard: str, cause: str | None) -> str:
    """“Anna plays [JH]”; an action that the platform chose says why."""
    said = _said(name, action, upcard)
    return f"{said} ({_('by default')}: {name} {cause_words(cause)})" if cause else said


def _said(name: str, action: str, upcard: str) -> str:
    word, _colon, rest = action.partition(":")
    if word == "play":
        card, _plus, bella = rest.partition("+")
        played = _("%(name)s plays %(card)s") % {"name": name, "card": f"[{card}]"}
        return played + _(" and says bella") if bella else played
    if word == "trump":
        return _("%(name)s names %(suit)s") % {"name": name, "suit": f"[{rest}]"}
    said = str(PLAIN[word]) % {"name": name} if word in PLAIN else f"{name}: {action}"
    return f"{said} [{upcard[1]}]" if word == "take" else said


def fact_words(fact: str, names: Sequence[str]) -> str:
    """A public fact of the deal (protocol §2), such as `! announce 1 terz`, in words."""
    kind, *rest = fact.removeprefix("! ").split()
    if kind == "bottom":
        return _("The bottom card is %(card)s") % {"card": f"[{rest[0]}]"}
    if kind not in _FACTS:
        return fact
    return _FACTS[kind](names[int(rest[0])], rest[1:])


def _announce(name: str, rest: Sequence[str]) -> str:
    return _("%(name)s announces %(sequence)s") % {"name": name, "sequence": SEQUENCES.get(rest[0], rest[0])}


def _height(name: str, rest: Sequence[str]) -> str:
    top = "10" if rest[0] == "T" else rest[0]
    return _("%(name)s: it goes up to the %(top)s") % {"name": name, "top": top}


def _show(name: str, rest: Sequence[str]) -> str:
    return _("%(name)s shows %(cards)s") % {"name": name, "cards": " ".join(f"[{card}]" for card in rest)}


def _ask(name: str, rest: Sequence[str]) -> str:
    if rest[0] == "yes":
        return _("Answered: yes, it is good")
    return _("Answered: no, it is not good")


def _exchange(name: str, rest: Sequence[str]) -> str:
    return _("%(name)s has taken the upcard for the seven of trumps") % {"name": name}


_FACTS: dict[str, Callable[[str, Sequence[str]], str]] = {
    "announce": _announce,
    "height": _height,
    "show": _show,
    "ask": _ask,
    "exchange": _exchange,
}
