"""What the environment may say, and how a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import environment as env


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://u:p%40ss@db.example:5433/manela", ("manela", "u", "p@ss", "db.example", "5433")),
        ("postgresql:///manela?host=/run/pg&user=manela", ("manela", "manela", "", "/run/pg", "")),
        ("postgres://localhost", ("manela", "", "", "localhost", "")),
    ],
)
def test_a_database_url_is_read(monkeypatch: pytest.MonkeyPatch, url: str, expected: tuple[str, ...]) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    read = env.database()
    assert tuple(read[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")) == expected


def test_further_options_of_a_database_url_reach_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/manela?sslmode=require")
    assert env.database()["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("DATABASE_URL", "mysql://x", env.database),
        ("N", "many", lambda: env.whole_number("N", 1)),
        ("N", "-1", lambda: env.whole_number("N", 1)),
        ("N", "0", lambda: env.whole_number("N", 1, least=1)),
        ("S", "yes", lambda: env.switch("S", True)),
        ("FIELD_KEYS", "too-short", env.field_keys),
    ],
)
def test_a_mistake_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str, read) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        read()


def test_the_embedded_default_keeps_its_secrets_for_their_owner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MANELA_VAR", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = env.secret_key()
    assert env.secret_key() == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_on_the_open_net_no_secret_is_made_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MANELA_VAR", str(tmp_path))
    monkeypatch.setenv("MANELA_EMBEDDED", "off")
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.secret_key()
    assert not list(tmp_path.iterdir())
