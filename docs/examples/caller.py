"""A bot that calls the platform, from any laptop behind any router. Run: TOKEN=mnl_… python3 caller.py https://site"""

import http.client, json, os, sys, time, urllib.parse

SITE, HEADERS = urllib.parse.urlsplit(sys.argv[1]), {"Authorization": f"Bearer {os.environ['TOKEN']}"}
Connection = http.client.HTTPSConnection if SITE.scheme == "https" else http.client.HTTPConnection
answers = Connection(SITE.netloc, timeout=15)


def choose(view):
    return view["default"]  # what the platform itself would play: pass, then the legal card with the fewest points


def answer(decision):
    body = json.dumps({"action": choose(decision)})
    for pause in (0, 0.1, 0.5, 1, 2):  # the same answer may be sent as often as it takes
        time.sleep(pause)
        try:
            answers.request("PUT", f"/api/v1/decisions/{decision['decision_id']}", body, HEADERS)
            told = json.load(reply := answers.getresponse())
            print(decision["game"], body, reply.status, told)
            if reply.status != 503:  # 409, 410, 422: decided, too late, or wrong; the next one comes all the same
                return
        except (OSError, ValueError, http.client.HTTPException):
            answers.close()


while True:  # whatever cuts the stream, the next one begins with all that is open
    try:
        stream = Connection(SITE.netloc, timeout=15)  # it says something every five seconds
        stream.request("GET", "/api/v1/bot/stream", headers=HEADERS)
        for message in map(json.loads, stream.getresponse()):
            if message["type"] == "decision":
                answer(message)
            elif message.get("status") in (401, 403):
                sys.exit(message["detail"])
    except (OSError, ValueError, http.client.HTTPException) as cut:
        print("Again:", cut)
    time.sleep(0.5)
