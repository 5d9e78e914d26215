"""Public ids, and what is encrypted at rest."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from pytest_django import Settings

from bots_api.models import BotVersion
from bots_api.services import add_version, register_bot
from matches.encryption import UnreadableSecret, decrypt, encrypt
from matches.lane import drive
from matches.models import Agent, Board, Game, Match, Party, Player
from matches.public_ids import ALPHABET, PublicIdField, base62, new_id
from tests.cast import SEED, anna
from tests.matches.drawn import drawn, same_seed

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


@pytest.mark.parametrize(
    ("number", "text"), [(0, "000"), (9, "009"), (10, "00a"), (61, "00Z"), (62, "010"), (-1, "ZZZ")]
)
def test_base62_counts_from_the_right(number: int, text: str) -> None:
    assert base62(number, 3) == text


def test_new_ids_are_the_prefix_and_22_letters() -> None:
    made = {new_id("m_") for _ in range(1_000)}
    assert len(made) == 1_000
    assert all(re.fullmatch(r"m_[0-9a-zA-Z]{22}", one) for one in made)
    assert {letter for one in made for letter in one[2:]} == set(ALPHABET)


@pytest.mark.parametrize(
    ("model", "prefix"), [(Match, "m_"), (Party, "pa_"), (Game, "g_"), (Player, "p_"), (Agent, "v_")]
)
def test_the_prefix_says_what_an_id_names(model, prefix: str) -> None:
    assert model().public_id.startswith(prefix)
    assert model().public_id != model().public_id


def test_a_migration_rebuilds_the_field_from_its_prefix() -> None:
    field = Match._meta.get_field("public_id")
    _, _, positional, options = field.deconstruct()
    again = PublicIdField(*positional, **options)
    assert options == {"prefix": "m_"}
    assert (again.max_length, again.unique, again.editable) == (24, True, False)


def test_the_newest_key_encrypts_and_the_older_ones_still_open(settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    kept = encrypt(b"secret")
    settings.FIELD_KEYS = [NEW, OLD]
    assert decrypt(kept) == b"secret"
    assert Fernet(NEW).decrypt(encrypt(b"secret")) == b"secret"
    settings.FIELD_KEYS = [NEW]
    with pytest.raises(UnreadableSecret, match="bring the old key back"):
        decrypt(kept)


def test_the_same_secret_never_looks_the_same() -> None:
    assert encrypt(b"secret") != encrypt(b"secret")


@pytest.mark.django_db
def test_keys_are_rotated_row_by_row(settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    board = drawn(**same_seed()).boards.get()
    seed = bytes(board.seed)
    settings.FIELD_KEYS = [NEW, OLD]
    kept = Board.objects.get(pk=board.pk)
    assert bytes(kept.seed) == seed
    kept.save(update_fields=["seed"])
    settings.FIELD_KEYS = [NEW]
    assert bytes(Board.objects.get(pk=board.pk).seed) == seed


@pytest.mark.django_db
def test_without_its_key_a_seed_is_not_given_out(settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    drawn()
    settings.FIELD_KEYS = [NEW]
    with pytest.raises(UnreadableSecret):
        Board.objects.get()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("broker")
def test_no_seed_stands_in_any_table_in_clear() -> None:
    """In everything that the database holds: no board's seed, none that it follows from, no record, no signing key."""
    match = drawn(**same_seed(boards=2))
    drive(slots=1, seconds=20)
    version = add_version(register_bot("Careful", anna()), "v1", "http://127.0.0.1:9001/")
    secrets = [SEED, bytes(version.secret), *(bytes(board.seed) for board in match.boards.all())]
    record = bytes(Party.objects.filter(match=match, status="finished").first().record_json)
    held = everything_stored()
    for secret in secrets:
        assert not [shape for shape in shapes(secret) if shape in held]
    assert b'"deck"' in record
    assert not [shape for shape in ("deck", b'"deck"'.hex(), record[:40].hex()) if shape in held]
    assert BotVersion.objects.get(pk=version.pk).secret == version.secret


def test_the_search_finds_what_is_in_clear() -> None:
    assert SEED.hex() in shapes(SEED)


def shapes(secret: bytes) -> list[str]:
    """How bytes could stand in a column: as they are (`bytea` shows hexadecimal), as text of them, in base64."""
    texts = (secret.hex(), b64encode(secret).decode().rstrip("="))
    return [shape for text in texts for shape in (text, text.encode().hex())]


def everything_stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        tables = [name for (name,) in cursor.fetchall()]
        rows: list[str] = []
        for table in tables:
            cursor.execute(f'SELECT held::text FROM "{table}" AS held')
            rows += [row for (row,) in cursor.fetchall()]
    assert len(rows) > 100
    return "\n".join(rows)
