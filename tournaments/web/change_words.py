"""What a correction brings with it, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.formats.lifecycle import TournamentStatus
from tournaments.models import Tournament
from tournaments.services.corrections import Change
from tournaments.web.wording import STATUS

Names = Mapping[str, str]


def names_of_entries(tournament: Tournament) -> Names:
    """By public id. One query."""
    return dict(tournament.entries.values_list("public_id", "name"))


def change_words(change: Change, names: Names) -> str:
    """One sentence for each code of `services.corrections.Change`; one without is shown as it is."""
    told = _SENTENCES.get(change.code)
    return told(change.values, names) if told else " ".join(map(str, (change.code, *change.values)))


def _name(entry: Any, names: Names) -> str:
    return names.get(str(entry), str(entry)) if entry else _("nobody")


def _place(values: tuple[Any, ...], names: Names) -> str:
    entry, stage, before, after = values
    if after is None:
        return _("%(name)s has no place in stage %(stage)s any more.") % {"name": _name(entry, names), "stage": stage}
    told = _("%(name)s: place %(after)s instead of %(before)s (stage %(stage)s).")
    return told % {"name": _name(entry, names), "before": before, "after": after, "stage": stage}


def _seat(values: tuple[Any, ...], names: Names) -> str:
    stage, round_number, table, *_seat, before, after = values
    return _("Stage %(stage)s, round %(round)s, table %(table)s: %(after)s instead of %(before)s.") % {
        "stage": stage,
        "round": round_number,
        "table": table,
        "before": _name(before, names),
        "after": _name(after, names),
    }


def _round_rests(values: tuple[Any, ...], names: Names) -> str:
    return _("Round %(round)s of stage %(stage)s was drawn from the old result; that draw stands.") % {
        "stage": values[0],
        "round": values[1],
    }


def _cut_stands(values: tuple[Any, ...], names: Names) -> str:
    return _("Stage %(stage)s was seeded from the old result; who is in it stays.") % {"stage": values[0]}


def _match_void(values: tuple[Any, ...], names: Names) -> str:
    text = _("The match of stage %(stage)s, round %(round)s, table %(table)s is made anew with others.")
    return text % _table(values)


def _played_void(values: tuple[Any, ...], names: Names) -> str:
    text = _(
        "The match of stage %(stage)s, round %(round)s, table %(table)s was played; it is void, and played again with "
        "others."
    )
    return text % _table(values)


def _table(values: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("match", "stage", "round", "table"), values, strict=True))


def _reopened(values: tuple[Any, ...], names: Names) -> str:
    return _("The tournament goes on; it was %(before)s.") % {"before": STATUS[TournamentStatus(str(values[0]))]}


_SENTENCES: Mapping[str, Callable[[tuple[Any, ...], Names], str]] = {
    "place": _place,
    "seat": _seat,
    "round_rests": _round_rests,
    "cut_stands": _cut_stands,
    "match_void": _match_void,
    "played_void": _played_void,
    "reopened": _reopened,
}
