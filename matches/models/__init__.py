"""Rows of the matches room."""

from matches.models.answers import KeptAnswer
from matches.models.match import Board, EventKind, Game, Match, MatchSeat, Party, PartyEvent
from matches.models.outbox import Outbox, OutboxKind
from matches.models.people import Agent, AgentStatus, Player, PlayerKind, User
from matches.models.report import ReportKind, ReportStatus, ScoreReport
from matches.models.result import Result, ResultKind, ResultSeat
from matches.models.saved_rules import SavedRules

__all__ = [
    "Agent",
    "AgentStatus",
    "Board",
    "EventKind",
    "Game",
    "KeptAnswer",
    "Match",
    "MatchSeat",
    "Outbox",
    "OutboxKind",
    "Party",
    "PartyEvent",
    "Player",
    "PlayerKind",
    "ReportKind",
    "ReportStatus",
    "Result",
    "ResultKind",
    "ResultSeat",
    "SavedRules",
    "ScoreReport",
    "User",
]
