from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from tournaments.web import calendars, entry_views, files, list_views, round_views, views

urlpatterns = [
    path("t/import/", files.take_in, name="tournament-import"),  # before the pages: no tournament is called so
    path("t/", list_views.tournaments, name="tournaments"),
    path("t/<slug:slug>/", views.tournament, name="tournament"),
    path("t/<slug:slug>/live/", views.live, name="tournament-live"),
    path("t/<slug:slug>/calendar.ics", calendars.of_tournament, name="tournament-calendar"),
    path("p/<public_id:public_id>/calendar.ics", calendars.of_player, name="player-calendar"),
    path("t/<slug:slug>/rounds/", round_views.rounds, name="tournament-rounds"),
    path("t/<slug:slug>/rounds/<int:number>/", round_views.draw, name="tournament-round"),
    path("t/<slug:slug>/stages/<int:stage>/rounds/<int:number>/", round_views.draw, name="tournament-stage-round"),
    path("t/<slug:slug>/entries/", entry_views.entries, name="tournament-entries"),
    path("t/<slug:slug>/entries/<slug:public_id>/", entry_views.entry, name="tournament-entry"),
    path("t/<slug:slug>/files/<str:name>", files.export, name="tournament-file"),
    path("t/<slug:slug>/standings/<int:number>/", views.snapshot, name="tournament-standings"),
]
