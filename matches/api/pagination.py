from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    """Cursor pagination by creation, newest first; `page_size` up to 200."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    ordering = "-id"
