from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.web import views

urlpatterns = [
    path("m/<public_id:public_id>/", views.match, name="match"),
    path("m/<public_id:public_id>/parties/<int:number>/", views.replay, name="replay"),
]
