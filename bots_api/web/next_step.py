"""What the owner of a version has to do next, as one sentence. Pure: from values to words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots_api.models import QualificationStatus
from matches.models import AgentStatus


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
    newest run, empty if there was none. `reason`: why nothing plays, as `bots_api.stats.Waiting` has it.
    `returns_alone`: it is off the table for not answering, and is asked now and then.
    """

    status: str
    status_reason: str
    is_pull: bool
    was_seen: bool
    is_connected: bool
    is_accepting: bool
    qualification: str
    reason: str
    returns_alone: bool = False
    due: int = 0
    ahead: int = 0
    running: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """`is_live`: something happens by itself, so that the page looks again."""

    sentence: str
    act: Act = Act.NONE
    is_live: bool = False


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
    if not standing.was_seen:
        return Step(_("It waits for its first connection: start your program with the play token."), is_live=True)
    if not standing.is_connected:
        return Step(_("It is not connected: start it again, and then the qualification."), is_live=True)
    if standing.qualification == QualificationStatus.FAILED:
        return Step(_("It did not pass: see the cases below, mend the program and try again."), Act.QUALIFY)
    return Step(_("Start the qualification: it takes a minute or two, and then the version may play."), Act.QUALIFY)


def _off_the_table(standing: Standing) -> Step:
    told = standing.status_reason.rstrip(".")
    sentence = _("It was taken off the table (%(reason)s).") % {"reason": told} if told else _("It was taken off.")
    if standing.returns_alone:
        return Step(f"{sentence} " + _("Start it again: it is asked now and then, and is back once it answers twice."))
    return Step(f"{sentence} " + _("Mend it and start the qualification: passed, it plays again."), Act.QUALIFY)


def _while_it_plays(standing: Standing) -> Step:
    if not standing.is_accepting:
        on = _("It takes no new matches; it ends those that it has begun.")
        return Step(on if standing.running else _("It takes no new matches, and none is on."), Act.TAKE_MATCHES)
    if not standing.is_connected:
        return Step(_("It is not connected: start your program. Its matches wait for ten minutes."), is_live=True)
    if standing.running:
        return Step(
            ngettext("It plays: %(count)s match is on.", "It plays: %(count)s matches are on.", standing.running)
            % {"count": standing.running}
        )
    return _while_nothing_plays(standing)


def _while_nothing_plays(standing: Standing) -> Step:
    due = ngettext("%(count)s match is due", "%(count)s matches are due", standing.due) % {"count": standing.due}
    ahead = ngettext("%(count)s stands before it", "%(count)s stand before it", standing.ahead) % {
        "count": standing.ahead
    }
    told = {
        "queued": f"{due}; {ahead}." if standing.ahead else _("%(due)s: a worker takes it next.") % {"due": due},
        "opponent_not_ready": _("%(due)s, but the opponent is not there: it waits ten minutes at most.") % {"due": due},
        "held_by_organiser": _("%(due)s, and held by the organiser.") % {"due": due},
    }.get(standing.reason)
    if told:
        return Step(told)
    return Step(_("It plays as soon as it has a match: nothing is due."), Act.FIND_MATCHES)
