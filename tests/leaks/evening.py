"""An evening of programs that play by a script and stop in the middle of it, so that everybody can be asked.

Bohdan has a program that is called and one that calls, Dmytro has one of each; Anna organises, Chrystyna looks on.
Bohdan has challenged Dmytro, and a site of his is told the news.
The same seed gives the same parties; which packs are dealt is the world's.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from django.db import connection

from bots_api.challenges.services import challenge
from bots_api.models import (
    BotVersion,
    Challenge,
    ChallengePolicy,
    ChallengeSeat,
    ChallengeStatus,
    SeatAnswer,
    Webhook,
    WebhookEvent,
)
from bots_api.services import add_version, register_bot
from bots_api.tokens import make_token
from bots_api.webhooks import services as webhooks
from engine import PartySetup
from matches.lane import drive
from matches.models import Agent, AgentStatus, Match, Party, User
from matches.permissions import Scope
from matches.services.versions import set_status
from tests.cast import SEED, person
from tests.doors.house import ACCOUNT_SCOPES
from tests.leaks.worlds import Story, key, other_pack, story, text_of
from tests.pull_program import PullProgram
from tests.rogues.program import Exchange, Program
from tournaments.models import Tournament
from tournaments.services import entries, running

HELD_WITHIN_S = 120
LANE_S = 200
SETTLES_S = 0.6
"""After that the delivery log of what was last answered is written."""
WAITS_S = 0.01
Place = tuple[int, int]
"""A match's number, from 1 in the order of the draw, and a party's in it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and by how many programs: so few that each one's log is shown on one page."""

    rules: str = "moscow/2"
    programs: int = 3
    seed: bytes = SEED
    overrides: Mapping[str, object] = field(default_factory=dict)


class Script:
    """What the programs of an evening do: each story as far as it goes, then nothing until they are let go on."""

    def __init__(self, stories: Mapping[tuple[str, int], Story]) -> None:
        self._stories = stories
        self.goes_on = threading.Event()
        self.holding: set[str] = set()

    def action(self, decision: Mapping[str, object]) -> str | None:
        """None: at the end of the story. By then the match waits, with everything that can be seen of it."""
        if self.goes_on.is_set():
            return str(decision["default"])
        told = self._stories[str(decision["match"]), int(str(decision["party"]))]
        ply = int(str(decision["ply"]))
        if ply < len(told.actions):
            return told.actions[ply]
        self.holding.add(str(decision["match"]))
        return None

    async def replies(self, exchange: Exchange) -> None:
        """A pushed program: it keeps the platform waiting where the story ends."""
        message = exchange.message
        if message["type"] != "decision":
            return await exchange.reply_json({"challenge": message.get("challenge")})
        while (action := self.action(message)) is None:
            await asyncio.sleep(WAITS_S)
        return await exchange.reply_json({"action": action, "note": "as it is written"})


@dataclass(frozen=True, slots=True)
class Evening:
    """Everything that can be asked about. `pushed`, `pulling`: programs, by the key of their version's agent.

    `site`: where the webhook leads.
    """

    people: dict[str, User]
    tokens: dict[str, str]
    cup: Tournament
    versions: tuple[BotVersion, ...]
    play_tokens: dict[int, str]
    matches: tuple[Match, ...]
    stories: Mapping[Place, Story]
    pushed: Mapping[int, Program]
    pulling: Mapping[int, PullProgram]
    challenge: Challenge
    webhook: Webhook
    site: Program

    def owner_of(self, version: BotVersion) -> str:
        owner = version.bot.player.owner
        assert owner is not None
        return owner.username

    def seats_of(self, owner: str, place: Place) -> tuple[int, ...]:
        """The seats of a party at which programs of that owner sit."""
        party = self.matches[place[0] - 1].parties.get(number=place[1])
        own = {version.agent_id for version in self.versions if self.owner_of(version) == owner}
        return tuple(game.seat for game in party.games.select_related("match_seat") if game.match_seat.agent_id in own)

    def other_decks(self, owner: str) -> dict[str, str]:
        """Another pack for every deal of which something is hidden from that owner; from the public without one.

        Exposures of a board whose suits are relabelled alike have one pack: those stay as they are.
        """
        rng, found = random.Random(f"another world of {owner}"), {}
        packs = {place: self._pack(place, told) for place, told in self.stories.items()}
        for place, told in self.stories.items():
            deck = other_pack(told, self.seats_of(owner, place) if owner else (), rng)
            if deck is not None and Counter(packs.values())[packs[place]] == 1:
                found[packs[place]] = text_of(deck)
        return found

    def _pack(self, place: Place, told: Story) -> str:
        party = self.matches[place[0] - 1].parties.get(number=place[1])
        return key(bytes(party.board.seed), told.table.deal.number, party.suits)


