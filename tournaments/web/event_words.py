"""The log of a tournament in words: a sentence for each kind of event, made from what is kept with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import TournamentEvent

EVENTS: Mapping[str, str | Promise] = {
    "registration_opened": gettext_lazy("Registration was opened."),
    "check_in_opened": gettext_lazy("Check-in was opened."),
    "check_in_closed": gettext_lazy("Check-in was closed; so many did not come: %(no_shows)s."),
    "checked_in": gettext_lazy("%(name)s checked in."),
    "checked_out": gettext_lazy("%(name)s is not there after all."),
    "entered": gettext_lazy("%(name)s was entered."),
    "entered_late": gettext_lazy("%(name)s was entered late."),
    "imported": gettext_lazy("Players were imported from a file: %(entries)s."),
    "left": gettext_lazy("%(name)s was taken out."),
    "withdrawn": gettext_lazy("%(name)s withdrew. %(reason)s"),
    "no_show": gettext_lazy("%(name)s did not come. %(reason)s"),
    "expelled": gettext_lazy("%(name)s was expelled. %(reason)s"),
    "reinstated": gettext_lazy("%(name)s was taken back in."),
    "rated": gettext_lazy("A rating was entered: %(rating)s."),
    "seeded_by_hand": gettext_lazy("The entries were put in order by hand: %(entries)s."),
    "bye_asked": gettext_lazy("A bye was asked for in round %(round)s."),
    "bye_taken_back": gettext_lazy("A bye in round %(round)s was taken back."),
    "substituted": gettext_lazy("%(name)s: %(came)s plays for %(out)s."),
    "stage_planned": gettext_lazy("Stage %(stage)s was planned."),
    "stage_changed": gettext_lazy("Stage %(stage)s was changed."),
    "stages_dropped": gettext_lazy("It ended before all stages were played; left out: %(formats)s."),
    "stage_removed": gettext_lazy("Stage %(stage)s was taken out."),
    "started": gettext_lazy("It started with %(entries)s entries."),
    "stage_started": gettext_lazy("Stage %(stage)s started with %(entries)s entries."),
    "stage_finished": gettext_lazy("Stage %(stage)s is over."),
    "stage_reopened": gettext_lazy("Stage %(stage)s goes on."),
    "cut": gettext_lazy("Who goes on into stage %(stage)s is settled: %(through)s."),
    "stage_cannot_start": gettext_lazy("Stage %(stage)s cannot start: %(text)s"),
    "no_draw": gettext_lazy("Stage %(stage)s: the next round could not be drawn. %(text)s"),
    "no_match": gettext_lazy("Stage %(stage)s: %(text)s"),
    "played_later": gettext_lazy("Stage %(stage)s: %(text)s"),
    "round_proposed": gettext_lazy("Round %(round)s was drawn."),
    "round_by_hand": gettext_lazy("Round %(round)s is made by hand: the format has no draw for it."),
    "changes_begun": gettext_lazy("Round %(round)s is being changed by hand."),
    "round_changed": gettext_lazy("Round %(round)s was changed by hand: %(reason)s"),
    "round_confirmed": gettext_lazy("Round %(round)s was confirmed."),
    "round_released": gettext_lazy("Round %(round)s was released."),
    "round_taken_back": gettext_lazy("Round %(round)s was taken back: %(reason)s"),
    "round_scheduled": gettext_lazy("Round %(round)s has a time and tables."),
    "pairing_moved": gettext_lazy("Round %(round)s, table %(table)s has another time or table."),
    "schedule_cleared": gettext_lazy("The times and tables of round %(round)s were taken away."),
    "schedule_clashes": gettext_lazy("Round %(round)s, table %(table)s cannot be played when it was planned: %(text)s"),
    "schedule_lost": gettext_lazy("Round %(round)s could not keep its times and tables: %(text)s"),
    "paused": gettext_lazy("It was paused."),
    "resumed": gettext_lazy("It goes on."),
    "ended_early": gettext_lazy("Stage %(stage)s was ended early."),
    "finished": gettext_lazy("Every match is decided."),
    "reopened": gettext_lazy("It goes on after a correction."),
    "published": gettext_lazy("The standings were published, no. %(number)s."),
    "cancelled": gettext_lazy("It was cancelled: %(reason)s"),
    "corrected": gettext_lazy("A result was corrected: %(reason)s"),
    "annulled": gettext_lazy("A match was annulled: %(reason)s"),
    "match_reopened": gettext_lazy("A match is played again: %(reason)s"),
}


@dataclass(frozen=True, slots=True)
class EventLine:
    told: str
    by: str
    at: datetime


class _Told(dict[str, Any]):
    """What an event keeps; lists are told by their length, what is missing by nothing."""

    def __missing__(self, key: str) -> str:
        return ""


def event_line(event: TournamentEvent) -> EventLine:
    kept = {key: len(value) if isinstance(value, list) else value for key, value in event.payload.items()}
    text = str(EVENTS.get(event.kind, event.kind.replace("_", " ").capitalize()))
    return EventLine(
        told=(text % _Told(kept)).strip(),
        by=event.actor.get_username() if event.actor else "",
        at=event.created_at,
    )
