"""Parties outside every match: the very loop, clocks, messages and calls of play, and no row of them anywhere.

Qualification, `python -m bots_api.check` and `python -m bots_api.local` meet programs here.
"""

from bots_api.practice.party import Conditions, Played, PracticeSeat, play_party
from bots_api.practice.programs import Numbers, Programs
from bots_api.practice.table import tables

__all__ = ["Conditions", "Numbers", "Played", "PracticeSeat", "Programs", "play_party", "tables"]
