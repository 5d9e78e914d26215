from django.urls import path

from bots_api.api import views
from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api.problems import Nothing

urlpatterns = [
    path("bots", views.BotList.as_view(), name="api-bots"),
    path("bots/<public_id:bot_id>", views.BotDetail.as_view(), name="api-bot"),
    path("bots/<path:other>", Nothing.as_view()),
]
