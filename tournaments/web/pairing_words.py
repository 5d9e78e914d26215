"""Why these meet where the format's order itself says it: a bracket, a fixed table, the halves of a score group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.web.meetings import Meeting, Source
from tournaments.web.reason_words import NameOf

Pair = frozenset[int]
BY_HAND = "by_hand"
SPREAD = ("single_elimination", "double_elimination")
"""Brackets into which the seeds are spread, so that the best meet late."""
OF_FIXED_TABLE = ("round_robin", "groups", "tables", "whist")


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a round was drawn from. `draw`: the format's proposal as it is kept; `numbers`: of the stage's entries."""

    format: str
    number: int
    draw: Mapping[str, Any]
    numbers: Mapping[str, int]
    name_of: NameOf


def order_sentences(meeting: Meeting, drawn: Drawn) -> tuple[str, ...]:
    """None where the organiser put them together, or where the format's own reasons say all."""
    if any(code == BY_HAND for code, *_values in meeting.reasons):
        return ()
    if meeting.sources:
        return tuple(_of_bracket(meeting, drawn))
    seated = [drawn.numbers[entry] for side in meeting.sides for entry, _name in side.entries if entry in drawn.numbers]
    if meeting.state == "bye" or len(seated) < 2:
        return ()
    if drawn.format in OF_FIXED_TABLE:
        return (_of_fixed_table(seated, drawn.number, meeting.group),)
    return tuple(_of_halves(seated, drawn)) if drawn.format == "swiss" else ()


def _of_bracket(meeting: Meeting, drawn: Drawn) -> Iterator[str]:
    told = [_origin(source) for source in meeting.sources]
    if len(told) == 1 or meeting.state == "bye":
        yield _("Nobody comes to this match from the other side: the field does not fill the bracket.")
        return
    yield _("%(first)s meets %(second)s.") % {"first": told[0], "second": told[1]}
    if drawn.format in SPREAD and not any(source.match for source in meeting.sources):
        yield _("Seeds are spread so that the best and the last meet first, and the two best as late as can be.")


def _origin(source: Source) -> str:
    if not source.match:
        return _("Seed %(seed)s") % {"seed": source.place}
    who = _("Winner of match %(match)s") if source.place == 1 else _("Loser of match %(match)s")
    return who % {"match": source.match}


def _of_fixed_table(seated: Sequence[int], number: int, group: int | None) -> str:
    who = _("%(numbers)s and %(last)s") % {"numbers": ", ".join(map(str, seated[:-1])), "last": seated[-1]}
    if group is not None:
        told = _(
            "All rounds of group %(group)s are fixed from the start; round %(round)s puts numbers %(who)s together."
        )
        return told % {"group": group, "round": number, "who": who}
    told = _("All rounds are fixed from the start; round %(round)s puts numbers %(who)s together.")
    return told % {"round": number, "who": who}


# Swiss


def _of_halves(seated: Sequence[int], drawn: Drawn) -> Iterator[str]:
    """Where both stand among those who were paired together."""
    pair = frozenset(seated)
    members = next((members for members, pairs in _brackets(drawn.draw).values() if pair in pairs), ())
    if len(members) < 3:
        return
    better, other = sorted(pair)
    places = members.index(better) + 1, members.index(other) + 1
    values = {"size": len(members), "one": drawn.name_of(better), "two": drawn.name_of(other)}
    values |= {"first": places[0], "second": places[1]}
    yield _("Of the %(size)s paired together %(one)s is number %(first)s and %(two)s number %(second)s.") % values
    if places[1] - places[0] == len(members) // 2 and places[0] <= len(members) // 2:
        yield _("The upper half meets the lower half, first against first.")
    else:
        yield _("The upper half meets the lower half, as near to this order as the rules allow.")


def _brackets(draw: Mapping[str, Any]) -> dict[int, tuple[list[int], list[Pair]]]:
    """By the points that they were paired at: all members in order of their numbers, and the pairs."""
    found: dict[int, tuple[list[int], list[Pair]]] = {}
    for table in draw.get("tables", ()):
        points = _paired_at(table["reasons"])
        if points is not None and len(table["entrants"]) == 2:
            members, pairs = found.setdefault(points, ([], []))
            members += table["entrants"]
            members.sort()
            pairs.append(frozenset(table["entrants"]))
    return found


def _paired_at(reasons: Sequence[Sequence[Any]]) -> int | None:
    """The points of those into whose score group both were taken."""
    values = {code: told for code, *told in reasons}
    if "floated_up" in values:
        return int(values["floated_up"][2])
    return int(values["score_group"][0]) if "score_group" in values else None
