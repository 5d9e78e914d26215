"""How strong the house bots are: duplicate boards, points a deal, Elo, and what duplicating saves.

`boards.py` plays, `playing.py` shares boards among processes; `estimates.py`, `elo.py`, `places.py` and `saving.py`
turn boards into figures with intervals; `climbing.py` measures one table's ladder, `telling.py` and `page.py` say it.
Nothing here ranks by a float: boards are won by integers, and floats only describe.
"""

from engine.ladder.boards import Board, Duel, exposures, play_between, play_board
from engine.ladder.climbing import Ladder, Step, climb
from engine.ladder.elo import Tally, elo_difference
from engine.ladder.estimates import Estimate, mean_of
from engine.ladder.saving import Saving, saving_of

__all__ = [
    "Board",
    "Duel",
    "Estimate",
    "Ladder",
    "Saving",
    "Step",
    "Tally",
    "climb",
    "elo_difference",
    "exposures",
    "mean_of",
    "play_between",
    "play_board",
    "saving_of",
]
