from bots_api.models.bots import PULL, PUSH, Bot, BotVersion, ChallengePolicy, QuarantinedBy, VersionHealth
from bots_api.models.challenges import Challenge, ChallengeSeat, ChallengeStatus, SeatAnswer
from bots_api.models.mailbox import DecisionState, Presence, PullDecision, PullNotice, PullServer
from bots_api.models.messages import Delivery, MessageCounter, MessageType
from bots_api.models.qualifying import CaseOutcome, Qualification, QualificationCase, QualificationStatus
from bots_api.models.tokens import ApiToken
from bots_api.models.webhooks import PING, Webhook, WebhookDelivery, WebhookEvent

__all__ = [
    "PING",
    "PULL",
    "PUSH",
    "ApiToken",
    "Bot",
    "BotVersion",
    "CaseOutcome",
    "Challenge",
    "ChallengePolicy",
    "ChallengeSeat",
    "ChallengeStatus",
    "DecisionState",
    "Delivery",
    "MessageCounter",
    "MessageType",
    "Presence",
    "PullDecision",
    "PullNotice",
    "PullServer",
    "Qualification",
    "QualificationCase",
    "QualificationStatus",
    "QuarantinedBy",
    "SeatAnswer",
    "VersionHealth",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
]
