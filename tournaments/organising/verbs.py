"""What whoever runs a tournament can do with a button: each calls one service, and stands where it would be taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.services.reports import ReportRefused
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import (
    Audience,
    EntryStatus,
    RoundStatus,
    TournamentStatus,
    may_entry_move,
    may_move,
)
from tournaments.models import ByeKind, Entry, Round, Tournament
from tournaments.organising.rights import who
from tournaments.services import draws, entries, publishing, running
from tournaments.services.field import current_stage
from tournaments.web.waiting import trouble_of


@dataclass(frozen=True, slots=True)
class Verb:
    """A button. `reason`: whether one is asked for (`needed`, `free`); `is_grave`: it cannot be taken back."""

    name: str
    label: str | Promise
    call: Callable[[Any, HttpRequest], object]
    stands_for: Callable[[Any], bool]
    reason: str = ""
    is_grave: bool = False


def carry_out(request: HttpRequest, verbs: Sequence[Verb], name: str, row: Any) -> bool:
    """Does what a button says and tells how it went; whether it was done."""
    chosen = next((one for one in verbs if one.name == name and one.stands_for(row)), None)
    if chosen is None:
        messages.error(request, _("That cannot be done any more: the page was out of date."))
        return False
    try:
        told = chosen.call(row, request)
    except (TournamentError, ReportRefused) as refusal:
        messages.error(request, str(refusal))
        return False
    messages.success(request, told if isinstance(told, str) else _("Done: %(verb)s.") % {"verb": chosen.label})
    return True


def standing(verbs: Sequence[Verb], row: Any) -> list[Verb]:
    return [one for one in verbs if one.stands_for(row)]


def _reason(request: HttpRequest) -> str:
    return str(request.POST.get("reason", ""))


def _becomes(new: TournamentStatus) -> Callable[[Tournament], bool]:
    return lambda row: may_move(TournamentStatus(row.status), new)


def _is(*statuses: str) -> Callable[[Any], bool]:
    return lambda row: row.status in statuses


_S = TournamentStatus
BEFORE = (_S.DRAFT, _S.REGISTRATION, _S.CHECK_IN)
ON = (_S.RUNNING, _S.PAUSED)


def _enter_house(row: Tournament, request: HttpRequest) -> str:
    entered = entries.enter_house(row.pk, by=who(request))
    if not entered:
        return _("Every house program that plays these rules is entered already.")
    return _("Entered: %(names)s.") % {"names": ", ".join(map(str, entered))}


def _propose(row: Tournament, request: HttpRequest) -> str:
    stage = current_stage(row)
    if stage is None:
        raise TournamentError("not_running", _("No stage is being played now."))
    drawn = draws.propose(stage.pk, by=who(request))
    return _("Round %(number)s is drawn: look at it, then confirm and release it.") % {"number": drawn.number}


def _propose_by_hand(row: Tournament, request: HttpRequest) -> str:
    stage = current_stage(row)
    if stage is None:
        raise TournamentError("not_running", _("No stage is being played now."))
    drawn = draws.propose_by_hand(stage.pk, by=who(request))
    if drawn.status != RoundStatus.CHANGING:
        return _("Round %(number)s is drawn: look at it, then confirm and release it.") % {"number": drawn.number}
    return _("Round %(number)s is made by hand: seat everybody, then confirm and release it.") % {
        "number": drawn.number
    }


def _has_no_draw(row: Tournament) -> bool:
    return row.status in ON and bool(trouble_of(row))


OF_TOURNAMENT: tuple[Verb, ...] = (
    Verb(
        "open",
        gettext_lazy("Open registration"),
        lambda row, request: entries.open_registration(row.pk, by=who(request)),
        _is(_S.DRAFT),
    ),
    Verb(
        "check_in",
        gettext_lazy("Open check-in"),
        lambda row, request: running.open_check_in(row.pk, by=who(request)),
        _is(_S.REGISTRATION),
    ),
    Verb("start", gettext_lazy("Start"), lambda row, request: running.start(row.pk, by=who(request)), _is(*BEFORE)),
    Verb("house", gettext_lazy("Add house programs"), _enter_house, _is(*BEFORE)),
    Verb("propose", gettext_lazy("Draw the next round"), _propose, _is(*ON)),
    Verb("propose_by_hand", gettext_lazy("Seat the next round by hand"), _propose_by_hand, _has_no_draw),
    Verb(
        "pause",
        gettext_lazy("Pause"),
        lambda row, request: running.pause(row.pk, by=who(request)),
        _becomes(_S.PAUSED),
    ),
    Verb(
        "resume",
        gettext_lazy("Go on"),
        lambda row, request: running.resume(row.pk, by=who(request)),
        _is(_S.PAUSED),
    ),
    Verb(
        "publish",
        gettext_lazy("Publish the standings"),
        lambda row, request: publishing.publish(row.pk, who(request)),
        _is(*ON, _S.FINISHED, _S.PUBLISHED),
    ),
    Verb(
        "finish",
        gettext_lazy("End this stage now"),
        lambda row, request: running.finish(row.pk, by=who(request)),
        _is(*ON),
        is_grave=True,
    ),
    Verb(
        "cancel",
        gettext_lazy("Cancel the tournament"),
        lambda row, request: running.cancel(row.pk, _reason(request), by=who(request)),
        _becomes(_S.CANCELLED),
        reason="needed",
        is_grave=True,
    ),
)


def _release(drawn: Round, request: HttpRequest) -> object:
    sent = request.POST.get("audience", Audience.PUBLIC)
    audience = Audience(sent) if sent in set(Audience) else Audience.PUBLIC
    return draws.release(drawn.pk, audience, by=who(request))


_R = RoundStatus
OF_ROUND: tuple[Verb, ...] = (
    Verb(
        "confirm",
        gettext_lazy("Confirm"),
        lambda drawn, request: draws.confirm(drawn.pk, by=who(request)),
        _is(_R.PROPOSED, _R.CHANGING),
    ),
    Verb("release", gettext_lazy("Release"), _release, _is(_R.CONFIRMED, _R.RELEASED, _R.CLOSED)),
    Verb(
        "begin_changes",
        gettext_lazy("Change by hand"),
        lambda drawn, request: draws.begin_changes(drawn.pk, by=who(request)),
        _is(_R.PROPOSED),
    ),
    Verb(
        "take_back",
        gettext_lazy("Take back"),
        lambda drawn, request: draws.take_back(
            drawn.pk, _reason(request), by=who(request), even_played="even_played" in request.POST
        ),
        _is(_R.PROPOSED, _R.CHANGING, _R.CONFIRMED, _R.RELEASED),
        reason="needed",
        is_grave=True,
    ),
)


def _is_before(entry: Entry) -> bool:
    return not entry.tournament.is_frozen


def _may_become(new: EntryStatus) -> Callable[[Entry], bool]:
    return lambda entry: may_entry_move(EntryStatus(entry.status), new)


def _is_in_play(entry: Entry) -> bool:
    return entry.status == EntryStatus.ACTIVE and entry.tournament.status in ON


def _number(request: HttpRequest, name: str) -> int:
    """A number that was typed; raises TournamentError."""
    typed = str(request.POST.get(name, "")).strip()
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 6):
        raise TournamentError("not_a_number", _("“%(typed)s” is no whole number.") % {"typed": typed[:20]})
    return int(typed)


def _ask_bye(entry: Entry, request: HttpRequest) -> object:
    kind = ByeKind.HALF if request.POST.get("kind") == ByeKind.HALF else ByeKind.ZERO
    return entries.ask_bye(entry.pk, _number(request, "round"), kind, by=who(request))


def _rate(entry: Entry, request: HttpRequest) -> object:
    typed = str(request.POST.get("rating", "")).strip()
    return entries.rate(entry.pk, _number(request, "rating") if typed else None, by=who(request))


OF_ENTRY: tuple[Verb, ...] = (
    Verb(
        "check_in",
        gettext_lazy("Check in"),
        lambda entry, request: entries.check_in(entry.pk, by=who(request)),
        lambda entry: entry.tournament.status == _S.CHECK_IN and entry.status == EntryStatus.ACTIVE,
    ),
    Verb(
        "check_out",
        gettext_lazy("Not there"),
        lambda entry, request: entries.check_out(entry.pk, by=who(request)),
        lambda entry: entry.tournament.status == _S.CHECK_IN and entry.status == EntryStatus.ACTIVE,
    ),
    Verb("rate", gettext_lazy("Write the rating"), _rate, _is_before),
    Verb("ask_bye", gettext_lazy("Sit a round out"), _ask_bye, lambda entry: entry.status == EntryStatus.ACTIVE),
    Verb(
        "take_back_bye",
        gettext_lazy("Play after all"),
        lambda entry, request: entries.take_back_bye(entry.pk, _number(request, "round"), by=who(request)),
        lambda entry: entry.status == EntryStatus.ACTIVE,
    ),
    Verb(
        "leave",
        gettext_lazy("Take out"),
        lambda entry, request: entries.leave(entry.pk, by=who(request)),
        _is_before,
        is_grave=True,
    ),
    Verb(
        "withdraw",
        gettext_lazy("Withdraws"),
        lambda entry, request: entries.withdraw(entry.pk, _reason(request), by=who(request)),
        _may_become(EntryStatus.WITHDRAWN),
        reason="free",
    ),
    Verb(
        "no_show",
        gettext_lazy("Did not come"),
        lambda entry, request: entries.no_show(entry.pk, _reason(request), by=who(request)),
        lambda entry: _is_in_play(entry) or (entry.tournament.status == _S.CHECK_IN and entry.status == "active"),
        reason="free",
    ),
    Verb(
        "expel",
        gettext_lazy("Expel"),
        lambda entry, request: entries.expel(entry.pk, _reason(request), by=who(request)),
        _may_become(EntryStatus.EXPELLED),
        reason="needed",
        is_grave=True,
    ),
    Verb(
        "reinstate",
        gettext_lazy("Take back in"),
        lambda entry, request: entries.reinstate(entry.pk, by=who(request)),
        _may_become(EntryStatus.ACTIVE),
    ),
)
