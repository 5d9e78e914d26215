"""What the columns of a list of players are called: in English, Ukrainian and Russian, in any order."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum


class Column(StrEnum):
    NAME = "name"
    PARTNER = "partner"
    MEMBERS = "members"
    CLUB = "club"
    RATING = "rating"
    SEED = "seed"
    SUBSTITUTES = "substitutes"


CALLED: Mapping[Column, tuple[str, ...]] = {
    Column.NAME: (
        *("name", "full name", "first name", "surname", "last name"),
        *("player", "participant", "entry", "pair", "team"),
        *("ім'я", "ім'я та прізвище", "прізвище", "прізвище та ім'я", "піб", "гравець", "учасник", "пара", "команда"),
        *("имя", "имя и фамилия", "фамилия", "фамилия и имя", "фио", "игрок", "участник"),
    ),
    Column.PARTNER: ("partner", "second player", "партнер", "партнерка", "напарник", "другий гравець", "второй игрок"),
    Column.MEMBERS: ("members", "players", "line-up", "склад", "гравці", "учасники", "состав", "игроки", "участники"),
    Column.CLUB: ("club", "клуб"),
    Column.RATING: ("rating", "elo", "рейтинг"),
    Column.SEED: ("seed", "seeding", "no", "№", "#", "посів", "номер", "посев"),
    Column.SUBSTITUTES: (
        *("substitutes", "substitute", "reserves", "reserve"),
        *("запасні", "запасний", "заміна", "заміни", "резерв", "запасные", "запасной", "замена", "замены"),
    ),
}
_DROPPED = str.maketrans(dict.fromkeys("'`´’‘ʼ\"*:.") | {"ё": "е", "_": " "})


def plain(heading: str) -> str:
    """A heading without what does not tell it from others: case, apostrophes, blanks, marks behind it."""
    folded = unicodedata.normalize("NFC", heading).casefold().translate(_DROPPED)
    return " ".join(folded.split())


_BY_HEADING = {plain(heading): column for column, headings in CALLED.items() for heading in headings}


def column_of(heading: str) -> Column | None:
    """Which column this heading is; None for one that is not read."""
    return _BY_HEADING.get(plain(heading))


def columns_of(headings: Sequence[str]) -> dict[int, Column]:
    """By position; a column that is there twice is there twice."""
    found = ((position, column_of(heading)) for position, heading in enumerate(headings))
    return {position: column for position, column in found if column is not None}
