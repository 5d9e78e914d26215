from django.urls import path, re_path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api import presets, views
from matches.api.problems import Nothing

urlpatterns = [
    path("matches", views.MatchList.as_view(), name="api-matches"),
    path("matches/<public_id:match_id>", views.MatchDetail.as_view(), name="api-match"),
    path("matches/<path:other>", Nothing.as_view()),
    path("parties/<public_id:party_id>", views.PartyDetail.as_view(), name="api-party"),
    path("parties/<public_id:party_id>/record", views.PartyRecord.as_view(), name="api-party-record"),
    path("parties/<path:other>", Nothing.as_view()),
    re_path(r"^presets/?$", presets.PresetList.as_view(), name="api-presets"),
    re_path(r"^presets/(?P<family>\w+)/(?P<table>\w+)/?$", presets.PresetDetail.as_view(), name="api-preset"),
    path("presets/<path:other>", Nothing.as_view()),
]
