from django.urls import path

from bots_api.web import views
from matches import converters  # noqa: F401  # registers <public_id:…>

urlpatterns = [
    path("b/<public_id:public_id>/", views.bot, name="bot"),
]
