"""The settings as an installation on the open net has them, and as the embedded default has them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

from bots_api.asking import FREE_CONNECTING_MS
from deploy.embedded.paths import PROJECT
from matches.core.clocks import CLOCKS

OPEN_NET = {
    "MANELA_EMBEDDED": "off",
    "DATABASE_URL": "postgresql://manela@db.example.org/manela",
    "BROKER_URL": "redis://broker.example.org/0",
    "PUBLIC_URL": "https://manela.example.org",
    "ALLOWED_HOSTS": "manela.example.org",
    "SECRET_KEY": "x" * 50,
    "FIELD_KEYS": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
}
SHOW = "import json; from deploy import settings as s; print(json.dumps({k: getattr(s, k) for k in %r}, default=str))"


def read(var: Path, variables: dict[str, str], *names: str) -> subprocess.CompletedProcess[str]:
    """The settings of a fresh process that knows these variables alone."""
    return subprocess.run(
        [sys.executable, "-c", SHOW % (names,)],
        cwd=PROJECT,
        env={"MANELA_VAR": str(var), **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_on_the_open_net_with_everything_said(tmp_path: Path) -> None:
    run = read(tmp_path, OPEN_NET, "DEBUG", "SECURE_SSL_REDIRECT", "SECURE_HSTS_PRELOAD", "PUSH_ALLOW_LOOPBACK")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "DEBUG": False,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_PRELOAD": False,
        "PUSH_ALLOW_LOOPBACK": False,
    }


@pytest.mark.parametrize("name", [name for name in OPEN_NET if name != "MANELA_EMBEDDED"])
def test_on_the_open_net_nothing_is_guessed(tmp_path: Path, name: str) -> None:
    said = read(tmp_path, {key: value for key, value in OPEN_NET.items() if key != name}).stderr
    assert f"ImproperlyConfigured: {name} is not set. With MANELA_EMBEDDED=off" in said


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SECRET_KEY", "x" * 49, "SECRET_KEY has 49 characters: expected at least 50"),
        ("DEBUG", "on", "DEBUG is on: with MANELA_EMBEDDED=off it must be off"),
    ],
)
def test_on_the_open_net_what_is_not_safe_is_refused(tmp_path: Path, name: str, value: str, words: str) -> None:
    assert words in read(tmp_path, {**OPEN_NET, name: value}).stderr
    assert read(tmp_path, {name: value}).returncode == 0


def test_only_english_until_there_are_catalogues(tmp_path: Path) -> None:
    assert json.loads(read(tmp_path, {}, "LANGUAGES").stdout) == {"LANGUAGES": [["en", "English"]]}


@pytest.mark.parametrize("lane_seconds", ["20", "300"])
def test_limits_of_a_task_leave_room_for_the_longest_decision_of_a_program(tmp_path: Path, lane_seconds: str) -> None:
    names = ("CELERY_TASK_SOFT_TIME_LIMIT", "CELERY_TASK_TIME_LIMIT", "CELERY_BROKER_TRANSPORT_OPTIONS")
    told = json.loads(read(tmp_path, {"MATCH_LANE_SECONDS": lane_seconds}, *names).stdout)
    soft, hard, transport = (told[name] for name in names)
    hard_ms = max(rules.budget_ms + rules.bank_ms + rules.grace_ms for rules in CLOCKS.values())
    longest_ms = hard_ms + FREE_CONNECTING_MS
    assert int(lane_seconds) + longest_ms / 1_000 + 20 < soft < hard < transport["visibility_timeout"]


@pytest.mark.django_db
@override_settings(SECURE_SSL_REDIRECT=True)
def test_healthz_is_answered_without_https(client: Client) -> None:
    assert settings.SECURE_REDIRECT_EXEMPT
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 301
