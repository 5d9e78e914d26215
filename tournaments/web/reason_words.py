"""Why these meet: a sentence for each code that a format gives with its draw.

What the values of a code are is listed in the module that gives it. A code that two formats use for different things
has the format's name before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.web.wording import points_words

NameOf = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text and what each of its values is, in their order: `who` (a number), `points` (quarters), or `plain`."""

    text: str | Promise
    values: tuple[tuple[str, str], ...]


def _of(text: str | Promise, **values: str) -> Sentence:
    return Sentence(text, tuple(values.items()))


WHO, POINTS, PLAIN = "who", "points", "plain"

REASONS: Mapping[str, Sentence] = {
    # Round robins
    "cycle": _of(gettext_lazy("Cycle %(cycle)s of %(cycles)s."), cycle=PLAIN, cycles=PLAIN),
    "swapped_with": _of(
        gettext_lazy("Changed places with round %(round)s, so that nobody has the same seat three times running."),
        round=PLAIN,
    ),
    "free_round": _of(gettext_lazy("The number of entries is odd: each sits out once a cycle, which brings nothing.")),
    # Swiss, for two sides
    "score_group": _of(gettext_lazy("Both have %(points)s points."), points=POINTS),
    "tables_swiss.score_group": _of(gettext_lazy("All at the table have %(points)s points."), points=POINTS),
    "scores": _of(
        gettext_lazy("Those at the table have between %(lowest)s and %(highest)s points."),
        highest=POINTS,
        lowest=POINTS,
    ),
    "floated_up": _of(
        gettext_lazy("%(who)s comes up from %(own)s points: the group of %(group)s could not be paired among itself."),
        who=WHO,
        own=POINTS,
        group=POINTS,
    ),
    "floated_down": _of(
        gettext_lazy("%(who)s comes down from %(own)s points to one with %(other)s: nobody fitting was left above."),
        who=WHO,
        own=POINTS,
        other=POINTS,
    ),
    "rematch_avoided": _of(
        gettext_lazy("%(who)s would have met %(other)s, but they met in round %(round)s."),
        who=WHO,
        other=WHO,
        round=PLAIN,
    ),
    "protected": _of(
        gettext_lazy("%(who)s would have met %(other)s, but they have a club or an owner in common."),
        who=WHO,
        other=WHO,
    ),
    "protection_given_up": _of(
        gettext_lazy("%(who)s and %(other)s have a club or an owner in common; they could not all be kept apart."),
        who=WHO,
        other=WHO,
    ),
    "first_seat_fewer": _of(
        gettext_lazy("%(who)s sits first: so far he did %(own)s times, the other %(other)s times."),
        who=WHO,
        own=PLAIN,
        other=PLAIN,
    ),
    "first_seat_alternates": _of(
        gettext_lazy("Who sits first is the other way round than for %(who)s in round %(round)s."),
        who=WHO,
        round=PLAIN,
    ),
    "first_seat_lot": _of(gettext_lazy("%(who)s sits first by lot."), who=WHO),
    "first_seat_better": _of(gettext_lazy("%(who)s sits first, for he stands better."), who=WHO),
    "accelerated": _of(
        gettext_lazy("Acceleration: numbers up to %(number)s count as having %(points)s points more."),
        number=PLAIN,
        points=POINTS,
    ),
    "bye": _of(
        gettext_lazy(
            "The number is odd. The bye goes to who has fewest points (%(points)s) and played most: %(played)s."
        ),
        points=POINTS,
        played=PLAIN,
    ),
    "bye_had_before": _of(
        gettext_lazy("%(who)s was before in that order, but had a bye or won without playing in round %(round)s."),
        who=WHO,
        round=PLAIN,
    ),
    "bye_leaves_no_pairing": _of(
        gettext_lazy("%(who)s was before in that order, but without him the others could not be paired."), who=WHO
    ),
    "bye_asked": _of(gettext_lazy("Asked to sit this round out.")),
    "rematch": _of(
        gettext_lazy("%(who)s and %(other)s meet again (they met in round %(round)s): no other draw was left."),
        who=WHO,
        other=WHO,
        round=PLAIN,
    ),
    "second_bye": _of(
        gettext_lazy("%(who)s has a second bye (the first was in round %(round)s): no other draw was left."),
        who=WHO,
        round=PLAIN,
    ),
    # Tables of three and four
    "tables_swiss.second_bye": _of(
        gettext_lazy("%(who)s has one more bye, after %(before)s: no other draw was left."), who=WHO, before=PLAIN
    ),
    "short_table": _of(gettext_lazy("A table of %(seats)s: the field does not fill every table."), seats=PLAIN),
    "moved": _of(gettext_lazy("%(who)s sits elsewhere than by points alone, so that fewer meet again."), who=WHO),
    "met_before": _of(
        gettext_lazy("%(who)s and %(other)s have met before (%(times)s): it could not be spared."),
        who=WHO,
        other=WHO,
        times=PLAIN,
    ),
    "same_shield": _of(
        gettext_lazy("%(who)s and %(other)s have a club or an owner in common: it could not be spared."),
        who=WHO,
        other=WHO,
    ),
    "sits_out": _of(
        gettext_lazy("Sits out: fewest byes so far (%(byes)s), then fewest points (%(points)s), then lot."),
        byes=PLAIN,
        points=POINTS,
    ),
    "divided": _of(
        gettext_lazy("Full tables: %(full)s. Shorter ones: %(short)s. Sitting out: %(out)s."),
        full=PLAIN,
        short=PLAIN,
        out=PLAIN,
    ),
    "planned": _of(
        gettext_lazy(
            "Drawn together with all rounds up to the %(rounds)sth: in so small a field each leaves less to the next."
        ),
        rounds=PLAIN,
    ),
    # Brackets
    "shields_apart": _of(
        gettext_lazy("%(who)s and %(other)s have changed places among equals, so that a club or owner meets later."),
        who=WHO,
        other=WHO,
    ),
    "shields_meet": _of(
        gettext_lazy("%(who)s and %(other)s have a club or an owner in common and can first meet in round %(round)s."),
        shield="unsaid",
        who=WHO,
        other=WHO,
        round=PLAIN,
    ),
    "level_better_seed": _of(gettext_lazy("It ended level, and one has to go on: the better seed, %(who)s."), who=WHO),
}


def sentence_of(code: str, values: Sequence[Any], name_of: NameOf, format_name: str = "") -> str:
    """The sentence of a reason; a code that has none is shown as it is rather than left out."""
    sentence = REASONS.get(f"{format_name}.{code}") or REASONS.get(code)
    if sentence is None or len(values) != len(sentence.values):
        return " ".join(map(str, (code, *values)))
    told = {name: _told(kind, value, name_of) for (name, kind), value in zip(sentence.values, values, strict=True)}
    return str(sentence.text) % told if told else str(sentence.text)


def _told(kind: str, value: Any, name_of: NameOf) -> str:
    if kind == WHO:
        return name_of(int(value))
    return points_words(int(value)) if kind == POINTS else str(value)
