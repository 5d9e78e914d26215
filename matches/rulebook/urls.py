from django.urls import path

from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.rulebook import views

urlpatterns = [
    path("rules/", views.index, name="rules"),
    path("rules/mine/", views.mine, name="rules-mine"),
    path("rules/mine/new/", views.mine_new, name="rules-mine-new"),
    path("rules/mine/<public_id:public_id>/", views.mine_edit, name="rules-mine-edit"),
    path("rules/mine/<public_id:public_id>/delete/", views.mine_delete, name="rules-mine-delete"),
    path("rules/<slug:family>/<slug:table>/", views.preset, name="rules-preset"),
]
