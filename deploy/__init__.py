"""Where the parts are joined: settings, addresses, Celery, pages that belong to no room."""

from deploy.celery import app as celery_app

__all__ = ["celery_app"]
