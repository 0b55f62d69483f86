## log-in
# Python 3.9 or newer: python3 poll.py
# The password is in the environment: export EXPORT_PASSWORD=…
import hashlib
import http.cookiejar
import json
import os
import re
import time
import urllib.error
import urllib.request

BASE = "http://127.0.0.1:8080"
FAMILY = "/your-family/v1"
USERNAME = "your-name"

opener = urllib.request.build_opener(
    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
)


def log_in():
    credentials = {"username": USERNAME, "password": os.environ["EXPORT_PASSWORD"]}
    send(
        BASE + "/session",
        headers={"content-type": "application/json"},
        data=json.dumps(credentials).encode(),
    )


## events
def events():
    return send(f"{BASE}{FAMILY}/events").body


## first-poll
# The data that the program keeps from one run to the next: since=-1 means everything, etag
# is the tag of the first page of the last finished poll, if it may be sent.
FILE = "copy.json"


def read_copy():
    if not os.path.exists(FILE):
        return {"since": -1, "etag": "", "guests": {}}
    with open(FILE, encoding="utf-8") as file:
        return json.load(file)


## paging
def pages(url, etag=""):
    """Returns the response to url, and the pages that follow it."""
    headers = {"if-none-match": etag} if etag else {}
    while url:
        page = send(url, headers)
        yield page
        link = re.search(r'<([^>]+)>; rel="next"', page.headers.get("link", ""))
        url = link and link.group(1)
        headers = {}


## next-poll
def read_guests(copy, guests):
    """Adds new and changed guests to the copy; returns the next since and its tag."""
    first = None
    for page in pages(f"{guests}?since={copy['since']}", copy["etag"]):
        first = first or page
        if page.status == 304:
            break  # nothing on this page or after it has changed
        copy["guests"].update((guest["id"], guest) for guest in page.body)
    print("no new guests" if first.status == 304 else "guests have changed")
    return int(first.headers["next-since"]), first.headers.get("etag", "")


## deletions
def forget_guests(copy, guests):
    """Removes deleted guests from the copy; returns the next since."""
    following = None
    try:
        for page in pages(f"{guests}/deletions?since={copy['since']}"):
            following = following or int(page.headers["next-since"])
            for deletion in page.body:
                copy["guests"].pop(deletion["id"], None)
    except Refusal as refusal:
        if refusal.code != "not_available":
            raise
        # Deletions are not known here: reconciliation finds them.
    return following or float("inf")


def poll(copy, guests):
    try:
        since, etag = read_guests(copy, guests)
        since = min(since, forget_guests(copy, guests))
        # Only a finished poll changes both.
        copy["since"], copy["etag"] = since, etag
    except Refusal as refusal:
        if refusal.code != "resync_required":
            raise
        # The last poll was too long ago: start again.
        copy.update({"since": -1, "etag": "", "guests": {}})
        poll(copy, guests)


## reconciliation
def reconcile(copy, guests):
    """Compares the copy with the service's records, and reads the buckets that differ again."""
    buckets = send(f"{guests}/digest?hash=").body["buckets"]
    digits = len(next(iter(buckets), "0"))
    mine = {}
    for guest in copy["guests"].values():
        bucket = hashlib.sha256(guest["id"].encode()).hexdigest()[:digits]
        mine.setdefault(bucket, []).append(guest)
    for bucket in {*mine, *buckets}:
        own = mine.get(bucket, [])
        lines = sorted(f"{guest['id']} {guest['updated']}\n" for guest in own)
        digest = hashlib.sha256("".join(lines).encode()).hexdigest()
        if digest == buckets.get(bucket, {}).get("digest"):
            continue
        print(f"reading bucket {bucket} again")
        for guest in own:
            del copy["guests"][guest["id"]]
        for page in pages(f"{guests}?since=-1&hash={bucket}"):
            copy["guests"].update((guest["id"], guest) for guest in page.body)


## items
def read_items(items):
    """Returns all items of an event; to read changes only, continue as with guests."""
    everything = {}
    for page in pages(f"{items}?since=-1"):
        for category, records in page.body.items():
            everything.setdefault(category, []).extend(records)
    return everything


## errors
class Refusal(Exception):
    def __init__(self, problem):
        super().__init__("{code}: {detail} (request {requestId})".format(**problem))
        self.code = problem["code"]


class Page:
    def __init__(self, status, headers, body=None):
        self.status, self.headers, self.body = status, headers, body


def send(url, headers=None, data=None):
    """Sends a request, and repeats it if that helps: after a log-in, or after waiting."""
    attempt = 0
    while True:
        attempt += 1
        request = urllib.request.Request(url, data=data, headers=headers or {})
        try:
            with opener.open(request) as response:
                body = response.read()
                return Page(response.status, response.headers, json.loads(body or "null"))
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304:
                    return Page(304, error.headers)
                refusal = Refusal(json.load(error))
            if attempt == 5:
                raise refusal from None
            if refusal.code == "unauthenticated":
                log_in()
            elif error.code in (429, 503):
                time.sleep(int(error.headers.get("retry-after", 5)))
            else:
                raise refusal from None


## whole
event = next(iter(events()), None)
if event is None:
    raise SystemExit("there is no event that you may read")
address = f"{BASE}{FAMILY}/events/{event['id']}"
copy = read_copy()
poll(copy, f"{address}/guests")
reconcile(copy, f"{address}/guests")
with open(FILE, "w", encoding="utf-8") as file:
    os.chmod(FILE, 0o600)
    json.dump(copy, file)
print(len(copy["guests"]), "guests of", event["name"])
items = read_items(f"{address}/items")
print(sum(len(records) for records in items.values()), "items")
