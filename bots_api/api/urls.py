from django.urls import path, re_path

from bots_api.api import bots, challenges, elsewhere, logs, qualifications, versions, webhooks
from matches import converters  # noqa: F401  # registers <public_id:…>
from matches.api.problems import Nothing

VERSION = "versions/<public_id:version_id>"
CHALLENGE = "challenges/<public_id:challenge_id>"
WEBHOOK = "webhooks/<public_id:webhook_id>"

urlpatterns = [
    path("bots", bots.BotList.as_view(), name="api-bots"),
    path("bots/<public_id:bot_id>", bots.BotDetail.as_view(), name="api-bot"),
    path("bots/<public_id:bot_id>/versions", bots.VersionList.as_view(), name="api-versions"),
    path("bots/<path:other>", Nothing.as_view()),
    path(VERSION, versions.VersionDetail.as_view(), name="api-version"),
    path(f"{VERSION}/retire", versions.Retirement.as_view(), name="api-version-retire"),
    path(f"{VERSION}/accepting", versions.Accepting.as_view(), name="api-version-accepting"),
    path(f"{VERSION}/secret", versions.Secret.as_view(), name="api-version-secret"),
    path(f"{VERSION}/tokens", versions.PlayTokenList.as_view(), name="api-version-tokens"),
    path(f"{VERSION}/tokens/<public_id:token_id>", versions.PlayToken.as_view(), name="api-version-token"),
    path(f"{VERSION}/qualification", qualifications.VersionQualification.as_view(), name="api-version-qualification"),
    path(f"{VERSION}/deliveries", logs.DeliveryList.as_view(), name="api-version-deliveries"),
    path(f"{VERSION}/stats", logs.VersionStats.as_view(), name="api-version-stats"),
    path("versions/<path:other>", Nothing.as_view()),
    path("challenges", challenges.ChallengeList.as_view(), name="api-challenges"),
    path(CHALLENGE, challenges.ChallengeDetail.as_view(), name="api-challenge"),
    path(f"{CHALLENGE}/accept", challenges.Acceptance.as_view(), name="api-challenge-accept"),
    path(f"{CHALLENGE}/decline", challenges.Refusal.as_view(), name="api-challenge-decline"),
    path(f"{CHALLENGE}/cancel", challenges.Cancellation.as_view(), name="api-challenge-cancel"),
    path("challenges/<path:other>", Nothing.as_view()),
    path("webhooks", webhooks.WebhookList.as_view(), name="api-webhooks"),
    path(WEBHOOK, webhooks.WebhookOne.as_view(), name="api-webhook"),
    path(f"{WEBHOOK}/ping", webhooks.WebhookPing.as_view(), name="api-webhook-ping"),
    path(f"{WEBHOOK}/secret", webhooks.WebhookSecret.as_view(), name="api-webhook-secret"),
    path(f"{WEBHOOK}/deliveries", webhooks.SentList.as_view(), name="api-webhook-deliveries"),
    path(
        f"{WEBHOOK}/deliveries/<public_id:delivery_id>/again",
        webhooks.SentAgain.as_view(),
        name="api-webhook-delivery-again",
    ),
    path("webhooks/<path:other>", Nothing.as_view()),
    re_path(r"^(?:bot|decisions)/", elsewhere.Play.as_view()),
]
