from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api.problems import Nothing
from tournaments.api import views

urlpatterns = [
    path("tournaments", views.TournamentList.as_view(), name="api-tournaments"),
    path("tournaments/<public_id:tournament_id>", views.TournamentDetail.as_view(), name="api-tournament"),
    path("tournaments/<public_id:tournament_id>/standings", views.Standings.as_view(), name="api-standings"),
    path("tournaments/<public_id:tournament_id>/rounds", views.RoundList.as_view(), name="api-rounds"),
    path("tournaments/<path:other>", Nothing.as_view()),
]
