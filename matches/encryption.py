"""Columns that are encrypted at rest: deal seeds and signing secrets."""

from __future__ import annotations

from functools import cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


class UnreadableSecret(Exception):
    """None of FIELD_KEYS opens a stored secret."""

    code = "unreadable_secret"


@cache
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(plain: bytes) -> bytes:
    """Encrypts under the newest of `FIELD_KEYS`."""
    return _cipher(tuple(settings.FIELD_KEYS)).encrypt(plain)


def decrypt(stored: bytes) -> bytes:
    """Opens with whichever of `FIELD_KEYS` fits; raises UnreadableSecret."""
    try:
        return _cipher(tuple(settings.FIELD_KEYS)).decrypt(bytes(stored))
    except InvalidToken as error:
        raise UnreadableSecret("A stored secret opens with none of FIELD_KEYS: bring the old key back.") from error


class EncryptedBytesField(models.BinaryField):
    """Bytes in Python, a Fernet token in the database."""

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return None if value is None else super().get_db_prep_save(encrypt(bytes(value)), connection)

    def from_db_value(self, value: Any, expression: object, connection: object) -> bytes | None:
        return None if value is None else decrypt(value)
