"""The WSGI application for pages and the ordinary API."""

import os

from django.core.wsgi import get_wsgi_application

from deploy.embedded import die_with_parent_if_supervised

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

die_with_parent_if_supervised()
application = get_wsgi_application()
