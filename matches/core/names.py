"""What players may be called: a name is read by people, so that two names which look alike must not be two."""

from __future__ import annotations

import unicodedata

LONGEST = 60
HOUSE_PREFIX = "house:"
"""How the names of house programs begin."""
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that cannot be seen, turn the text round, or mean nothing to a reader."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800") | {chr(c) for c in range(0xFE00, 0xFE10)}
"""Letters and marks that are drawn as nothing at all."""


class NameRefused(ValueError):
    """`code` is stable; the text says what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def parse_name(text: str) -> str:
    """A player's name as it is written down: in NFKC, with single spaces within and none around.

    Raises NameRefused for a name that is empty, too long, or has characters that cannot be seen.
    """
    normal = unicodedata.normalize("NFKC", text)
    unseen = next((char for char in normal if unicodedata.category(char) in UNSEEN or char in BLANK), None)
    if unseen is not None:
        raise NameRefused("name_unseen", f"The name has a character that cannot be seen (U+{ord(unseen):04X}).")
    name = " ".join(normal.split())
    if not name:
        raise NameRefused("name_missing", "A player needs a name.")
    if len(name) > LONGEST:
        raise NameRefused("name_long", f"The name has {len(name)} characters; {LONGEST} are the most.")
    return name


def is_the_houses(name: str) -> bool:
    """Whether a name, written down, begins as those of house programs do, in whatever case and however spaced."""
    return name.casefold().replace(" ", "").startswith(HOUSE_PREFIX)
