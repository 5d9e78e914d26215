"""The words of the card table for what rows hold as codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine import EngineError, Rules, rules_of
from engine.rules import Short
from matches.core.agreement import ReportedScore
from matches.core.clocks import CLOCKS, Control
from matches.core.faults import Cause
from matches.core.house import house_program, why_not_house
from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.core.outcome import Unit
from matches.core.plan import Length
from matches.models import Agent
from matches.rulebook.words import preset_title

MATCH_STATUS = {
    MatchStatus.READY: gettext_lazy("waiting"),
    MatchStatus.HELD: gettext_lazy("held"),
    MatchStatus.RUNNING: gettext_lazy("playing"),
    MatchStatus.AWAITED: gettext_lazy("not reported yet"),
    MatchStatus.REPORTED: gettext_lazy("to be confirmed"),
    MatchStatus.DISPUTED: gettext_lazy("disputed"),
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
CONTROL = {
    Control.BLITZ: gettext_lazy("blitz"),
    Control.LADDER: gettext_lazy("ladder"),
    Control.CLASSIC: gettext_lazy("classic"),
    Control.HUMAN: gettext_lazy("human"),
}


def cause_words(code: str) -> str:
    return str(CAUSE[Cause(code)]) if code in set(Cause) else code


def rules_words(name: str) -> str:
    """`moscow/2@1` → “Moscow, two players”."""
    return preset_title(name)


def known_rules(preset: str, overrides: Mapping[str, object]) -> Rules | None:
    """Stored rules as the engine reads them; None if they do not fit together, or this engine no longer knows them."""
    try:
        return rules_of(preset, overrides)
    except EngineError:
        return None


def control_words(control: str) -> str:
    """“ladder: 1 s a decision, 15 s in the bank of each party”."""
    clock = CLOCKS[Control(control)]
    return _("%(name)s: %(budget)s s a decision, %(bank)s s in the bank of each party") % {
        "name": CONTROL[Control(control)],
        "budget": f"{clock.budget_ms / 1000:g}",
        "bank": f"{clock.bank_ms / 1000:g}",
    }


def plan_words(boards: int, rules: Rules | None, length: Length = Length.BOARDS) -> str:
    """“2 boards of 4 deals, each played from both seats”, “best of 3 parties to 501”."""
    if length != Length.BOARDS:
        return _plan_of_parties(boards, rules, length)
    plan = ngettext("%(boards)s board", "%(boards)s boards", boards) % {"boards": boards}
    if rules is None:
        return plan
    turned = _("each played from both seats") if rules.players == 2 else _("each played from every seat")
    return f"{plan} {_length(rules)}, {turned}"


def _plan_of_parties(parties: int, rules: Rules | None, length: Length) -> str:
    if rules is not None and rules.short:
        return ngettext("%(deals)s deal for stakes", "%(deals)s deals for stakes", parties) % {"deals": parties}
    if length == Length.BEST_OF:
        plan = ngettext("best of %(parties)s party", "best of %(parties)s parties", parties)
    else:
        plan = ngettext("%(parties)s party", "%(parties)s parties", parties)
    target = _(" to %(target)s") % {"target": rules.target} if rules is not None else ""
    return plan % {"parties": parties} + target


def _length(rules: Rules) -> str:
    """How long each party is, after the word “boards”."""
    if rules.deals:
        return ngettext("of %(deals)s deal", "of %(deals)s deals", rules.deals) % {"deals": rules.deals}
    if rules.short:
        return _("of one deal for stakes")
    return _("of a whole party to %(target)s") % {"target": rules.target}


def unit_words(unit: Unit, count: int) -> str:
    """What a number in a result counts, in small print beside it."""
    return {
        Unit.POINTS: ngettext("point", "points", count),
        Unit.PARTIES: ngettext("party won", "parties won", count),
        Unit.STAKES: ngettext("stake", "stakes", count),
    }[unit]


def counted_words(unit: Unit, best_of: int = 0, is_reported: bool = False) -> str:
    """How a match is decided, in a sentence. `best_of`: of how many parties, if it is."""
    if best_of:
        won = best_of // 2 + 1
        words = ngettext(
            "Whoever wins %(won)s party first has won the match.",
            "Whoever wins %(won)s parties first has won the match.",
            won,
        )
        return words % {"won": won}
    if is_reported and unit is Unit.PARTIES:
        return _("The match counts the parties won.")
    return {
        Unit.POINTS: _("The match counts the points written in all parties."),
        Unit.PARTIES: _("The match counts the parties won; where those are equal, the points written decide."),
        Unit.STAKES: _("The match counts the stakes won and lost."),
    }[unit]


def forfeit_words(unit: Unit, rules: Rules | None, points: int) -> str:
    """What a forfeited party costs, in a sentence or two."""
    two = rules is None or rules.sides == 2
    if unit is Unit.STAKES:
        return _stakes_of_forfeit(two, twice=two and rules is not None and rules.short is Short.BAIT)
    kept = (
        _("keeps nothing of it but a debt; the other side has what it wrote, at least %(points)s points.")
        if two
        else _("keeps nothing of it but a debt; every other side has what it wrote, at least %(points)s points.")
    ) % {"points": points}
    if unit is Unit.POINTS:
        return _("Who forfeits a party %(kept)s") % {"kept": kept}
    won = (
        _("A forfeited party is won by the other side.") if two else _("A forfeited party is won by every other side.")
    )
    return f"{won} " + _("Who forfeits it %(kept)s") % {"kept": kept}


def _stakes_of_forfeit(two: bool, twice: bool) -> str:
    if twice:
        return _("Who forfeits a party pays the other side the stake as it stands, twice if he is the maker.")
    if two:
        return _("Who forfeits a party pays the other side the stake as it stands.")
    return _("Who forfeits a party pays every other side the stake as it stands.")


def seat_names(agents: Sequence[Agent]) -> list[str]:
    """Who sits where: players by name, and by version too where two versions of one player meet."""
    versions = Counter(player for player, _label in {(agent.player_id, agent.label) for agent in agents})
    return [
        f"{agent.player.name} ({agent.label})" if versions[agent.player_id] > 1 else agent.player.name
        for agent in agents
    ]


def budget_words(label: str) -> str:
    """What a version of a house program may take for a decision; or that it is not played here."""
    if why_not_house(label):
        return _("not played here any more")
    budget_ms = house_program(label).budget_ms
    return _("answers at once") if budget_ms is None else _("%(ms)s ms a move at most") % {"ms": budget_ms}


def one_owner_words(owner: str, sides: int) -> str:
    """That somebody decides for several sides of a match; a reader should know when he reads the result."""
    if sides == 2:
        return _("Both sides are %(owner)s's.") % {"owner": owner}
    return _("More than one side is %(owner)s's.") % {"owner": owner}


def ordinal(place: int) -> str:
    """1st to 4th, shortened as in the head of a column."""
    return {1: _("1st"), 2: _("2nd"), 3: _("3rd"), 4: _("4th")}[place]


def place_words(place: int, sides: int, shared: bool) -> str:
    """“2nd of 3”, “1st of 4, shared”."""
    words = _("%(place)s of %(sides)s") % {"place": ordinal(place), "sides": sides}
    return _("%(place)s, shared") % {"place": words} if shared else words


def score_words(score: ReportedScore, sides: Sequence[str], unit: Unit) -> str:
    """“2 : 1”; at larger tables “Anna 2, Bohdan 1, Chrystyna did not come”."""
    if len(sides) == 2:
        return " : ".join(
            "–" if side in score.absent else _counted(points, unit) for side, points in enumerate(score.points)
        )
    return ", ".join(
        _("%(name)s did not come") % {"name": name}
        if side in score.absent
        else f"{name} {_counted(score.points[side], unit)}"
        for side, name in enumerate(sides)
    )


def _counted(points: int, unit: Unit) -> str:
    return signed(points) if unit is Unit.STAKES else minus(points)


def signed(number: int) -> str:
    """With its sign, a real minus: +120, −45, 0."""
    return f"+{number}" if number > 0 else minus(number)


def minus(number: int) -> str:
    """With a real minus: 120, −45."""
    return str(number).replace("-", "−")
