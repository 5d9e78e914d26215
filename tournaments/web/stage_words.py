"""A stage in words: its name, its format, and what was set otherwise than the format has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.core.plan import Length
from tournaments.formats.lifecycle import Seeding, StageStatus
from tournaments.formats.registry import FORMATS
from tournaments.formats.settings import defaults_of
from tournaments.models import Stage
from tournaments.web.format_words import FORMATS as WORDS
from tournaments.web.format_words import choice_words, setting_words
from tournaments.web.wording import SEEDING, STAGE_STATUS


@dataclass(frozen=True, slots=True)
class StageLine:
    """`set_words`: each setting that differs from its default, and what holds for every stage, as short sentences."""

    number: int
    title: str
    format: str
    purpose: str
    rounds: str
    status: str
    status_words: str
    set_words: tuple[str, ...]
    is_stored: bool


def stage_title(stage: Stage) -> str:
    return stage.name or str(WORDS[stage.format].title)


def stage_line(stage: Stage) -> StageLine:
    words = WORDS[stage.format]
    return StageLine(
        number=stage.number,
        title=stage_title(stage),
        format=str(words.title),
        purpose=str(words.purpose),
        rounds=str(words.rounds),
        status=stage.status,
        status_words=str(STAGE_STATUS[StageStatus(stage.status)]),
        set_words=(*_settings(stage), *_columns(stage)),
        is_stored=stage.pk is not None,
    )


def _settings(stage: Stage) -> list[str]:
    if stage.format not in FORMATS:
        return []
    defaults = defaults_of(FORMATS[stage.format].settings)
    return [
        _setting(stage.format, name, value) for name, value in stage.settings.items() if defaults.get(name) != value
    ]


def _setting(format_name: str, name: str, value: Any) -> str:
    label = setting_words(format_name, name)[0]
    if isinstance(value, bool):
        told = _("yes") if value else _("no")
    elif isinstance(value, int):
        told = str(value)
    else:
        told = str(choice_words(format_name, name, value))
    return f"{label}: {told}"


def _columns(stage: Stage) -> list[str]:
    told = [_taken(stage)] if stage.number > 1 else []
    told.append(_("Seeded %(how)s") % {"how": SEEDING[Seeding(stage.seeding)]})
    if stage.carries_points:
        told.append(_("Points are carried over"))
    if stage.protected_rounds:
        rounds = ngettext("%(count)s round", "%(count)s rounds", stage.protected_rounds)
        told.append(_("Clubs and owners apart for %(rounds)s") % {"rounds": rounds % {"count": stage.protected_rounds}})
    return [*told, *filter(None, [own_length_words(stage)])]


def own_length_words(stage: Stage) -> str:
    """What a match of this stage is, where that is another than the tournament's; else empty."""
    if not (stage.length or stage.boards):
        return ""
    length = length_words(stage.length or stage.tournament.length, stage.boards or stage.tournament.boards)
    return _("A match is %(length)s") % {"length": length}


def _taken(stage: Stage) -> str:
    """Who goes on from the stage before."""
    first, of_each, best = (int(stage.takes.get(name, 0)) for name in ("first", "of_each", "best"))
    if first:
        return _("The first %(count)s go on") % {"count": first}
    if best:
        return _("The first %(count)s of each group go on, and the best %(best)s of the next place") % {
            "count": of_each,
            "best": best,
        }
    return _("The first %(count)s of each group go on") % {"count": of_each} if of_each else _("Everybody goes on")


def length_words(length: str, count: int) -> str:
    """“best of 3 parties”, “3 parties”, “2 boards, each from every seat”."""
    if length == Length.BEST_OF:
        return _("best of %(count)s parties") % {"count": count}
    if length == Length.PARTIES:
        return ngettext("%(count)s party", "%(count)s parties", count) % {"count": count}
    return ngettext("%(count)s board, from every seat", "%(count)s boards, each from every seat", count) % {
        "count": count
    }
