"""The API under /api/v1/: each room's own addresses, the schema and its page."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from matches.api.problems import Nothing
from matches.api.schema_view import SchemaView

# The page's own library writes style elements; scripts stay as strict as everywhere.
api_page = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view(url_name="api-schema"))

urlpatterns = [
    path("", api_page, name="api-page"),
    path("schema/", SchemaView.as_view(), name="api-schema"),
    path("", include("matches.api.urls")),
    path("", include("bots_api.api.urls")),
    path("", include("tournaments.api.urls")),
    re_path(r"[\s\S]+", Nothing.as_view()),  # a line break too, which `path` has no word for
]
