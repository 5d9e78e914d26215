"""What an organiser does on the site."""

from django.urls import path

from tournaments.organising import changing, correcting, desk, importing, planning, stages, views

urlpatterns = [
    path("t/new/", views.new, name="tournament-new"),
    path("t/<slug:slug>/edit/", views.edit, name="tournament-edit"),
    path("t/<slug:slug>/stages/", stages.chain, name="tournament-stages"),
    path("t/<slug:slug>/stages/new/<slug:name>/", stages.add, name="stage-new"),
    path("t/<slug:slug>/stages/<int:number>/edit/", stages.change, name="stage-edit"),
    path("t/<slug:slug>/stages/<int:number>/remove/", stages.remove, name="stage-remove"),
    path("t/<slug:slug>/desk/", desk.desk, name="tournament-desk"),
    path("t/<slug:slug>/desk/log/", desk.log, name="tournament-log"),
    path("t/<slug:slug>/desk/enter/", desk.enter, name="desk-enter"),
    path("t/<slug:slug>/desk/import/", importing.upload, name="desk-import"),
    path("t/<slug:slug>/desk/do/<slug:verb>/", desk.do, name="desk-do"),
    path("t/<slug:slug>/desk/rounds/<slug:public_id>/change/", changing.change, name="round-change"),
    path("t/<slug:slug>/desk/rounds/<slug:public_id>/time/", planning.plan, name="round-time"),
    path("t/<slug:slug>/desk/rounds/<slug:public_id>/do/<slug:verb>/", desk.do_round, name="round-do"),
    path("t/<slug:slug>/desk/entries/<slug:public_id>/substitute/", desk.substitute, name="entry-substitute"),
    path("t/<slug:slug>/desk/entries/<slug:public_id>/do/<slug:verb>/", desk.do_entry, name="entry-do"),
    path("t/<slug:slug>/desk/matches/<slug:match_id>/", correcting.correct, name="match-correct"),
    path("t/<slug:slug>/desk/matches/<slug:match_id>/annul/", correcting.annul, name="match-annul"),
]
