"""Public ids: a prefix that names the kind of thing, and 22 random base62 characters (131 bits)."""

from __future__ import annotations

import secrets
import string
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import models

ALPHABET = string.digits + string.ascii_letters
LENGTH = 22
_PAIRS = tuple(first + second for first in ALPHABET for second in ALPHABET)


def base62(number: int, length: int = LENGTH) -> str:
    """The lowest `length` base62 digits of a whole number, most significant first."""
    pairs, rest = divmod(length, 2)
    digits = []
    for _ in range(pairs):
        number, pair = divmod(number, len(_PAIRS))
        digits.append(_PAIRS[pair])
    if rest:
        digits.append(ALPHABET[number % len(ALPHABET)])
    digits.reverse()
    return "".join(digits)


def new_id(prefix: str) -> str:
    return prefix + base62(secrets.randbits(160))


class PublicIdField(models.CharField):
    """The id the world sees. Primary keys never leave the database."""

    def __init__(self, *, prefix: str, **options: Any) -> None:
        self.prefix = prefix
        fixed = {
            "max_length": len(prefix) + LENGTH,
            "unique": True,
            "editable": False,
            "default": partial(new_id, prefix),
        }
        super().__init__(**(options | fixed))

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, path, positional, options = super().deconstruct()
        for key in ("max_length", "unique", "editable", "default"):
            options.pop(key, None)
        return name, path, positional, options | {"prefix": self.prefix}
