"""What the environment says, read once and checked; every mistake names the variable and what it should be."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
NO_SERVER = "postgresql:///manela?host=/nonexistent"


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def whole_number(name: str, default: int, least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}: expected a whole number, at least {least}.")
    return int(value)


def switch(name: str, default: bool) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value not in {"on", "off"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: expected on or off.")
    return value == "on"


def var_folder() -> Path:
    """Where sockets, keys and logs of this installation lie (`MANELA_VAR`, else `var/` in the project)."""
    return Path(text("MANELA_VAR", str(ROOT / "var")))


def folder(name: str) -> Path:
    """A folder inside the var folder, there once this returns."""
    path = var_folder() / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def database(name: str = "DATABASE_URL") -> dict[str, object]:
    """Django's settings for the PostgreSQL of a URL: `postgresql://user:password@host:port/name?option=value`."""
    url = urlsplit(text(name, NO_SERVER))
    if url.scheme not in {"postgresql", "postgres"}:
        raise ImproperlyConfigured(f"{name} has the scheme {url.scheme!r}: expected postgresql://user@host/database.")
    options = {key: values[-1] for key, values in parse_qs(url.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")) or "manela",
        "USER": unquote(url.username or "") or options.pop("user", ""),
        "PASSWORD": unquote(url.password or "") or options.pop("password", ""),
        "HOST": url.hostname or options.pop("host", ""),
        "PORT": str(url.port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": whole_number("DATABASE_CONN_MAX_AGE", 600),
        "CONN_HEALTH_CHECKS": True,
    }


def secret_from_file(variable: str, file_name: str, make) -> str:
    """A secret from the environment; the embedded default keeps one of its own in the var folder, mode 600."""
    given = text(variable)
    if given:
        return given
    if not switch("MANELA_EMBEDDED", True):
        raise ImproperlyConfigured(f"{variable} is not set. With MANELA_EMBEDDED=off every secret must be given.")
    path = var_folder() / file_name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        secret: str = make()
        file.write(secret)
    return secret


def secret_key() -> str:
    return secret_from_file("SECRET_KEY", "secret_key", lambda: secrets.token_urlsafe(48))


def field_keys() -> list[str]:
    """Fernet keys for the encrypted columns, newest first (`FIELD_KEYS`, comma-separated)."""
    keys = secret_from_file("FIELD_KEYS", "field_keys", lambda: Fernet.generate_key().decode()).split(",")
    for key in keys:
        try:
            Fernet(key.strip())
        except ValueError as error:
            raise ImproperlyConfigured(
                "FIELD_KEYS holds something that is no Fernet key: expected 32 url-safe base64 bytes each."
            ) from error
    return [key.strip() for key in keys]
