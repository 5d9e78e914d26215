"""Where the schema of the API is served."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

WRITTEN: dict[str, bytes] = {}
"""By media type, as this process has made it: that takes seconds, and nothing that is asked changes it."""


class SchemaView(SpectacularAPIView):
    """The whole of it, for everybody, made once in a process."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *arguments: Any, **named: Any) -> HttpResponse:
        """As YAML or as JSON."""
        renderer = request.accepted_renderer
        if renderer.media_type not in WRITTEN:
            schema = SchemaGenerator().get_schema(request=None, public=True)
            WRITTEN[renderer.media_type] = renderer.render(schema)
        return HttpResponse(WRITTEN[renderer.media_type], content_type=renderer.media_type)
