# A source for dlt: events, guests and items, with deletions. A run reads what has changed since the last one, and
# everything of new events. Put a token into .dlt/secrets.toml as event_export_token.
#
# The table "event" has the events that you may read now. Rows of other events in other tables are out of date.
# If a run fails with 410, deletions were forgotten before you read them: run once with refresh="drop_sources".
import dlt
from dlt.sources.helpers import requests

FAMILY = "http://127.0.0.1:8080/your-family/v1"


def get(url, **params):
    token = dlt.secrets["event_export_token"]
    return requests.get(url, params=params, headers={"Authorization": "Bearer " + token})


def events():
    url = FAMILY + "/events?since=-1"
    while url:
        page = get(url)
        yield from page.json()
        url = page.links.get("next", {}).get("url")


@dlt.resource(write_disposition="replace", primary_key="id")
def event():
    yield from events()


# A table per category, such as "guests" and "tickets". A row with a time in "deleted" deletes its record.
@dlt.resource(
    write_disposition="merge",
    primary_key=["eventId", "id"],
    columns={"deleted": {"data_type": "bigint", "hard_delete": True}},
)
def changes():
    cursors = dlt.current.resource_state().setdefault("cursors", {})
    for each in events():
        event_id, tables, more = each["id"], {}, True
        while more:
            page = get(FAMILY + "/events/" + event_id + "/changes", after=cursors.get(event_id, "")).json()
            for change in page["changes"]:
                record = change.get("record", {"id": change["id"], "deleted": change.get("deleted")})
                tables.setdefault(change["category"], {})[change["id"]] = {**record, "eventId": event_id}
            cursors[event_id], more = page["next"], page["more"]
        for category, rows in tables.items():
            yield dlt.mark.with_table_name(list(rows.values()), category)


pipeline = dlt.pipeline("event_export", destination="duckdb", dataset_name="event_export")
print(pipeline.run([event, changes]))
