from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.settings import api_settings

LONGEST_KEY = 19
"""Digits of the greatest primary key."""


class NewestFirst(CursorPagination):
    """Cursor pagination by creation, newest first; `page_size` up to 200."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    ordering = "-id"

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: Any = None) -> list[Any] | None:
        """Names every parameter that the list does not know, as bodies have their fields named."""
        filters = getattr(view, "filterset_class", None)
        known = [self.cursor_query_param, self.page_size_query_param, *(filters.base_filters if filters else ())]
        if unknown := sorted(set(request.query_params) - {*known, api_settings.URL_FORMAT_OVERRIDE}):
            told = f"No such parameter. There are: {', '.join(known)}."
            raise ValidationError(dict.fromkeys(unknown, told), "unknown_field")
        return super().paginate_queryset(queryset, request, view)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The base class compares whatever the cursor says with the key; here it has to be one (404 otherwise)."""
        cursor = super().decode_cursor(request)
        place = cursor.position if cursor else None
        if place is not None and not (place.isascii() and place.isdigit() and len(place) <= LONGEST_KEY):
            raise NotFound(self.invalid_cursor_message)
        return cursor
