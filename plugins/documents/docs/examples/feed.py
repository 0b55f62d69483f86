# EXPORT_TOKEN=… python3 feed.py: brings a copy of an event up to date, in copy.json.
import json, os, requests

FEED = "http://127.0.0.1:8080/your-family/v1/events/your-event-id/changes"
HEADERS = {"authorization": "Bearer " + os.environ["EXPORT_TOKEN"]}
copy, more = {"next": "", "records": {}}, True
if os.path.exists("copy.json"):
    copy = json.load(open("copy.json", encoding="utf-8"))
while more:
    response = requests.get(FEED, params={"after": copy["next"]}, headers=HEADERS, timeout=60)
    response.raise_for_status()  # 429, 503: run it again later; 410: delete copy.json first
    page = response.json()
    for change in page["changes"]:
        key = change["category"] + " " + change["id"]
        copy["records"].pop(key, None)
        if "record" in change:
            copy["records"][key] = change["record"]
    copy["next"], more = page["next"], page["more"]
    # Write to a second file and rename it: a crash leaves the old or the new one, never half of one.
    os.umask(0o077)  # only you can read it
    with open("copy.json.new", "w", encoding="utf-8") as file:
        json.dump(copy, file)
    os.replace("copy.json.new", "copy.json")
print(len(copy["records"]), "records")
