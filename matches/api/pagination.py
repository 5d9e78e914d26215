from __future__ import annotations

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

LONGEST_KEY = 19
"""Digits of the greatest primary key."""


class NewestFirst(CursorPagination):
    """Cursor pagination by creation, newest first; `page_size` up to 200."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The base class compares whatever the cursor says with the key; here it has to be one (404 otherwise)."""
        cursor = super().decode_cursor(request)
        place = cursor.position if cursor else None
        if place is not None and not (place.isascii() and place.isdigit() and len(place) <= LONGEST_KEY):
            raise NotFound(self.invalid_cursor_message)
        return cursor
