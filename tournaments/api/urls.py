from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api.problems import Nothing
from tournaments.api import entries, files, own_entries, results, stages, tournaments, views

ONE = "tournaments/<public_id:tournament_id>"
ENTRY = f"{ONE}/entries/<public_id:entry_id>"
OWN = f"{ONE}/own-entries"
STAGE = f"{ONE}/stages/<int:number>"
ROUND = f"{ONE}/rounds/<public_id:round_id>"
MATCH = f"{ONE}/matches/<public_id:match_id>"

urlpatterns = [
    path("tournaments", views.TournamentList.as_view(), name="api-tournaments"),
    path("tournaments/document", files.TournamentDocument.as_view(), name="api-tournament-document"),
    path(ONE, views.TournamentDetail.as_view(), name="api-tournament"),
    path(f"{ONE}/standings", views.Standings.as_view(), name="api-standings"),
    path(f"{ONE}/rounds", views.RoundList.as_view(), name="api-rounds"),
    *(path(f"{ONE}/{name}", view.as_view(), name=f"api-tournament-{name}") for name, view in tournaments.ACTS.items()),
    path(f"{ONE}/files/<str:name>", files.TournamentFile.as_view(), name="api-tournament-file"),
    path(f"{ONE}/entries", entries.EntryList.as_view(), name="api-entries"),
    path(f"{ONE}/people", entries.PersonList.as_view(), name="api-people"),
    path(f"{ONE}/seeds", entries.Seeds.as_view(), name="api-seeds"),
    path(ENTRY, entries.EntryOne.as_view(), name="api-entry"),
    *(path(f"{ENTRY}/{name}", view.as_view(), name=f"api-entry-{name}") for name, view in entries.ACTS.items()),
    path(OWN, own_entries.OwnEntryList.as_view(), name="api-own-entries"),
    path(f"{OWN}/<public_id:entry_id>", own_entries.OwnEntryOne.as_view(), name="api-own-entry"),
    *(
        path(f"{OWN}/<public_id:entry_id>/{name}", view.as_view(), name=f"api-own-entry-{name}")
        for name, view in own_entries.ACTS.items()
    ),
    path(f"{ONE}/troubles", stages.WhyNot.as_view(), name="api-troubles"),
    path(f"{ONE}/stages", stages.StageList.as_view(), name="api-stages"),
    path(STAGE, stages.StageOne.as_view(), name="api-stage"),
    path(f"{ONE}/events", views.EventList.as_view(), name="api-events"),
    path(f"{STAGE}/explanation", views.Explanation.as_view(), name="api-explanation"),
    path(f"{STAGE}/proposal", stages.Proposal.as_view(), name="api-proposal"),
    path(ROUND, stages.RoundOne.as_view(), name="api-round"),
    path(f"{ROUND}/tables", stages.RoundTables.as_view(), name="api-round-tables"),
    path(f"{ROUND}/check", stages.RoundCheck.as_view(), name="api-round-check"),
    path(f"{ROUND}/times", stages.RoundTimes.as_view(), name="api-round-times"),
    path(f"{ROUND}/confirmation", stages.RoundConfirm.as_view(), name="api-round-confirm"),
    path(f"{ROUND}/release", stages.RoundRelease.as_view(), name="api-round-release"),
    path(f"{ROUND}/withdrawal", stages.RoundTakeBack.as_view(), name="api-round-take-back"),
    path(f"{MATCH}/result", results.MatchResult.as_view(), name="api-match-result"),
    path(f"{MATCH}/reports", results.MatchReports.as_view(), name="api-match-reports"),
    path(f"{MATCH}/correction", results.Correction.as_view(), name="api-correction"),
    path(f"{MATCH}/correction/preview", results.CorrectionPreview.as_view(), name="api-correction-preview"),
    path(f"{MATCH}/annulment", results.Annulment.as_view(), name="api-annulment"),
    path(f"{MATCH}/replay", results.Replay.as_view(), name="api-replay"),
    path("venues", views.VenueList.as_view(), name="api-venues"),
    path("tournaments/<path:other>", Nothing.as_view()),
]
