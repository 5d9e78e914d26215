"""What the suite's own fixtures promise: a test database on a server of this session, and a broker beside it."""

from __future__ import annotations

import subprocess
import sys

import psycopg
import pytest
import redis
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from deploy.celery import app as celery_app
from deploy.embedded.paths import PROJECT


@pytest.mark.django_db
def test_the_database_is_the_test_one() -> None:
    assert str(connection.settings_dict["NAME"]).startswith("test_")
    assert ContentType.objects.count() > 0


@pytest.mark.django_db(transaction=True)
def test_child_env_leads_programs_to_the_test_database(child_env: dict[str, str]) -> None:
    with psycopg.connect(child_env["DATABASE_URL"]) as session:
        assert session.execute("SELECT current_database()").fetchone() == (connection.settings_dict["NAME"],)


@pytest.mark.django_db(transaction=True)
def test_programs_see_what_a_test_has_committed(child_env: dict[str, str]) -> None:
    ContentType.objects.create(app_label="seen", model="outside")
    code = (
        "import django; django.setup()\n"
        "from django.contrib.contenttypes.models import ContentType\n"
        "print(ContentType.objects.filter(app_label='seen').count())"
    )
    child = subprocess.run(
        [sys.executable, "-c", code], env=child_env, cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert child.stdout == "1\n"


@pytest.mark.parametrize("time", ["first", "second"])
def test_the_broker_is_empty_and_celery_publishes_to_it(broker: dict[str, str], time: str) -> None:
    with redis.Redis.from_url(broker["REDIS_URL"]) as client:
        assert client.llen("hints") == 0, time
        celery_app.send_task("hint", queue="hints")
        assert client.llen("hints") == 1
