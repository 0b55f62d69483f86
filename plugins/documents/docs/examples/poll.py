## send
# Python 3.9 or newer: EXPORT_PASSWORD=… python3 poll.py [event]
# One poll: keeps the guests of one event in guests-<event>.json, and reads only changes the next time.
# It leaves to pull.mjs: items, all events, a lock against two runs at once, the daily digest.
import email.utils, http.client, json, os, re, sys, time, urllib.error, urllib.request

SERVICE, FAMILY = "http://127.0.0.1:8080", "/your-family/v1"
EVENT = sys.argv[1] if len(sys.argv) > 1 else "your-event-id"
FILE = f"guests-{EVENT}.json"
copy = {"cookie": "", "since": -1, "etag": "", "guests": {}}

def send(url, headers={}, data=None):
    """Returns status, headers and JSON; logs in, or waits and repeats the request, where that helps."""
    for attempt in range(6):
        request = urllib.request.Request(url, data, {**headers, "cookie": copy["cookie"]})
        wait, retry = 2**attempt, None
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.headers, json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            is_problem = "problem+json" in error.headers.get("content-type", "")
            code = json.loads(error.read())["code"] if is_problem else ""
            if error.code in (304, 404, 410):
                return error.code, error.headers, code
            failure, retry = f"{error.code} {code}", error.headers.get("retry-after")
            if code == "unauthenticated":
                log_in()
                continue
            if error.code != 429 and error.code < 500:
                break
        except (OSError, http.client.HTTPException, ValueError) as error:  # no response, or half of one
            failure = repr(error)
        if retry:  # a number of seconds or, from proxies, a date
            date = None if retry.isdigit() else email.utils.parsedate_to_datetime(retry)
            wait = max(1, date.timestamp() - time.time()) if date else int(retry)
        time.sleep(wait)
    raise SystemExit(f"{url}: {failure}")

def log_in():
    user = {"username": "your-name", "password": os.environ["EXPORT_PASSWORD"]}
    json_type = {"content-type": "application/json"}
    _, headers, _ = send(f"{SERVICE}/session", json_type, json.dumps(user).encode())
    copy["cookie"] = headers["set-cookie"].split(";")[0]

## walk
def walk(url, etag=""):
    """Yields status, headers and records of each page. 304: nothing has changed, and nothing was deleted."""
    headers = {"if-none-match": etag} if etag else {}
    while url:
        status, answered, body = send(url, headers)
        yield status, answered, body
        # Link may hold several URLs, in any order.
        link = re.search(r'<([^>]*)>\s*;\s*rel="?next"?', answered.get("link", ""))
        url, headers = link.group(1) if link and status == 200 else None, {}

## poll
def poll():
    """Brings the copy up to date. Nothing counts before every page has arrived."""
    guests = f"{SERVICE}{FAMILY}/events/{EVENT}/guests"
    first = None  # Next-Since and ETag are those of the first page
    for status, headers, records in walk(f"{guests}?since={copy['since']}", copy["etag"]):
        if status in (404, 410):
            raise SystemExit(f"{guests}: {status} {records}")
        if status == 304:
            copy["since"] = int(headers["next-since"])
            return
        first = first or headers
        copy["guests"].update({guest["id"]: guest for guest in records})
    since = int(first["next-since"])
    for status, headers, records in walk(f"{guests}/deletions?since={copy['since']}"):
        if status == 410:  # the last poll was too long ago: start again
            copy.update({"since": -1, "etag": "", "guests": {}})
            return poll()
        if status == 404:  # deletions are not known here: only the digest shows them
            break
        since = min(since, int(headers["next-since"]))
        for deletion in records:
            copy["guests"].pop(deletion["id"], None)
    copy.update({"since": since, "etag": first.get("etag", "")})

## save
if os.path.exists(FILE):
    with open(FILE, encoding="utf-8") as file:
        copy = json.load(file)
poll()
# Written beside the old file and renamed: a crash leaves one of the two, never half of one.
os.umask(0o077)
with open(FILE + ".new", "w", encoding="utf-8") as file:
    json.dump(copy, file)
    file.flush()
    os.fsync(file.fileno())
os.replace(FILE + ".new", FILE)
print(len(copy["guests"]), "guests")
