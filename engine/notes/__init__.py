"""Why things happened: every step of a record in sentences with their clauses, for a page that replays it.

`note.py` holds what a note is; `acting.py` and `cards.py` speak of actions, `facts.py` of sequences, `counting.py`,
`writing.py`, `ending.py` and `scoring.py` of the score. Texts are marked for translation and hold no names.
"""

from engine.notes.acting import acted_notes, dealt_notes
from engine.notes.cards import played_notes
from engine.notes.note import KINDS, Note
from engine.notes.scoring import score_notes

__all__ = ["KINDS", "Note", "acted_notes", "dealt_notes", "played_notes", "score_notes"]
