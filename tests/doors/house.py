"""Who stands before the doors, and one of everything that is behind them.

Anna organises and has no right beyond that, Bohdan owns the things, Chrystyna has an account and nothing else, Dmytro
owns things of the same kinds, Olena is staff with every right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.contenttypes.models import ContentType
from django.test import Client

from bots_api.challenges.services import challenge
from bots_api.models import ApiToken, Bot, BotVersion, ChallengePolicy, WebhookDelivery, WebhookEvent
from bots_api.qualifying.services import ask_for
from bots_api.services import add_version, ping, register_bot
from bots_api.services.registering import change_bot
from bots_api.tokens import make_token
from bots_api.webhooks.services import add as add_webhook
from matches.core.plan import Length
from matches.lane import drive
from matches.models import AgentStatus, Match, Party, Player, User
from matches.permissions import Scope
from matches.services.saved_rules import save_rules
from matches.services.versions import set_status
from tests.cast import person
from tests.matches.drawn import drawn
from tests.matches.people import at_a_table
from tests.web.evening import NOBODY_LISTENS
from tests.web.hall import event, let_out, newest_round
from tournaments.models import Round, Tournament
from tournaments.services import running
from tournaments.services.publishing import publish

PEOPLE = ("nobody", "chrystyna", "dmytro", "bohdan", "anna", "olena")
"""The columns of the table: nobody, a user, an owner of other things, the owner, the organiser, staff."""
PLURALS = {"entry": "entries", "match": "matches", "party": "parties", "delivery": "deliveries"}
ACCOUNT_SCOPES = tuple(scope for scope in Scope if scope is not Scope.BOT_PLAY)


@dataclass(frozen=True, slots=True)
class House:
    """`keys`: what to write in an address, by the word that stands before it there."""

    people: dict[str, User]
    tokens: dict[str, str]
    bot: Bot
    version: BotVersion
    cup: Tournament
    draw: Round
    match: Match
    party: Party
    without_scope: dict[str, str]
    play_tokens: dict[str, str]
    keys: dict[str, str] = field(default_factory=dict)

    @property
    def there(self) -> dict[str, str]:
        """By the name of a path's parameter in the schema something that is there."""
        words = ("tournament", "entry", "round", "match", "party", "bot", "version", "challenge", "webhook", "delivery")
        return {f"{word}_id": self.keys[PLURALS.get(word, f"{word}s")] for word in words}

    def pages(self, who: str) -> Client:
        """A browser in which that person is logged in."""
        client = Client(raise_request_exception=False)
        if who in self.people:
            client.force_login(self.people[who])
        return client

    def headers(self, who: str) -> dict[str, str]:
        """What a program of that person's sends with its requests: a token with every scope of an account."""
        return {"Authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}


def hold_house() -> House:
    people = {name: person(name) for name in ("anna", "bohdan", "chrystyna", "dmytro")}
    people["olena"] = person("olena", is_staff=True, is_superuser=True)
    tokens = {name: make_token(user, "everything", ACCOUNT_SCOPES, 1)[1] for name, user in people.items()}
    version = _program("Bohdan's program", people["bohdan"])
    other = _program("Dmytro's program", people["dmytro"])
    cup, draw = _cup(people)
    house = House(
        people=people,
        tokens=tokens,
        bot=version.bot,
        version=version,
        cup=cup,
        draw=draw,
        without_scope=_without_scope(people["olena"]),
        play_tokens={"bohdan": _play_token(version), "dmytro": _play_token(other)},
        match=at_a_table("bohdan", "dmytro"),
        party=_played(),
    )
    house.keys.update(_keys(house) | _keys_of_programs(version, other))
    return house


def _play_token(version: BotVersion) -> str:
    owner = version.bot.player.owner
    assert owner is not None
    return make_token(owner, "play", [Scope.BOT_PLAY], 1, version)[1]


def _without_scope(owner: User) -> dict[str, str]:
    """The header with a token of his that is good for nothing."""
    token, text = make_token(owner, "nothing", ACCOUNT_SCOPES, 1)
    ApiToken.objects.filter(pk=token.pk).update(scopes=[])
    return {"Authorization": f"Bearer {text}"}


def _program(name: str, owner: User) -> BotVersion:
    version = add_version(register_bot(name, owner), "v1", NOBODY_LISTENS)
    set_status(version.agent_id, AgentStatus.ACTIVE)
    version.agent.refresh_from_db()
    return version


def _cup(people: dict[str, User]) -> tuple[Tournament, Round]:
    """A Swiss of people, Bohdan and Dmytro among them, whose first round is out."""
    row = event(
        ("swiss", {"settings": {"rounds": 3}}), auto_draw=False, owners=[people["bohdan"], people["dmytro"]], people=4
    )
    running.start(row.pk)
    draw = let_out(newest_round(row))
    publish(row.pk)
    return row, draw


def _played() -> Party:
    match = drawn(length=Length.BOARDS)
    drive(slots=1, seconds=60)
    return match.parties.get(number=1)


def _keys_of_programs(version: BotVersion, other: BotVersion) -> dict[str, str]:
    """A webhook of Bohdan's with something owed to it, a message that his program was sent, a challenge by it."""
    bohdan = version.bot.player.owner
    assert bohdan is not None
    webhook, _ = add_webhook(bohdan, "http://127.0.0.1:65535/hook", [WebhookEvent.MATCH_FINISHED])
    owed = WebhookDelivery.objects.create(webhook=webhook, event=WebhookEvent.MATCH_FINISHED, subject="m", body="{}")
    ask_for(version, bohdan)
    change_bot(other.bot, challenges=ChallengePolicy.ASK)
    return {
        "webhooks": webhook.public_id,
        "deliveries": owed.public_id,
        "challenges": challenge(bohdan, version.agent, [other.agent]).public_id,
        "messages/int": str(ping(version).pk),
        "number": "1",
    }


def _keys(house: House) -> dict[str, str]:
    bohdan = house.people["bohdan"]
    entry = house.cup.entries.filter(members__agent__player__owner=bohdan).get()
    of_cup = house.draw.pairings.filter(match__isnull=False).first()
    assert of_cup is not None
    return {
        "t": house.cup.slug,
        "tournaments": house.cup.public_id,
        "stages": "1",
        "standings": "1",
        "rounds": house.draw.public_id,
        "rounds/int": str(house.draw.number),
        "entries": entry.public_id,
        "own-entries": entry.public_id,
        "new": "swiss",
        "do": "pause",
        "files": "standings.csv",
        "m": house.match.public_id,
        "m/parties": house.party.match.public_id,
        "matches": of_cup.match.public_id,
        "parties": house.party.public_id,
        "parties/int": "1",
        "b": house.bot.public_id,
        "bots": house.bot.public_id,
        "v": house.version.agent.public_id,
        "versions": house.version.agent.public_id,
        "p": Player.objects.get(name="Bohdan").public_id,
        "mine": save_rules(bohdan, "Mine", "moscow/2", {}).public_id,
        "rules": "moscow",
        "presets": "moscow",
        "table": "2",
        "tokens": ApiToken.objects.get(owner=bohdan, name="everything").public_id,
        "other": "nothing/of/the/kind",
        "url": "nowhere/",
        "app_label": "matches",
        "content_type_id": str(ContentType.objects.get_for_model(Match).pk),
        "object_id": str(house.match.pk),
    }
