"""A Swiss at tables of three or four, each for himself.

Tables are made by score and then mended by swaps, so that as few as can be meet again; in small fields a round is
planned together with those to come. Who is left over sits out, or there are tables of three (`short_tables`).

Reasons of a table: `score_group (points)` or `scores (highest, lowest)`, quarter points; `short_table (seats)`;
`moved (number)`: he sits elsewhere than his score alone would put him, so that fewer meet again; `met_before (number,
number, times)` and `same_shield (number, number)`: it could not be spared. Of a bye: `sits_out (full byes before,
points)`: fewest such byes first, then lowest score, then lot. Of the round: `divided (full tables, short ones, sitting
out)`; `planned (rounds)`: drawn together with all rounds up to that one. Departures: `second_bye (number, before)`.
"""

from tournaments.formats.tables_swiss.drawing import draw_next
from tournaments.formats.tables_swiss.rules import VERSION, Settings, ShortTables, rounds_of, why_not

__all__ = ["VERSION", "Settings", "ShortTables", "draw_next", "rounds_of", "why_not"]
