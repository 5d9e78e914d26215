"""The Celery application: `celery -A deploy worker`."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("manela")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _end_with_the_worker(**_: object) -> None:
    """A pool child must not outlive a worker that was killed: it would go on playing beside its successor."""
    from deploy.embedded import die_with_parent

    die_with_parent()
