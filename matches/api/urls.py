from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api import views
from matches.api.problems import Nothing

urlpatterns = [
    path("matches", views.MatchList.as_view(), name="api-matches"),
    path("matches/<public_id:match_id>", views.MatchDetail.as_view(), name="api-match"),
    path("matches/<path:other>", Nothing.as_view()),
    path("parties/<public_id:party_id>", views.PartyDetail.as_view(), name="api-party"),
    path("parties/<public_id:party_id>/record", views.PartyRecord.as_view(), name="api-party-record"),
    path("parties/<path:other>", Nothing.as_view()),
]
