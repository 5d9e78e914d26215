"""A Swiss for two sides a table: FIDE C.04.6, the Swiss Team Pairing System in force since February 2026, without
colours.

Nobody meets the same side twice, nobody has a second bye; those with equal points meet, and where they cannot, as few
as can be meet the nearest. Round by round; `draw_next` is a pure function of what was played.

Reasons of a table: `score_group (points)` both have as many; `floated_up (number, own points, the bracket's)`;
`floated_down (number, own points, the opponent's)`; `rematch_avoided (number, other, round)` they would have met;
`protected (number, other)` they would have met and share a shield; `protection_given_up (number, other)` they share a
shield and could not all be kept apart; `first_seat_fewer (number, times first, the other's)`, `first_seat_alternates
(number, round)` the other way than in that round, `first_seat_lot (number)`, `first_seat_better (number)`. Of a bye:
`bye (points, matches played)`; `bye_had_before (number, round)` one before him in order had one, or won by forfeit;
`bye_leaves_no_pairing (number)`. Of a round: `accelerated (last number, points)` all up to that number have so many
virtual points. Departures: `rematch (number, other, round of the last meeting)`, `second_bye (number, round)`.
Points are quarter points, virtual ones among them.
"""

from tournaments.formats.swiss.draw import draw_next
from tournaments.formats.swiss.rounds import feasible, rounds_of, why_not
from tournaments.formats.swiss.settings import Acceleration, Infeasible, Settings

VERSION = 1
"""Grows with every change that may draw another round from the same position."""

__all__ = ["VERSION", "Acceleration", "Infeasible", "Settings", "draw_next", "feasible", "rounds_of", "why_not"]
