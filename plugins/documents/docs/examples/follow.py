# pip install requests, then EXPORT_TOKEN=… python3 follow.py
import json, os, requests, time
FAMILY = "http://127.0.0.1:8080/your-family/v1"  # write it down: cursors belong to it
http = requests.Session()
http.headers["authorization"] = "Bearer " + os.environ["EXPORT_TOKEN"]
os.umask(0o077)  # only you can read the files

def get(url, headers={}, **query):
    while True:
        try:
            response = http.get(url, params=query, headers=headers, timeout=90)
            if response.status_code not in (429, 500, 502, 503, 504):
                break
            pause = response.headers.get("retry-after", "60")
        except requests.RequestException:
            pause = "60"
        time.sleep(int(pause) if pause.isdigit() else 60)
    is_off = "connector_not_enabled" in response.text
    if response.status_code not in (200, 304, 404, 410) and not is_off:
        raise SystemExit(response.text)
    return response

def read(event):
    file, page = f"{event}.json", {"more": True}
    copy = json.load(open(file)) if os.path.exists(file) else {"after": "", "records": {}}
    while page["more"]:
        response = get(f"{FAMILY}/events/{event}/changes", after=copy["after"])
        if response.status_code in (403, 404):
            return  # no access now: keep the file, which has copy and cursor, or delete it
        if response.status_code == 410:
            copy = {"after": "", "records": {}}  # the old file stays until the new one is whole
            continue
        page = response.json()
        for change in page["changes"]:
            copy["records"][change["category"] + " " + change["id"]] = change.get("record")
        copy["after"] = page["next"]
    copy["records"] = {key: record for key, record in copy["records"].items() if record}
    with open(file + ".new", "w") as new:
        json.dump(copy, new)
    os.replace(file + ".new", file)

today, since, tag = None, 0, '"none"'
while True:
    first = page = get(FAMILY + "/events", {"prefer": "wait=50", "if-none-match": tag}, since=-1)
    if first.status_code == 200:  # 304: the list is the same
        events = first.json()
        while "next" in page.links:
            page = get(page.links["next"]["url"])
            events += page.json()
    if today != time.time() // 86400:  # once a day, and at the start, all of them
        today, known = time.time() // 86400, set()
    for event in events:
        if event["id"] not in known or (event["changed"] or 0) >= since:
            read(event["id"])
            known.add(event["id"])
    since, tag = int(first.headers["next-since"]), first.headers.get("etag", '"none"')
    time.sleep((2 if tag == '"none"' else 0) if "preference-applied" in first.headers else 60)
