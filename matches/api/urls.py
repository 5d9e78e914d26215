from django.urls import path

from matches.api import views

urlpatterns = [
    path("matches", views.MatchList.as_view(), name="api-matches"),
    path("matches/<str:match_id>", views.MatchDetail.as_view(), name="api-match"),
    path("parties/<str:party_id>", views.PartyDetail.as_view(), name="api-party"),
    path("parties/<str:party_id>/record", views.PartyRecord.as_view(), name="api-party-record"),
]
