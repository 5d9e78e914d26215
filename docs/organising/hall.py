"""A Swiss of people run by the API alone: `python3 hall.py https://manela.example mnl_… Ada Bob Cleo Dan`.

The results are made up; in a hall they come from the tables. Standard library only.
"""

import json
import random
import sys
import uuid
from urllib.request import Request, urlopen

SITE, TOKEN, *NAMES = sys.argv[1:]


def ask(method, path, **body):
    """One request; the same key sent again would change nothing more."""
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    request = Request(f"{SITE}/api/v1/{path}", json.dumps(body).encode() if body else None, headers, method=method)
    with urlopen(request) as answer:
        return json.load(answer)


def main():
    slug = f"hall-{uuid.uuid4().hex[:8]}"
    cup = ask(
        "POST", "tournaments", slug=slug, name="Hall", auto_draw=False, auto_publish=False, tie_breaks=["buchholz"]
    )
    here = f"tournaments/{cup['id']}"
    for name in NAMES:
        ask("POST", f"{here}/people", name=name)
    ask("POST", f"{here}/stages", format="swiss", settings={"rounds": 2})
    for trouble in ask("GET", f"{here}/troubles")["troubles"]:
        sys.exit(trouble)
    ask("POST", f"{here}/open")
    ask("POST", f"{here}/start")
    while ask("GET", here)["status"] == "running":
        drawn = ask("POST", f"{here}/stages/1/proposal")
        ask("POST", f"{here}/rounds/{drawn['id']}/confirmation")
        for table in ask("POST", f"{here}/rounds/{drawn['id']}/release", audience="public")["pairings"]:
            if table["match"]:
                points = random.sample(range(200, 600), 2)
                ask("PUT", f"{here}/matches/{table['match']}/result", points=points)
    for row in ask("POST", f"{here}/publish")["rows"]:
        print(f"{row['place']:>2}  {row['name']:<20} {row['points'] / 4:g}")
    print(f"{SITE}/t/{slug}/")


main()
