"""What the owner of a version has to do next, as one sentence. Pure: from values to words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots_api.models import QualificationStatus
from bots_api.stats import Lately, Reason, Waiting
from bots_api.web.words import moment_words, waiting_words
from matches.models import AgentStatus

NOTHING_LATELY = Lately()
SLOW_S = 10
OWED_S = 20
"""A decision that waits for so long is worth a word; the shortest clocks are over long before."""
FEW, SHARE = 3, 10
"""Faults of an hour are told from so many on, where they are at least one decision in so many."""


class Act(StrEnum):
    """The one button beside the sentence."""

    NONE = ""
    QUALIFY = "qualify"
    TAKE_MATCHES = "take_matches"
    FIND_MATCHES = "find_matches"


@dataclass(frozen=True, slots=True)
class Standing:
    """What the next step follows from.

    `was_seen`, `is_connected`: of a version that calls us; always true of others. `qualification`: the status of the
    newest run, empty if there was none. `returns_alone`: it is off the table for not answering, and is asked now and
    then. `last_detail`: what came of the last ping. `has_token`: one that calls us has a token it can play with.
    `is_held`: the desk took it off the table, and the desk alone brings it back.
    """

    status: str
    status_reason: str
    is_pull: bool
    was_seen: bool
    is_connected: bool
    is_accepting: bool
    qualification: str
    waiting: Waiting
    lately: Lately = NOTHING_LATELY
    returns_alone: bool = False
    last_detail: str = ""
    has_token: bool = True
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """`is_live`: something happens by itself, so that the page looks again, each `pause_s`. `detail`: for its owner."""

    sentence: str
    act: Act = Act.NONE
    is_live: bool = False
    pause_s: int = 3
    detail: str = ""
    shows_faults: bool = False


def next_step(standing: Standing) -> Step:
    """The sentence at the top of a version's page, and the button beside it."""
    if standing.status == AgentStatus.RETIRED:
        return Step(_("It is retired: its results stand, and it never plays again."))
    if standing.qualification in (QualificationStatus.WAITING, QualificationStatus.RUNNING):
        return Step(_("Its qualification is running: keep the program up."), is_live=True)
    if standing.status == AgentStatus.NEW:
        return _before_it_plays(standing)
    if standing.status == AgentStatus.QUARANTINED:
        return _off_the_table(standing)
    return _while_it_plays(standing)


def _before_it_plays(standing: Standing) -> Step:
    if not standing.has_token:
        return _without_a_token()
    if not standing.was_seen:
        return Step(_("It waits for its first connection: start your program with the play token."), is_live=True)
    if not standing.is_connected:
        return Step(_("It is not connected: start it again, and then the qualification."), is_live=True)
    if standing.qualification == QualificationStatus.FAILED:
        return Step(_("It did not pass: see the cases below, mend the program and try again."), Act.QUALIFY)
    return Step(_("Start the qualification: it takes a minute or two, and then the version may play."), Act.QUALIFY)


def _without_a_token() -> Step:
    return Step(_("It has no play token that is alive: make one below, and start the program with it."))


def _off_the_table(standing: Standing) -> Step:
    told = standing.status_reason.rstrip(".")
    sentence = _("It was taken off the table (%(reason)s).") % {"reason": told} if told else _("It was taken off.")
    if standing.is_held:
        return Step(f"{sentence} " + _("The organisers did so, and they alone let it play again: write to them."))
    if standing.returns_alone:
        again = _("Start it again: it is asked now and then, and is back once it answers twice.")
        return Step(f"{sentence} {again}", detail=standing.last_detail)
    return Step(f"{sentence} " + _("Mend it and start the qualification: passed, it plays again."), Act.QUALIFY)


def _while_it_plays(standing: Standing) -> Step:
    if not standing.is_accepting:
        return _while_it_drains(standing.waiting)
    if not standing.has_token:
        return _without_a_token()
    if not standing.is_connected:
        return Step(_("It is not connected: start your program. Its matches wait for ten minutes."), is_live=True)
    step = _playing(standing) if standing.waiting.running else _while_nothing_plays(standing)
    return _with_faults(step, standing.lately)


def _while_it_drains(waiting: Waiting) -> Step:
    """A round would stand for ever if its matches waited for a version that does not come back."""
    on = _("It takes no new matches; it ends those that it has begun.")
    told = [on if waiting.running else _("It takes no new matches, and none is on.")]
    if waiting.begins_at:
        begins = ngettext(
            "%(count)s match that is due begins all the same at %(when)s.",
            "%(count)s matches that are due begin all the same, the first at %(when)s.",
            waiting.due,
        )
        begins = begins if waiting.due else _("Its next match begins all the same at %(when)s.")
        told.append(begins % {"count": waiting.due, "when": moment_words(waiting.begins_at)})
    return Step(" ".join(told), Act.TAKE_MATCHES, is_live=waiting.due > 0, pause_s=SLOW_S)


def _playing(standing: Standing) -> Step:
    running, owed_s = standing.waiting.running, standing.lately.owed_s
    told = ngettext("It plays: %(count)s match is on.", "It plays: %(count)s matches are on.", running)
    sentence = told % {"count": running}
    if owed_s >= OWED_S:
        owed = _("A decision has waited for its answer for %(seconds)s seconds: does the program hang?")
        sentence = f"{sentence} {owed % {'seconds': owed_s}}"
    return Step(sentence, is_live=True, pause_s=SLOW_S)


def _while_nothing_plays(standing: Standing) -> Step:
    waiting = standing.waiting
    act = Act.FIND_MATCHES if waiting.reason == Reason.NONE_DUE else Act.NONE
    return Step(waiting_words(waiting), act, is_live=waiting.due > 0, pause_s=SLOW_S)


def _with_faults(step: Step, lately: Lately) -> Step:
    """Of many faults in the last hour its owner hears whatever else there is to be said."""
    if lately.faults < FEW or lately.faults * SHARE < lately.decisions:
        return step
    told = _("%(faults)s of its last %(decisions)s decisions were faults.") % {
        "faults": lately.faults,
        "decisions": lately.decisions,
    }
    return replace(step, sentence=f"{step.sentence} {told}", shows_faults=True)
