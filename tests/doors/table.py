"""Who is let in where. One row per route and method: one word for all, or one for each of `PEOPLE` in their order."""

from __future__ import annotations

from functools import cache

from tests.doors.house import PEOPLE

Row = tuple[frozenset[str], ...]
"""For each of the people the answers that are right."""

TABLE = r"""
# route, method                 nobody, user, other's owner, owner, organiser, staff
/ GET 200
/ POST 405
rules/ GET 200
rules/ POST 405
rules/mine/ GET login 200 200 200 200 200
rules/mine/ POST login 405 405 405 405 405
rules/mine/new/ GET login 200 200 200 200 200
rules/mine/new/ POST login 200 200 200 200 200
rules/mine/<public_id>/ GET login 404 404 200 404 404
rules/mine/<public_id>/ POST login 404 404 200 404 404
rules/mine/<public_id>/delete/ GET login 405 405 405 405 405
rules/mine/<public_id>/delete/ POST login 404 404 302 404 404
rules/<family>/<table>/ GET 200
rules/<family>/<table>/ POST 405
m/new/ GET login 403 403 403 403 200
m/new/ POST login 403 403 403 403 200
t/new/ GET login 403 403 403 403 200
t/new/ POST login 403 403 403 403 200
t/<slug>/edit/ GET login 403 403 403 302 302
t/<slug>/edit/ POST login 403 403 403 302 302
t/<slug>/stages/ GET login 403 403 403 200 200
t/<slug>/stages/ POST 405
t/<slug>/stages/new/<name>/ GET login 403 403 403 302 302
t/<slug>/stages/new/<name>/ POST login 403 403 403 302 302
t/<slug>/stages/<number>/edit/ GET login 403 403 403 302 302
t/<slug>/stages/<number>/edit/ POST login 403 403 403 302 302
t/<slug>/stages/<number>/remove/ GET 405
t/<slug>/stages/<number>/remove/ POST login 403 403 403 302 302
t/<slug>/desk/ GET login 403 403 403 200 200
t/<slug>/desk/ POST 405
t/<slug>/desk/log/ GET login 403 403 403 200 200
t/<slug>/desk/log/ POST 405
t/<slug>/desk/enter/ GET 405
t/<slug>/desk/enter/ POST login 403 403 403 200 200
t/<slug>/desk/import/ GET login 403 403 403 200 200
t/<slug>/desk/import/ POST login 403 403 403 200 200
t/<slug>/desk/do/<verb>/ GET 405
t/<slug>/desk/do/<verb>/ POST login 403 403 403 302 302
t/<slug>/desk/rounds/<public_id>/change/ GET login 403 403 403 302 302
t/<slug>/desk/rounds/<public_id>/change/ POST login 403 403 403 302 302
t/<slug>/desk/rounds/<public_id>/time/ GET login 403 403 403 200 200
t/<slug>/desk/rounds/<public_id>/time/ POST login 403 403 403 200 200
t/<slug>/desk/rounds/<public_id>/do/<verb>/ GET 405
t/<slug>/desk/rounds/<public_id>/do/<verb>/ POST login 403 403 403 302 302
t/<slug>/desk/entries/<public_id>/substitute/ GET login 403 403 403 200 200
t/<slug>/desk/entries/<public_id>/substitute/ POST login 403 403 403 200 200
t/<slug>/desk/entries/<public_id>/do/<verb>/ GET 405
t/<slug>/desk/entries/<public_id>/do/<verb>/ POST login 403 403 403 302 302
t/<slug>/desk/matches/<match_id>/ GET login 403 403 403 200 200
t/<slug>/desk/matches/<match_id>/ POST login 403 403 403 200 200
t/<slug>/desk/matches/<match_id>/annul/ GET 405
t/<slug>/desk/matches/<match_id>/annul/ POST login 403 403 403 302 302
t/import/ GET login 403 403 403 403 200
t/import/ POST login 403 403 403 403 200
t/ GET 200
t/ POST 405
t/<slug>/ GET 200
t/<slug>/ POST 405
t/<slug>/live/ GET 200
t/<slug>/live/ POST 405
t/<slug>/calendar.ics GET 200
t/<slug>/calendar.ics POST 405
p/<public_id>/calendar.ics GET 200
p/<public_id>/calendar.ics POST 405
t/<slug>/rounds/ GET 200
t/<slug>/rounds/ POST 405
t/<slug>/rounds/<number>/ GET 200
t/<slug>/rounds/<number>/ POST 200
t/<slug>/stages/<stage>/rounds/<number>/ GET 200
t/<slug>/stages/<stage>/rounds/<number>/ POST 200
t/<slug>/entries/ GET 200
t/<slug>/entries/ POST 405
t/<slug>/entries/<public_id>/ GET 200
t/<slug>/entries/<public_id>/ POST 405
t/<slug>/files/<name> GET 200
t/<slug>/files/<name> POST 405
t/<slug>/standings/<number>/ GET 200
t/<slug>/standings/<number>/ POST 405
m/<public_id>/ GET 200
m/<public_id>/ POST 405
m/<public_id>/report/ GET login 302 302 302 302 302
m/<public_id>/report/ POST login 302 200 200 302 302
m/<public_id>/confirm/ GET login 302 302 302 302 302
m/<public_id>/confirm/ POST login 302 302 302 302 302
m/<public_id>/withdraw/ GET login 302 302 302 302 302
m/<public_id>/withdraw/ POST login 302 302 302 302 302
m/<public_id>/rule/ GET login 302 302 302 302 302
m/<public_id>/rule/ POST login 403 403 403 403 200
m/<public_id>/parties/<number>/ GET 200
m/<public_id>/parties/<number>/ POST 405
tokens/ GET login 200 200 200 200 200
tokens/ POST login 200 200 200 200 200
tokens/<token_id>/revoke/ GET login 405 405 405 405 405
tokens/<token_id>/revoke/ POST login 404 404 302 404 404
bots/ GET 200
bots/ POST 405
bots/guide/ GET 200
bots/guide/ POST 405
bots/new/ GET login 200 200 200 200 200
bots/new/ POST login 200 200 200 200 200
b/<public_id>/ GET 200
b/<public_id>/ POST 405
b/<public_id>/edit/ GET login 404 404 200 404 404
b/<public_id>/edit/ POST login 404 404 200 404 404
b/<public_id>/versions/new/ GET login 404 404 200 404 404
b/<public_id>/versions/new/ POST login 404 404 200 404 404
v/<version_id>/ GET login 404 404 200 404 404
v/<version_id>/ POST login 405 405 405 405 405
v/<version_id>/qualify/ GET login 405 405 405 405 405
v/<version_id>/qualify/ POST login 404 404 302 404 404
v/<version_id>/accepting/ GET login 405 405 405 405 405
v/<version_id>/accepting/ POST login 404 404 302 404 404
v/<version_id>/secret/ GET login 405 405 405 405 405
v/<version_id>/secret/ POST login 404 404 302 404 404
v/<version_id>/secret/end/ GET login 405 405 405 405 405
v/<version_id>/secret/end/ POST login 404 404 302 404 404
v/<version_id>/tokens/ GET login 405 405 405 405 405
v/<version_id>/tokens/ POST login 404 404 200 404 404
v/<version_id>/tokens/<token_id>/revoke/ GET login 405 405 405 405 405
v/<version_id>/tokens/<token_id>/revoke/ POST login 404 404 404 404 404
v/<version_id>/retire/ GET login 404 404 200 404 404
v/<version_id>/retire/ POST login 404 404 302 404 404
v/<version_id>/messages/<number>/ GET login 404 404 200 404 404
v/<version_id>/messages/<number>/ POST login 405 405 405 405 405
v/<version_id>/messages/<number>/again/ GET login 405 405 405 405 405
v/<version_id>/messages/<number>/again/ POST login 404 404 200 404 404
challenges/ GET login 200 200 200 200 200
challenges/ POST login 405 405 405 405 405
challenges/new/ GET login 200 200 200 200 200
challenges/new/ POST login 200 200 200 200 200
challenges/<challenge_id>/ GET login 404 200 200 404 404
challenges/<challenge_id>/ POST login 405 405 405 405 405
challenges/<challenge_id>/answer/ GET login 405 405 405 405 405
challenges/<challenge_id>/answer/ POST login 404 302 302 404 404
challenges/<challenge_id>/take-back/ GET login 405 405 405 405 405
challenges/<challenge_id>/take-back/ POST login 404 302 302 404 404
webhooks/ GET login 200 200 200 200 200
webhooks/ POST login 200 200 200 200 200
webhooks/<webhook_id>/ GET login 404 404 200 404 404
webhooks/<webhook_id>/ POST login 404 404 200 404 404
webhooks/<webhook_id>/ping/ GET login 405 405 405 405 405
webhooks/<webhook_id>/ping/ POST login 404 404 302 404 404
webhooks/<webhook_id>/switch/ GET login 405 405 405 405 405
webhooks/<webhook_id>/switch/ POST login 404 404 302 404 404
webhooks/<webhook_id>/secret/ GET login 405 405 405 405 405
webhooks/<webhook_id>/secret/ POST login 404 404 302 404 404
webhooks/<webhook_id>/delete/ GET login 405 405 405 405 405
webhooks/<webhook_id>/delete/ POST login 404 404 302 404 404
webhooks/<webhook_id>/deliveries/<delivery_id>/again/ GET login 405 405 405 405 405
webhooks/<webhook_id>/deliveries/<delivery_id>/again/ POST login 404 404 302 404 404
p/<public_id>/ GET 200
p/<public_id>/ POST 405
login/ GET 200 302 302 302 302 302
login/ POST 200 302 302 302 302 302
signup/ GET 200 302 302 302 302 302
signup/ POST 200 302 302 302 302 302
logout/ GET 405
logout/ POST 302
healthz GET 200
healthz POST 405
admin/ GET login login login login login 200
admin/ POST login login login login login 200
admin/login/ GET 200 200 200 200 200 302
admin/login/ POST 200
admin/logout/ GET 302 302 302 302 302 405
admin/logout/ POST 302
admin/password_change/ GET login login login login login 200
admin/password_change/ POST login login login login login 200
admin/password_change/done/ GET login login login login login 200
admin/password_change/done/ POST login login login login login 405
admin/autocomplete/ GET login login login login login 403
admin/autocomplete/ POST login login login login login 405
admin/jsi18n/ GET login login login login login 200
admin/jsi18n/ POST login login login login login 405
admin/r/<content_type_id>/<object_id>/ GET login login login login login 302
admin/r/<content_type_id>/<object_id>/ POST login login login login login 302
admin/MODEL/ GET login login login login login 200
admin/MODEL/add/ GET login login login login login 200|403
admin/MODEL/<object_id>/history/ GET login login login login login 200|302
admin/MODEL/<object_id>/delete/ GET login login login login login 200|302|403
admin/MODEL/<object_id>/change/ GET login login login login login 200|302
admin/MODEL/<object_id>/ GET login login login login login 302
admin/MODEL/<id>/password/ GET login login login login login 200
admin/MODEL/<object_id>/do/<verb>/ GET login login login login login 405
admin/MODEL/<object_id>/enter/ GET login login login login login 200
admin/^(?P<app_label>auth|matches|bots_api|tournaments)/$ GET login login login login login 200
admin/^(?P<app_label>auth|matches|bots_api|tournaments)/$ POST login login login login login 200
admin/(?P<url>.*)$ GET login login login login login 404
admin/(?P<url>.*)$ POST login login login login login 404
api/v1/ GET 200
api/v1/schema/ GET 200
api/v1/matches GET 200
api/v1/matches/<match_id> GET 200
api/v1/parties/<party_id> GET 200
api/v1/parties/<party_id>/record GET 200
api/v1/^presets/?$ GET 200
api/v1/^presets/(?P<family>\w+)/(?P<table>\w+)/?$ GET 200
api/v1/bots GET 200
api/v1/bots POST 401 400 400 400 400 400
api/v1/bots/<bot_id> GET 200
api/v1/bots/<bot_id> PATCH 401 403 403 200 403 403
api/v1/bots/<bot_id>/versions POST 401 403 403 400 403 403
api/v1/versions/<version_id> GET 200
api/v1/versions/<version_id>/retire POST 401 403 403 200 403 403
api/v1/versions/<version_id>/accepting PUT 401 403 403 400 403 403
api/v1/versions/<version_id>/secret POST 401 403 403 200 403 403
api/v1/versions/<version_id>/secret DELETE 401 403 403 204 403 403
api/v1/versions/<version_id>/tokens GET 401 404 404 200 404 404
api/v1/versions/<version_id>/tokens POST 401 403 403 400 403 403
api/v1/versions/<version_id>/tokens/<token_id> DELETE 401 403 403 404 403 403
api/v1/versions/<version_id>/qualification GET 401 404 404 200 404 404
api/v1/versions/<version_id>/qualification POST 401 403 403 202 403 403
api/v1/versions/<version_id>/deliveries GET 401 404 404 200 404 404
api/v1/versions/<version_id>/stats GET 401 404 404 200 404 404
api/v1/challenges GET 401 200 200 200 200 200
api/v1/challenges POST 401 400 400 400 400 400
api/v1/challenges/<challenge_id> GET 401 404 200 200 404 404
api/v1/challenges/<challenge_id>/accept POST 401 404 200 200 404 404
api/v1/challenges/<challenge_id>/decline POST 401 404 200 200 404 404
api/v1/challenges/<challenge_id>/cancel POST 401 404 403 200 404 404
api/v1/webhooks GET 401 200 200 200 200 200
api/v1/webhooks POST 401 400 400 400 400 400
api/v1/webhooks/<webhook_id> GET 401 404 404 200 404 404
api/v1/webhooks/<webhook_id> PATCH 401 404 404 200 404 404
api/v1/webhooks/<webhook_id> DELETE 401 404 404 204 404 404
api/v1/webhooks/<webhook_id>/ping POST 401 404 404 202 404 404
api/v1/webhooks/<webhook_id>/secret POST 401 404 404 200 404 404
api/v1/webhooks/<webhook_id>/deliveries GET 401 404 404 200 404 404
api/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/again POST 401 404 404 202 404 404
api/v1/tournaments GET 200
api/v1/tournaments POST 401 403 403 403 403 400
api/v1/tournaments/document POST 401 403 403 403 403 400
api/v1/tournaments/<tournament_id> GET 200
api/v1/tournaments/<tournament_id> PATCH 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/standings GET 200
api/v1/tournaments/<tournament_id>/rounds GET 200
api/v1/tournaments/<tournament_id>/open POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/check-in POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/start POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/pause POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/resume POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/finish POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/cancel POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/publish POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/files/<name> GET 200
api/v1/tournaments/<tournament_id>/entries POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/people POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/seeds PUT 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id> DELETE 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/entries/<entry_id>/check-in POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/entries/<entry_id>/check-out POST 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/entries/<entry_id>/withdraw POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id>/reinstate POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/entries/<entry_id>/expel POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id>/no-show POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/entries/<entry_id>/bye POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id>/take-back-bye POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id>/rating POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/entries/<entry_id>/substitute POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/own-entries GET 401 200 200 200 200 200
api/v1/tournaments/<tournament_id>/own-entries POST 401 400 400 400 400 400
api/v1/tournaments/<tournament_id>/own-entries/<entry_id> DELETE 401 403 403 409 403 403
api/v1/tournaments/<tournament_id>/own-entries/<entry_id>/check-in POST 401 403 403 409 403 403
api/v1/tournaments/<tournament_id>/own-entries/<entry_id>/check-out POST 401 403 403 409 403 403
api/v1/tournaments/<tournament_id>/own-entries/<entry_id>/withdraw POST 401 403 403 200 403 403
api/v1/tournaments/<tournament_id>/troubles GET 200
api/v1/tournaments/<tournament_id>/stages GET 200
api/v1/tournaments/<tournament_id>/stages POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/stages/<number> PATCH 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/stages/<number> DELETE 401 403 403 403 409 409
api/v1/tournaments/<tournament_id>/events GET 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/stages/<number>/explanation GET 404
api/v1/tournaments/<tournament_id>/stages/<number>/proposal POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/rounds/<round_id> GET 200
api/v1/tournaments/<tournament_id>/rounds/<round_id>/tables PUT 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/rounds/<round_id>/check GET 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/rounds/<round_id>/times PUT 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/rounds/<round_id>/times DELETE 401 403 403 403 204 204
api/v1/tournaments/<tournament_id>/rounds/<round_id>/confirmation POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/rounds/<round_id>/release POST 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/rounds/<round_id>/withdrawal POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/matches/<match_id>/result PUT 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/matches/<match_id>/reports GET 401 403 403 403 200 200
api/v1/tournaments/<tournament_id>/matches/<match_id>/correction POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/matches/<match_id>/correction/preview POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/matches/<match_id>/annulment POST 401 403 403 403 400 400
api/v1/tournaments/<tournament_id>/matches/<match_id>/replay POST 401 403 403 403 400 400
api/v1/venues GET 200
"""


@cache
def rows() -> dict[tuple[str, str], Row]:
    """By route and method. Raises ValueError for a row that is none."""
    found: dict[tuple[str, str], Row] = {}
    for line in TABLE.splitlines():
        if line and not line.startswith("#"):
            route, method, *words = line.split()
            if len(words) not in (1, len(PEOPLE)) or (route, method) in found:
                raise ValueError(f"No row of the table, or a second one: {line}")
            found[route, method] = tuple(frozenset(word.split("|")) for word in _for_all(words))
    return found


def _for_all(words: list[str]) -> list[str]:
    return words * len(PEOPLE) if len(words) == 1 else words
