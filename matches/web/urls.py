from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.reporting import views as reporting
from matches.web import views

urlpatterns = [
    path("m/<public_id:public_id>/", views.match, name="match"),
    path("m/<public_id:public_id>/report/", reporting.report, name="match-report"),
    path("m/<public_id:public_id>/confirm/", reporting.confirm, name="match-confirm"),
    path("m/<public_id:public_id>/withdraw/", reporting.withdraw, name="match-withdraw"),
    path("m/<public_id:public_id>/rule/", reporting.rule, name="match-rule"),
    path("m/<public_id:public_id>/parties/<int:number>/", views.replay, name="replay"),
]