@contextmanager
def held_evening(
    terms: Terms, base_url: str, stories: Mapping[Place, Story] | None = None
) -> Iterator[tuple[Evening, Callable[[], None]]]:
    """Plays until every match waits in the middle of its story; the function plays everything to its end.

    `stories`: those of another world, which are told here again; without them they are made up.
    """
    people = {name: person(name) for name in ("anna", "bohdan", "dmytro", "chrystyna")}
    with ExitStack() as running_:
        script = Script({})
        owners = [people["bohdan"], people["dmytro"]] * 2
        pushed = [running_.enter_context(Program(script.replies)) for _ in range(2)]
        urls = [pushed[0].url, "", "", pushed[1].url][: terms.programs]
        versions = tuple(_version(number, owners[number], url) for number, url in enumerate(urls))
        site = running_.enter_context(Program(_takes_note))
        webhook, _ = webhooks.add(people["bohdan"], site.url, list(WebhookEvent))
        cup = _cup(people["anna"], versions, terms)
        matches = tuple(Match.objects.filter(pairing__round__stage__tournament=cup).order_by("pairing"))
        stories = _stories(matches) if stories is None else stories
        script._stories = {(matches[match - 1].public_id, party): told for (match, party), told in stories.items()}
        tokens = _play_tokens(versions)
        pulling = {agent: PullProgram(base_url, text, script.action) for agent, text in tokens.items()}
        lane = threading.Thread(target=_drive, daemon=True)
        evening = Evening(
            people=people,
            tokens={name: make_token(user, "everything", ACCOUNT_SCOPES, 1)[1] for name, user in people.items()},
            cup=cup,
            versions=versions,
            play_tokens=tokens,
            matches=matches,
            stories=stories,
            pushed={one.agent_id: program for one, program in zip([versions[0], *versions[3:]], pushed, strict=False)},
            pulling=pulling,
            challenge=_challenge(versions, matches[0]),
            webhook=webhook,
            site=site,
        )
        listening = running_.enter_context(ExitStack())
        for program in pulling.values():
            listening.enter_context(program)

        def play_out() -> None:
            listening.close()  # those that come have not heard what these left unanswered
            script.goes_on.set()
            for text in tokens.values():
                listening.enter_context(PullProgram(base_url, text, script.action))
            lane.join(LANE_S)

        lane.start()
        webhooks.deliver_due()
        _wait_until_held(script, matches)
        yield evening, play_out
        script.goes_on.set()


def _version(number: int, owner: User, url: str) -> BotVersion:
    bot = register_bot(f"Program {number + 1}", owner, challenges=ChallengePolicy.ASK)
    version = add_version(bot, "v1", url, secret=bytes([number]) * 32)
    set_status(version.agent_id, AgentStatus.ACTIVE)
    Agent.objects.filter(pk=version.agent_id).update(is_ready=True)
    version.agent.refresh_from_db()
    return version


async def _takes_note(exchange: Exchange) -> None:
    await exchange.reply(status=204)


def _challenge(versions: tuple[BotVersion, ...], match: Match) -> Challenge:
    """One that led to that match: a match drawn by a challenge has cards that no other world would have."""
    made = challenge(versions[0].bot.player.owner, versions[0].agent, [versions[1].agent])
    ChallengeSeat.objects.filter(challenge=made).update(answer=SeatAnswer.ACCEPTED)
    Challenge.objects.filter(pk=made.pk).update(status=ChallengeStatus.ACCEPTED, match=match)
    return made


def _cup(anna: User, versions: tuple[BotVersion, ...], terms: Terms) -> Tournament:
    """Everybody against everybody, one board of one deal, from a seed that is given."""
    plan = {
        "rules": terms.rules,
        "overrides": dict(terms.overrides),
        "boards": 1,
        "deals": 1,
        "control": "human",
    }
    cup = Tournament.objects.create(slug="cup", name="Cup", organiser=anna, lots_seed=bytes(32), **plan)
    entries.open_registration(cup.pk)
    for version in versions:
        entries.enter(cup.pk, version.agent)
    running.start(cup.pk, terms.seed)
    cup.refresh_from_db()
    return cup


def _stories(matches: tuple[Match, ...]) -> dict[Place, Story]:
    """One match stops in its first party, the next in its second, and so on."""
    stories: dict[Place, Story] = {}
    for number, match in enumerate(matches, start=1):
        last = 1 + number % match.parties.count()
        for party in match.parties.filter(number__lte=last).select_related("board", "match").order_by("number"):
            rng = random.Random(f"{number} {party.number}")
            stories[number, party.number] = story(_setup(party), rng, whole=party.number < last)
    return stories


def _setup(party: Party) -> PartySetup:
    """As lanes have it."""
    return PartySetup(
        party.match.game_rules, bytes(party.board.seed), b"", party.suits, party.board.first_dealer_by_match
    )


def _play_tokens(versions: tuple[BotVersion, ...]) -> dict[int, str]:
    return {
        version.agent_id: make_token(version.bot.player.owner, f"play {number}", [Scope.BOT_PLAY], 1, version)[1]
        for number, version in enumerate(versions)
        if version.is_pull
    }


def _drive() -> None:
    try:
        drive(slots=32, seconds=LANE_S)
    finally:
        connection.close()


def _wait_until_held(script: Script, matches: tuple[Match, ...]) -> None:
    until = time.monotonic() + HELD_WITHIN_S
    while script.holding < {match.public_id for match in matches}:
        assert time.monotonic() < until, f"{len(script.holding)} of {len(matches)} matches wait"
        time.sleep(WAITS_S)
    time.sleep(SETTLES_S)
