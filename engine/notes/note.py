"""One sentence of why, and how it is said with names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.texts import gettext_noop as _

SEATS: Final = frozenset({"seat", "other_seat"})
SIDES: Final = frozenset({"side", "other", "sides", "others"})
CARDS: Final = frozenset({"card", "other_card", "cards"})
WORDS: Final = frozenset({"kind", "other_kind"})

KINDS: Final = {"terz": _("terz"), "fifty": _("fifty"), "hundred": _("hundred"), "jackpot": _("jackpot")}
"""The words that stand under `kind` and `other_kind`, marked for translation like the texts."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence with the clause it follows from; `text` is marked for translation and has places for `values`.

    What a value is, its key says: seats (`SEATS`) and sides (`SIDES`) are numbers to be replaced by names, cards
    (`CARDS`) are texts such as `JH`, `suit` is a letter, `WORDS` are words to be translated; the rest are numbers.
    Keys of several (`sides`, `others`, `cards`) hold tuples.
    """

    clause: str
    text: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return self.said([f"seat {seat}" for seat in range(4)], [f"side {side}" for side in range(4)])

    def said(
        self,
        seats: Sequence[str],
        sides: Sequence[str],
        translate: Callable[[str], str] = str,
        card: Callable[[str], str] = str,
    ) -> str:
        """The sentence with the names of seats and sides; `card` says how a card or a suit is written."""

        def word(key: str, value: object) -> object:
            if isinstance(value, tuple):
                return (" " if key in CARDS else ", ").join(str(word(key, one)) for one in value)
            if key in SEATS | SIDES:
                assert isinstance(value, int)
                return (seats if key in SEATS else sides)[value]
            if key in CARDS or key == "suit":
                return card(str(value))
            return translate(str(value)) if key in WORDS else value

        return translate(self.text) % {key: word(key, value) for key, value in self.values.items()}


def note(clause: str, text: str, **values: object) -> Note:
    """A note from values as the engine holds them."""
    return Note(clause, text, values)
