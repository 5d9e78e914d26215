"""Versions of players: making them, letting them play, taking them off the table."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Lower

from matches.core.house import KIND, house_program
from matches.core.names import HOUSE_PREFIX, NameRefused, is_the_houses, parse_name
from matches.models import Agent, AgentStatus, Player, PlayerKind


def free_name(text: str, *, but: Player | None = None) -> str:
    """A name as it is written down, if no player but this one has it in whatever case; raises NameRefused.

    Names that begin as the house's do are refused to all but house players, so that no program passes for an anchor.
    """
    is_of_the_house = but is not None and but.kind == PlayerKind.HOUSE
    return _untaken(parse_name(text) if is_of_the_house else not_the_houses(text), but)


def not_the_houses(text: str) -> str:
    """A name as it is written down, if it does not begin as the house's do; raises NameRefused."""
    name = parse_name(text)
    if is_the_houses(name):
        raise NameRefused(
            "name_house", f"Names that begin with “{HOUSE_PREFIX}” are the house programs': choose another."
        )
    return name


def _untaken(name: str, but: Player | None = None) -> str:
    others = Player.objects.exclude(pk=but.pk) if but else Player.objects.all()
    if others.alias(lowered=Lower("name")).filter(lowered=Lower(Value(name))).exists():
        raise NameRefused("name_taken", f"A player is called “{name}” already: choose another name.")
    return name


@transaction.atomic
def house_agent(label: str, name: str = "") -> Agent:
    """The version of a house program with this label, such as `greedy@1`; made when first asked for.

    `name`: whom it plays as, `house:greedy` by default; one program may sit at a tournament under several names.
    Raises what `house_program` raises for a label that does not play here, and NameRefused for a name that is none or
    is somebody else's.
    """
    program = house_program(label)
    player = _house_player(parse_name(name or f"{HOUSE_PREFIX}{program.name}"))
    agent, _ = Agent.objects.get_or_create(
        player=player, label=label, defaults={"kind": KIND, "status": AgentStatus.ACTIVE}
    )
    return agent


def _house_player(name: str) -> Player:
    known = Player.objects.filter(name=name, kind=PlayerKind.HOUSE).first()
    return known or Player.objects.get_or_create(name=_untaken(name), kind=PlayerKind.HOUSE)[0]


def person_agent(player: Player) -> Agent:
    """How a person sits at a table: the one version that there is of him, made when first asked for.

    Raises ValueError for a player who is none: his matches would wait for reports.
    """
    if player.kind != PlayerKind.PERSON:
        raise ValueError(f"{player} is no person.")
    agent, _ = Agent.objects.get_or_create(
        player=player, label=PlayerKind.PERSON, defaults={"kind": PlayerKind.PERSON, "status": AgentStatus.ACTIVE}
    )
    return agent


def set_status(agent_id: int, status: AgentStatus, reason: str = "") -> None:
    """Lets a version play, or stops it. A retired version never comes back."""
    Agent.objects.filter(pk=agent_id).exclude(status=AgentStatus.RETIRED).update(
        status=status, status_reason=reason[:200]
    )
