"""Why these meet: a sentence for each code that a format gives with its draw.

What the values of a code are is listed in the module that gives it. A code that two formats use for different things
has the format's name before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.web.wording import points_words

NameOf = Callable[[int], str]
ONE_POINT = 4
"""Points are counted in quarters."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text and what each of its values is, in their order: `who` (a number), `points` (quarters), `times`, `plain`,
    `unsaid`; the last may be `all` who are left.
    """

    text: str | Promise
    values: tuple[tuple[str, str], ...]

    def tells(self, values: Sequence[Any]) -> bool:
        """Whether these can be told by it: as many as it has, and numbers where it names somebody."""
        kinds = [kind for _, kind in self.values]
        kinds += [ALL] * (len(values) - len(kinds))
        numbers = all(isinstance(value, int) for kind, value in zip(kinds, values, strict=False) if kind in _NUMBERED)
        return self.fits(len(values)) and numbers

    def fits(self, given: int) -> bool:
        """Whether so many values can be told by it."""
        takes_all = bool(self.values) and self.values[-1][1] == ALL
        return given >= len(self.values) if takes_all else given == len(self.values)


def _of(text: str | Promise, **values: str) -> Sentence:
    return Sentence(text, tuple(values.items()))


WHO, POINTS, TIMES, PLAIN, UNSAID, ALL = "who", "points", "times", "plain", "unsaid", "all"
_NUMBERED = (WHO, POINTS, TIMES, ALL)

_SAME_POINTS = _of(gettext_lazy("All at the table have %(points)s."), points=POINTS)
_ONE_MORE_BYE = _of(
    gettext_lazy("%(who)s has one more bye, after %(before)s: no other draw was left."), who=WHO, before=PLAIN
)
REASONS: Mapping[str, Sentence] = {
    # Round robins and groups
    "cycle": _of(gettext_lazy("Cycle %(cycle)s of %(cycles)s."), cycle=PLAIN, cycles=PLAIN),
    "swapped_with": _of(
        gettext_lazy("Changed places with round %(round)s, so that nobody has the same seat three times running."),
        round=PLAIN,
    ),
    "free_round": _of(
        gettext_lazy("The field does not fill its tables: each sits out as often, which brings nothing.")
    ),
    "group": _of(gettext_lazy("Group %(group)s: %(all)s."), group=PLAIN, all=ALL),
    "group_over": _of(gettext_lazy("This group is smaller and has played its rounds.")),
    "shields_apart": _of(
        gettext_lazy("%(who)s and %(other)s have changed places among equals: a club or an owner is kept apart."),
        who=WHO,
        other=WHO,
    ),
    "shields_together": _of(
        gettext_lazy("A club or an owner could not be kept apart at table or in group %(place)s."),
        shield=UNSAID,
        place=PLAIN,
    ),
    # Swiss, for two sides
    "score_group": _of(gettext_lazy("Both have %(points)s."), points=POINTS),
    "floated_up": _of(
        gettext_lazy("%(who)s comes up from %(own)s: those with %(group)s could not be paired by themselves."),
        who=WHO,
        own=POINTS,
        group=POINTS,
    ),
    "floated_down": _of(
        gettext_lazy("%(who)s comes down from %(own)s to one with %(other)s: nobody fitting was left above."),
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
        gettext_lazy("%(who)s sits first: so far %(own)s, the other %(other)s."),
        who=WHO,
        own=TIMES,
        other=TIMES,
    ),
    "first_seat_alternates": _of(
        gettext_lazy("Who sits first is the other way round than for %(who)s in round %(round)s."),
        who=WHO,
        round=PLAIN,
    ),
    "first_seat_lot": _of(gettext_lazy("%(who)s sits first by lot."), who=WHO),
    "first_seat_better": _of(gettext_lazy("%(who)s sits first, as the better of the two."), who=WHO),
    "accelerated": _of(
        gettext_lazy("Acceleration: numbers up to %(number)s count as having %(points)s more."),
        number=PLAIN,
        points=POINTS,
    ),
    "bye": _of(
        gettext_lazy(
            "The number is odd. The bye goes to who has fewest points (here %(points)s), then to who has played most "
            "(%(played)s)."
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
        gettext_lazy("%(who)s was before in that order, but then the others could not be paired."), who=WHO
    ),
    "bye_asked": _of(gettext_lazy("Asked to sit this round out.")),
    "rematch": _of(
        gettext_lazy("%(who)s and %(other)s meet again; they met in round %(round)s."),
        who=WHO,
        other=WHO,
        round=PLAIN,
    ),
    "second_bye": _of(
        gettext_lazy("%(who)s has a second bye; the first was in round %(round)s."), who=WHO, round=PLAIN
    ),
    # Tables of three and four, and individual pairs
    "tables_swiss.score_group": _SAME_POINTS,
    "partner_swiss.score_group": _SAME_POINTS,
    "scores": _of(
        gettext_lazy("Those at the table have between %(lowest)s and %(highest)s."),
        highest=POINTS,
        lowest=POINTS,
    ),
    "short_table": _of(gettext_lazy("A table of %(seats)s: the field does not fill every table."), seats=PLAIN),
    "moved": _of(gettext_lazy("%(who)s sits elsewhere than by points alone, so that fewer meet again."), who=WHO),
    "met_before": _of(
        gettext_lazy("%(who)s and %(other)s have met before (%(times)s): it could not be spared."),
        who=WHO,
        other=WHO,
        times=TIMES,
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
    "first_bye": _of(
        gettext_lazy("Sits out, the first of its rounds without a table (%(rounds)s in all): full points."),
        rounds=PLAIN,
    ),
    "later_bye": _of(
        gettext_lazy(
            "Sits out once more (number %(which)s of %(rounds)s): half points, as nobody has two byes with full ones."
        ),
        which=PLAIN,
        rounds=PLAIN,
    ),
    "tables_swiss.second_bye": _ONE_MORE_BYE,
    "partner_swiss.second_bye": _ONE_MORE_BYE,
    "divided": _of(
        gettext_lazy("Full tables: %(full)s. Shorter ones: %(short)s. Sitting out: %(out)s."),
        full=PLAIN,
        short=PLAIN,
        out=PLAIN,
    ),
    "planned": _of(
        gettext_lazy("In so small a field rounds are drawn together, here up to round %(round)s."), round=PLAIN
    ),
    "perfect": _of(
        gettext_lazy("A perfect movement: %(entrants)s meet each other once in %(rounds)s rounds."),
        entrants=PLAIN,
        rounds=PLAIN,
    ),
    "movement": _of(
        gettext_lazy("A fixed movement for %(entrants)s in %(rounds)s rounds."), entrants=PLAIN, rounds=PLAIN
    ),
    "design": _of(
        gettext_lazy("A whist movement for %(entrants)s: partner of everybody once in %(rounds)s rounds."),
        entrants=PLAIN,
        rounds=PLAIN,
    ),
    "partners_new": _of(gettext_lazy("Partners have not played together before.")),
    "partners": _of(
        gettext_lazy("%(one)s and %(two)s play against %(three)s and %(four)s: as even as this table can be."),
        one=WHO,
        two=WHO,
        three=WHO,
        four=WHO,
    ),
    "partners_before": _of(
        gettext_lazy("%(one)s and %(two)s have been partners before (%(times)s): it could not be spared."),
        one=WHO,
        two=WHO,
        times=TIMES,
    ),
    # Elimination at tables
    "advance": _of(
        gettext_lazy("%(many)s of each table go on (the organiser asked for %(asked)s)."), many=PLAIN, asked=PLAIN
    ),
    "final": _of(gettext_lazy("The last table.")),
    "cut_by_seed": _of(
        gettext_lazy("%(who)s and %(other)s shared a place where the cut was; the first, the better seed, went on."),
        who=WHO,
        other=WHO,
    ),
    "moved_up": _of(gettext_lazy("%(who)s moved up in somebody's stead."), who=WHO),
    "cut_to_fit": _of(gettext_lazy("%(who)s does not go on: no round is left to play this off."), who=WHO),
    "over": _of(gettext_lazy("There is nothing left to play.")),
    "seeded": _of(gettext_lazy("%(who)s is seeded %(seed)s."), who=WHO, seed=PLAIN),
    "table_elimination.sits_out": _of(gettext_lazy("Sits out as seed %(seed)s, and goes on."), seed=PLAIN),
    # Brackets
    "shields_meet": _of(
        gettext_lazy("%(who)s and %(other)s have a club or an owner in common and can first meet in round %(round)s."),
        shield=UNSAID,
        who=WHO,
        other=WHO,
        round=PLAIN,
    ),
    "bracket.shields_apart": _of(
        gettext_lazy("%(who)s was seed %(before)s, and moved among equals: a club or an owner is kept apart."),
        who=WHO,
        before=PLAIN,
    ),
    "level_better_seed": _of(gettext_lazy("It ended level, and one has to go on: the better seed, %(who)s."), who=WHO),
    # Who goes on
    "first_overall": _of(gettext_lazy("Went on as number %(place)s of the whole field."), place=PLAIN),
    "place_in_group": _of(gettext_lazy("Went on as number %(place)s of group %(group)s."), group=PLAIN, place=PLAIN),
    "best_of_place": _of(
        gettext_lazy("Went on as one of the best at place %(place)s, with %(points)s in %(games)s matches."),
        place=PLAIN,
        points=POINTS,
        games=PLAIN,
    ),
    "filled_up": _of(
        gettext_lazy("Went on as number %(rank)s of group %(group)s, the next in line: a place elsewhere was empty."),
        group=PLAIN,
        rank=PLAIN,
    ),
    "crossed": _of(gettext_lazy("Was seed %(seed)s, and moved so that those of one group meet late."), seed=PLAIN),
    "by_order_at_cut": _of(
        gettext_lazy("Place %(place)s was shared across the cut; the order of the standings decided."), place=PLAIN
    ),
    "left": _of(gettext_lazy("Had left before the cut.")),
    "in_reserve": _of(gettext_lazy("Number %(rank)s of those in reserve."), rank=PLAIN),
    # What the organiser did, and what that breaks
    "by_hand": _of(gettext_lazy("The organiser put these together.")),
    "violation.rematch": _of(
        gettext_lazy("%(who)s and %(other)s have met already, in round %(round)s."), who=WHO, other=WHO, round=PLAIN
    ),
    "violation.second_bye": _of(gettext_lazy("%(who)s has had a bye with full points already."), who=WHO),
    "shares_shield": _of(
        gettext_lazy("%(who)s and %(other)s have a club or an owner in common, and this round keeps those apart."),
        who=WHO,
        other=WHO,
    ),
    "not_seated": _of(gettext_lazy("%(who)s sits nowhere and has no bye."), who=WHO),
    "not_there": _of(gettext_lazy("%(who)s is seated, but is not there in this round."), who=WHO),
}


def sentence_of(code: str, values: Sequence[Any], name_of: NameOf, format_name: str = "") -> str:
    """The sentence of a reason; a code that has none is shown as it is rather than left out."""
    sentence = REASONS.get(f"{format_name}.{code}") or REASONS.get(code)
    if sentence is None or not sentence.tells(values):
        return " ".join(map(str, (code, *values)))
    told = {
        name: ", ".join(name_of(int(one)) for one in values[place:])
        if kind == ALL
        else _told(kind, values[place], name_of)
        for place, (name, kind) in enumerate(sentence.values)
    }
    return str(sentence.text) % told if told else str(sentence.text)


def _told(kind: str, value: Any, name_of: NameOf) -> str:
    if kind == WHO:
        return name_of(int(value))
    if kind == POINTS:
        return _so_many_points(int(value))
    return _so_often(int(value)) if kind == TIMES else str(value)


def _so_many_points(quarters: int) -> str:
    """“½ point”, “1 point”, “1½ points”: the number of a noun is that of what it is not more than."""
    is_one = 0 < abs(quarters) <= ONE_POINT
    return ngettext("%(points)s point", "%(points)s points", 1 if is_one else 2) % {"points": points_words(quarters)}


def _so_often(times: int) -> str:
    words = {0: _("never"), 1: _("once"), 2: _("twice")}
    return words.get(times) or ngettext("%(count)s time", "%(count)s times", times) % {"count": times}
