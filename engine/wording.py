"""What others handed in, made fit for a line of text."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 300


def brief(value: object, longest: int = LONGEST) -> str:
    """The value as Python writes it, but in ASCII, on one line and cut; raises for nothing that JSON can hold."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # an integer of more than 4300 digits, or lists in lists in lists
        return f"<{type(value).__name__} too large to print>"
    return cut(text, longest)


def cut(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning where it is long."""
    return text if len(text) <= longest else f"{text[:longest]}..."


def plain(text: str) -> str:
    """A name as it is if it is of plain characters, else as `brief` writes it; cut either way."""
    return cut(text) if text.isascii() and text.isprintable() else brief(text)


def one_line(text: str) -> str:
    """The text with whatever would break the line, or could not be seen, escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
