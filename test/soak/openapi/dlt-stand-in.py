# Stands in for dlt, which no registry of these tests has: runs a file that uses dlt, and does what dlt does with what it
# yields. Not dlt itself: what the file needs of it was compared with dlt 1.26 by hand.
#
#     python3 dlt-stand-in.py FILE FOLDER
#
# The state and the tables stay in FOLDER, and change only if the whole run succeeds. Rows are kept as they are.
import contextlib
import json
import os
import re
import sys
import types
import urllib.error
import urllib.request

file, folder = sys.argv[1:]
place = os.path.join(folder, "kept.json")
kept = {"state": {}, "tables": {}}
with contextlib.suppress(FileNotFoundError):
    with open(place) as stored:
        kept = json.load(stored)


class Response:
    def __init__(self, response):
        self.text = response.read().decode()
        link = response.headers.get("link") or ""
        self.links = {rel: {"url": url} for url, rel in re.findall(r'<([^>]*)>; rel="(\w+)"', link)}

    def json(self):
        return json.loads(self.text)


def get(url, params, headers):
    query = urllib.parse.urlencode(params)
    request = urllib.request.Request(f"{url}?{query}" if query else url, headers=headers)
    # Raises for 4xx and 5xx, as the helper of dlt does.
    with urllib.request.urlopen(request) as response:
        return Response(response)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda letter: "_" + letter[0], name).lower()


class Marked:
    def __init__(self, rows, table):
        self.rows, self.table = rows, table


def resource(write_disposition, primary_key, columns=None):
    def declare(generator):
        generator.write_disposition = write_disposition
        generator.keys = primary_key if isinstance(primary_key, list) else [primary_key]
        hints = (columns or {}).items()
        generator.deletes = [name for name, hint in hints if hint.get("hard_delete")]
        return generator

    return declare


class Pipeline:
    def run(self, resources):
        global state
        loads = []
        for each in resources:
            state = kept["state"].setdefault(each.__name__, {})
            for item in each():
                if not isinstance(item, Marked):
                    item = Marked(item if isinstance(item, list) else [item], each.__name__)
                loads.append((each, snake(item.table), item.rows))
        for each in resources:
            if each.write_disposition == "replace":
                kept["tables"][each.__name__] = {}
        for each, table, rows in loads:
            target = kept["tables"].setdefault(table, {})
            found = [json.dumps([row[key] for key in each.keys]) for row in rows]
            # Of rows with the same key in one load, dlt keeps any.
            if len(set(found)) < len(found):
                raise ValueError(f"a key occurs twice in {table}")
            for key, row in zip(found, rows):
                if any(row.get(column) is not None for column in each.deletes):
                    target.pop(key, None)
                else:
                    target[key] = row
        with open(place, "w") as stored:
            json.dump(kept, stored)


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    sys.modules[name] = made
    return made


requests = module("dlt.sources.helpers.requests", get=lambda url, params=None, headers=None: get(url, params or {}, headers or {}))
helpers = module("dlt.sources.helpers", requests=requests)
module("dlt.sources", helpers=helpers)
module(
    "dlt",
    secrets={"event_export_token": os.environ["TOKEN"]},
    resource=resource,
    current=types.SimpleNamespace(resource_state=lambda: state),
    mark=types.SimpleNamespace(with_table_name=Marked),
    pipeline=lambda name, destination, dataset_name: Pipeline(),
)
with open(file) as source:
    exec(compile(source.read(), file, "exec"), {"__name__": "__main__"})
