"""The words of the card table for what rows hold as codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine import EngineError, rules_of
from engine.options import BY_NAME
from matches.core.clocks import CLOCKS, Control
from matches.core.faults import Cause
from matches.core.lifecycle import MatchStatus, PartyStatus

MATCH_STATUS = {
    MatchStatus.READY: gettext_lazy("waiting"),
    MatchStatus.HELD: gettext_lazy("held"),
    MatchStatus.RUNNING: gettext_lazy("playing"),
    MatchStatus.FINISHED: gettext_lazy("finished"),
    MatchStatus.STALLED: gettext_lazy("stalled"),
    MatchStatus.VOID: gettext_lazy("void"),
}
PARTY_STATUS = {
    PartyStatus.WAITING: gettext_lazy("waiting"),
    PartyStatus.PLAYING: gettext_lazy("playing"),
    PartyStatus.FINISHED: gettext_lazy("finished"),
    PartyStatus.VOID: gettext_lazy("void"),
}
PARTY_REASON = {
    "target": gettext_lazy("target reached"),
    "lead": gettext_lazy("decisive lead"),
    "deals": gettext_lazy("all deals played"),
    "closed": gettext_lazy("closed early"),
    "false_close": gettext_lazy("false close"),
    "jackpot": gettext_lazy("jackpot"),
    "short": gettext_lazy("one deal for stakes"),
    "surrender": gettext_lazy("surrendered"),
    "forfeit": gettext_lazy("forfeited"),
}
DEAL_END = {
    "played": gettext_lazy("played out"),
    "all_pass": gettext_lazy("all passed, thrown in"),
    "redeal": gettext_lazy("thrown in by right"),
    "offer_accepted": gettext_lazy("fifty accepted"),
    "closed": gettext_lazy("closed early"),
    "false_close": gettext_lazy("false close"),
    "jackpot": gettext_lazy("jackpot"),
    "surrendered": gettext_lazy("surrendered"),
    "forfeit": gettext_lazy("forfeited"),
    "fault": gettext_lazy("illegal card"),
}
CAUSE = {
    Cause.TIMEOUT: gettext_lazy("ran out of time"),
    Cause.ILLEGAL: gettext_lazy("answered with an illegal action"),
    Cause.MALFORMED: gettext_lazy("answered with something unreadable"),
    Cause.UNREACHABLE: gettext_lazy("could not be reached"),
    Cause.HTTP_ERROR: gettext_lazy("answered with an error"),
    Cause.REJECTED: gettext_lazy("refused the request"),
    Cause.NO_SHOW: gettext_lazy("did not show up"),
    Cause.RESIGNED: gettext_lazy("resigned"),
    Cause.STALLED: gettext_lazy("stood still"),
    Cause.INFRA: gettext_lazy("was kept from playing by the platform"),
    Cause.ADMIN_VOID: gettext_lazy("annulled by the organiser"),
}
FAMILY = {
    "moscow": gettext_lazy("Moscow rules"),
    "kharkov": gettext_lazy("Kharkov rules"),
    "kharkov_full": gettext_lazy("Kharkov rules, full"),
    "klabor": gettext_lazy("Klabor rules"),
}
CONTROL = {
    Control.BLITZ: gettext_lazy("blitz"),
    Control.LADDER: gettext_lazy("ladder"),
    Control.CLASSIC: gettext_lazy("classic"),
    Control.HUMAN: gettext_lazy("human"),
}


def cause_words(code: str) -> str:
    return str(CAUSE[Cause(code)]) if code in set(Cause) else code


def rules_words(name: str) -> str:
    """`moscow/2@1` → “Moscow rules, two players”."""
    family, _slash, table = name.partition("@")[0].partition("/")
    return f"{FAMILY.get(family, family)}, {_table_words(table)}"


def _table_words(table: str) -> str:
    return {
        "2": _("two players"),
        "3": _("three players"),
        "4": _("four players"),
        "pairs": _("four in pairs"),
    }.get(table, table)


def control_words(control: str) -> str:
    """“ladder: 1 s a decision, 15 s in the bank of each party”."""
    clock = CLOCKS[Control(control)]
    return _("%(name)s: %(budget)s s a decision, %(bank)s s in the bank of each party") % {
        "name": CONTROL[Control(control)],
        "budget": f"{clock.budget_ms / 1000:g}",
        "bank": f"{clock.bank_ms / 1000:g}",
    }


def plan_words(boards: int, deals: int | None, seats: int = 2) -> str:
    """“2 boards of 4 deals, each played from both sides”."""
    plan = ngettext("%(boards)s board", "%(boards)s boards", boards) % {"boards": boards}
    length = _("to the target")
    if deals:
        length = ngettext("of %(deals)s deal", "of %(deals)s deals", deals) % {"deals": deals}
    swapped = _("each played from both seats") if seats == 2 else _("each played from every seat")
    return f"{plan} {length}, {swapped}"


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option of the rules that somebody set, with its value and what it means."""

    name: str
    value: str
    clause: str
    help: str


def option_lines(overrides: Mapping[str, object]) -> tuple[OptionLine, ...]:
    """The overrides of a match in the order in which the rule book lists its options."""
    return tuple(
        OptionLine(name, str(overrides[name]), spec.clause, spec.help)
        for name, spec in BY_NAME.items()
        if name in overrides
    )


def deals_of(rules: str, overrides: Mapping[str, object]) -> int | None:
    """How many deals a party has, None if it goes to a target or the rules do not fit together."""
    try:
        return rules_of(rules, overrides).deals
    except EngineError:
        return None
