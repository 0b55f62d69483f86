import { DatabaseSync } from "node:sqlite"
import t from "tap"
import { filesOf, kitFiles } from "../../../../plugins/documents/kit/files.ts"
import { dialects } from "../../../../plugins/documents/kit/sql-dialects.ts"
import { statementsOf } from "../../../../plugins/documents/kit/sql.ts"
import type { Family, Field, Kit } from "../../../../plugins/documents/kit/model.ts"

const field = (name: string, kind: Field["kind"]): Field => ({
  name,
  kind,
  isNullable: true,
  description: 'Say "it\'s": #(lf) {{ x }}\n-- drop',
})

/** A name that every format has to escape. */
const odd = `o"d'd \\ name`

/** A family whose records do not say their event, and whose names every format has to escape. */
const family: Family = {
  prefix: "/odd/v1",
  eventId: "e-1",
  lists: [{
    name: "guests",
    path: "/odd/v1/events/:eventId/guests",
    isOfEvent: true,
    deletes: undefined,
    tables: [{
      name: "guest",
      part: undefined,
      fields: [
        { ...field("id", "uuid"), isNullable: false },
        field(odd, "text"),
        field("list", "json"),
      ],
    }],
  }],
  feed: "/odd/v1/events/:eventId/changes",
}

/** A kit with that family, whose other names have to be escaped, too. */
const kit: Kit = {
  server: `https://x.example/"'<b>\n'`,
  username: `<"o'hara">`,
  hasRows: true,
  families: [family],
}

t.test("files have the URL of the service in comments and literals only", (t) => {
  for (const { name, text } of kitFiles.filter(({ name }) => name.endsWith(".sql"))) {
    const loose = text(family, kit).replace(/'(''|[^'])*'/g, "").split("\n")
      .filter((line) => !line.startsWith("--") && line.includes("<b>"))
    t.strictSame(loose, [], name)
  }
  t.end()
})

t.test("statements keep the records of events apart that have the same id, and take what arrives again for newer", (t) => {
  const [dialect] = dialects.filter(({ name }) => name === "sqlite")
  const statements = dialect ? statementsOf(dialect, family) : []
  const copy = new DatabaseSync(":memory:")
  const run = (about: string, ...values: string[]) => {
    for (const { text } of statements.filter((each) => each.about.startsWith(about))) {
      copy.prepare(text).run(...values)
    }
  }
  run("Create")
  const page = (...names: string[]) =>
    JSON.stringify({
      changes: [
        ...names.map((name, index) => (
          {
            category: "guests",
            id: `${index}`,
            record: { id: `${index}`, [odd]: name, list: null },
          }
        )),
        { category: "tickets", id: "0", record: { id: "0", [odd]: "a ticket" } },
        { category: "tickets", id: "1", deleted: 1 },
      ],
      next: names.join(),
    })
  const gone = JSON.stringify({ changes: [{ category: "guests", id: "0", deleted: 1 }] })
  const apply = (page: string, event: string) =>
    ["Insert", "Delete", "Keep"].forEach((about) => run(about, page, event))
  apply(page("Ada", "Grace"), "one")
  apply(page("Eve", "Eve"), "other")
  apply(page("Mary"), "one")
  const rows = (table: string, order: string) =>
    copy.prepare(`select * from ${table} order by ${order}`).all().map((row) => Object.values(row))
  const guests = () => rows("guest", "event_id, id")
  const ofOther = [["0", "Eve", null, "other"], ["1", "Eve", null, "other"]]
  t.strictSame(guests(), [["0", "Mary", null, "one"], ["1", "Grace", null, "one"], ...ofOther])
  t.strictSame(rows("progress", "event_id"), [["one", "Mary"], ["other", "Eve,Eve"]])
  run("Delete", gone, "one")
  t.strictSame(guests(), [["1", "Grace", null, "one"], ...ofOther])
  t.end()
})

t.test("no statement assigns a column of its key, which DuckDB refuses, and each assigns all others", (t) => {
  for (const dialect of dialects) {
    const upserts = statementsOf(dialect, family).filter(({ about }) =>
      /^(Insert|Keep)/.test(about)
    )
    const assigned = upserts.map(({ text }) => {
      const [, end = ""] = text.split(/do update set|on duplicate key update/)
      return end.split(",").map((each) => each.split(" = ")[0]?.trim())
    })
    const quoted = (...names: string[]) => names.map((name) => dialect.quote(name))
    t.strictSame(assigned, [quoted(odd, "list"), quoted("next")], dialect.name)
  }
  t.end()
})

t.test("files are left out that need what the service has off", (t) => {
  const namesOf = (hasRows: boolean, feed: string | undefined) =>
    filesOf({ ...kit, hasRows }, { ...family, feed }).map(({ name }) => name)
  t.strictSame(namesOf(true, family.feed), kitFiles.map(({ name }) => name))
  t.strictSame(namesOf(false, undefined), ["postman.json"])
  t.notOk(namesOf(true, undefined).includes("dlt.py"))
  t.notOk(namesOf(false, family.feed).includes("airbyte.yaml"))
  t.end()
})
