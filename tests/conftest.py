"""Servers for the whole suite: real ones, fresh, started when the first test asks for them.

A test with the `django_db` mark has PostgreSQL; one that asks for `broker` has Valkey as well; one that starts
programs of ours gives them `child_env`. With DATABASE_URL or BROKER_URL set, those servers are used instead.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase, override_settings

from deploy import environment
from deploy.celery import app as celery_app
from deploy.embedded import EmbeddedPostgres, EmbeddedValkey
from tests import quicker


@pytest.fixture(scope="session", autouse=True)
def _quicker() -> Iterator[None]:
    hasher = f"{quicker.__name__}.{quicker.QuickScryptHasher.__name__}"
    with override_settings(PASSWORD_HASHERS=[hasher]), pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", quicker.empty_after)
        yield


@pytest.fixture(scope="session")
def servers_dir() -> Iterator[Path]:
    """A folder for this test process's servers, with a name short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="manela-test-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def database_url(servers_dir: Path) -> Iterator[str]:
    """The server that the test database is made on: `DATABASE_URL`, or a fresh cluster of this test process's own."""
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    with EmbeddedPostgres(servers_dir / "postgres", fast=True) as postgres, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", postgres.url)
        yield postgres.url


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None, database_url: str) -> None:
    """Point Django at the server before the test database is made.

    In place: the settings were read, and the connection made from them, before any fixture could run.
    """
    chosen = environment.database()
    default = settings.DATABASES["default"]
    default.update({key: value for key, value in chosen.items() if key not in {"TEST", "ENGINE"}})
    connection.settings_dict.update({key: default[key] for key in chosen})


@pytest.fixture(scope="session")
def broker_urls(servers_dir: Path) -> Iterator[dict[str, str]]:
    """BROKER_URL and REDIS_URL of this session's Valkey, or those given. Tests ask for `broker`."""
    if os.environ.get("BROKER_URL"):
        yield {key: os.environ[key] for key in ("BROKER_URL", "REDIS_URL") if key in os.environ}
        return
    with EmbeddedValkey(servers_dir / "valkey", fast=True) as valkey, pytest.MonkeyPatch.context() as patch:
        urls = {"BROKER_URL": valkey.broker_url, "REDIS_URL": valkey.redis_url}
        for key, url in urls.items():
            patch.setenv(key, url)
        patch.setattr(settings, "HINTS_URL", valkey.redis_url)
        _point_celery_at(valkey.broker_url)
        yield urls
        _point_celery_at(settings.CELERY_BROKER_URL)


@pytest.fixture
def broker(broker_urls: dict[str, str]) -> dict[str, str]:
    """A broker that answers and, where it is our own, holds nothing from the test before."""
    if "REDIS_URL" in broker_urls and broker_urls["REDIS_URL"].startswith("unix:"):
        with redis.Redis.from_url(broker_urls["REDIS_URL"]) as client:
            client.flushall()
    return broker_urls


@pytest.fixture(scope="session")
def session_env(django_db_setup: None, database_url: str, broker_urls: dict[str, str]) -> dict[str, str]:
    """`child_env` for a program that outlives one test."""
    address, mark, options = database_url.partition("?")
    server = address.rpartition("/")[0]
    url = f"{server}/{connection.settings_dict['NAME']}{mark}{options}"
    return {**os.environ, **broker_urls, "DATABASE_URL": url}


@pytest.fixture
def child_env(session_env: dict[str, str], broker: dict[str, str]) -> dict[str, str]:
    """The environment for programs of ours that a test starts: the *test* database, and the broker.

    They see what is committed only, so such a test is marked `django_db(transaction=True)`.
    """
    return dict(session_env)


def _point_celery_at(url: str) -> None:
    """Let this process's Celery publish to another broker; its pools still lead to the one of the settings."""
    celery_app.conf.broker_url = url
    celery_app._after_fork()
