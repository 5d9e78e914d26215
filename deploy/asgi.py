"""The ASGI application: what programs call, and everything else beside it.

An operator with many readers serves the pages by `deploy.wsgi` and the programs from here, joined in his proxy by path.
"""

from __future__ import annotations

import os
import sys
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

from deploy.embedded import die_with_parent_if_supervised

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

die_with_parent_if_supervised()
pages = get_wsgi_application()

from bots_api.pull.server.app import PATHS, app  # noqa: E402  # models need Django to be set up
from bots_api.pull.server.exchange import Receive, Scope, Send  # noqa: E402
from deploy.arriving import Whole  # noqa: E402

PAGE_THREADS = 8
TURN_SECONDS = 0.0005

# Pages are made by threads while the loop waits for its turn, with programs on the clock.
sys.setswitchinterval(TURN_SECONDS)
_everything_else = Whole(WSGIMiddleware(cast(Any, pages), workers=PAGE_THREADS))


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http" and not scope["path"].startswith(PATHS):
        await _everything_else(scope, receive, send)
    else:
        await app(scope, receive, send)
