"""What standings are ordered by, in words: the title of each criterion, its head of a column, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True, slots=True)
class CriterionWords:
    """`head`: a few letters for the head of a column; `help`: one sentence for whoever reads it the first time."""

    title: str | Promise
    head: str | Promise
    help: str | Promise


CRITERIA: Mapping[str, CriterionWords] = {
    "points": CriterionWords(gettext_lazy("Points"), gettext_lazy("Pts"), gettext_lazy("What the matches brought.")),
    "direct_encounter": CriterionWords(
        gettext_lazy("Direct encounter"),
        gettext_lazy("DE"),
        gettext_lazy("The points from the meetings of those who are level with each other."),
    ),
    "wins": CriterionWords(
        gettext_lazy("Rounds won"),
        gettext_lazy("Win"),
        gettext_lazy("How many rounds were won; a bye with full points counts as one."),
    ),
    "games_won": CriterionWords(
        gettext_lazy("Matches won at the table"),
        gettext_lazy("Won"),
        gettext_lazy("How many matches were won by playing, forfeits and byes not counted."),
    ),
    "point_difference": CriterionWords(
        gettext_lazy("Point difference"),
        gettext_lazy("Diff"),
        gettext_lazy("Points of the game won less those lost; at larger tables against each of the others."),
    ),
    "points_for": CriterionWords(
        gettext_lazy("Points of the game"), gettext_lazy("For"), gettext_lazy("Points of the game that were made.")
    ),
    "parties_won": CriterionWords(
        gettext_lazy("Parties won"), gettext_lazy("Par"), gettext_lazy("How many parties were won in all matches.")
    ),
    "buchholz": CriterionWords(
        gettext_lazy("Buchholz"),
        gettext_lazy("BH"),
        gettext_lazy("The points of all opponents, added up: who met the stronger ones stands higher."),
    ),
    "buchholz_cut1": CriterionWords(
        gettext_lazy("Buchholz, cut 1"), gettext_lazy("BH−1"), gettext_lazy("Buchholz without the weakest opponent.")
    ),
    "buchholz_cut2": CriterionWords(
        gettext_lazy("Buchholz, cut 2"), gettext_lazy("BH−2"), gettext_lazy("Buchholz without the two weakest.")
    ),
    "buchholz_median": CriterionWords(
        gettext_lazy("Median Buchholz"),
        gettext_lazy("BHM"),
        gettext_lazy("Buchholz without the weakest and the strongest opponent."),
    ),
    "buchholz_median2": CriterionWords(
        gettext_lazy("Median Buchholz 2"),
        gettext_lazy("BHM2"),
        gettext_lazy("Buchholz without the two weakest and the two strongest."),
    ),
    "sonneborn_berger": CriterionWords(
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("SB"),
        gettext_lazy("The points of each opponent times what was won there."),
    ),
    "sonneborn_berger_cut1": CriterionWords(
        gettext_lazy("Sonneborn-Berger, cut 1"),
        gettext_lazy("SB−1"),
        gettext_lazy("Sonneborn-Berger without the weakest opponent."),
    ),
    "progressive": CriterionWords(
        gettext_lazy("Progressive score"),
        gettext_lazy("Prog"),
        gettext_lazy("The points after each round, added up: early wins count for more."),
    ),
    "progressive_cut1": CriterionWords(
        gettext_lazy("Progressive score, cut 1"),
        gettext_lazy("Prog−1"),
        gettext_lazy("Progressive score without the first round."),
    ),
    "first_seats": CriterionWords(
        gettext_lazy("First seats"),
        gettext_lazy("1st seat"),
        gettext_lazy("How often the entry sat first; who did so less often stands higher."),
    ),
    "lot": CriterionWords(
        gettext_lazy("Lot"),
        gettext_lazy("Lot"),
        gettext_lazy("Drawn from the tournament's own seed, which was promised before the start."),
    ),
}
TIE_BREAKS = tuple(code for code in CRITERIA if code != "points")
"""What an organiser may choose: points always come first."""
