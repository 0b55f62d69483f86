// slow: starts databases, and runs a collection of requests
import t from "tap"
import { snake } from "../../plugins/documents/kit/model.ts"
import { dialects } from "../../plugins/documents/kit/sql-dialects.ts"
import { statementsOf } from "../../plugins/documents/kit/sql.ts"
import { password } from "../support/builder.ts"
import { family, odd } from "../support/odd-family.ts"
import { insertTricky } from "../support/tricky-records.ts"
import { runCollection } from "./collection-run.ts"
import { type CopyDatabase, copyDatabases } from "./kit-databases.ts"
import { openStage } from "./stage.ts"

type Row = Readonly<Record<string, unknown>>

const { cookie, usual, workshop: { build, database } } = await openStage(t, "sqlite")
const { id: north } = await database.writer.selectFrom("organization").select("id")
  .where("slug", "=", "north").executeTakeFirstOrThrow()
const event = await build.event(north)
await insertTricky(build, event)

/** Returns a function that reads as an account. */
async function readerFor(account: string) {
  const headers = { cookie: await cookie(account) }
  return (path: string, more: Readonly<Record<string, string>> = {}) =>
    fetch(usual.url + path, { headers: { ...headers, ...more } })
}

const [one, two, three, four] = [1, 2, 3, 4].map((digit) =>
  `${digit}0000000-0000-4000-8000-000000000000`
)

for (const [name, { skip, open }] of Object.entries(copyDatabases)) {
  await t.test(
    `/docs/kit/${name}.sql makes a copy that is equal, and takes deletions`,
    { skip },
    async (t) => {
      const get = await readerFor("north-export")
      const copy = await open(t)
      const statements = statementsIn(await (await get(`/docs/kit/${name}.sql`)).text())
      for (const { text } of statements.filter(({ text }) => text.startsWith("create table"))) {
        await copy.run(text)
      }
      const gone = [
        await build.guest(event, { first_name: "Gone" }),
        await build.item("pledges", event, { name: "Gone" }),
      ]

      // Twice, because records arrive again.
      for (const _ of [1, 2]) await readPages("insert", { copy, get, statements })
      t.same(await differences(name, copy, get), [])
      const before =
        (await copy.read(`select ${quoted(name, "id")} from ${quoted(name, "guest")}`)).length

      for (const [table, id] of [["guest", gone[0]], ["pledge", gone[1]]] as const) {
        await database.writer.deleteFrom(table).where("event_id", "=", event)
          .where("id", "=", id ?? "").execute()
      }
      t.ok((await differences(name, copy, get)).length > 0, "the copy is old now")
      await readPages("delete", { copy, get, statements })
      // Deletions change the event.
      await readPages("insert", { copy, get, statements })
      t.same(await differences(name, copy, get), [])
      const after =
        (await copy.read(`select ${quoted(name, "id")} from ${quoted(name, "guest")}`)).length
      t.equal(after, before - 1)

      const progress = statements.find(({ about }) => about.startsWith("Keep how far"))?.text ?? ""
      for (const since of [1, 2]) await copy.run(progress, ["/x", since, '"tag"'])
      const [row] = await copy.read(`select * from ${quoted(name, "progress")}`)
      t.same({ ...row, next_since: Number(row?.["next_since"]) }, {
        list: "/x",
        next_since: 2,
        etag: '"tag"',
      })
    },
  )

  await t.test(
    `statements for ${name} escape names, and take the event from a parameter if the records do not say it`,
    { skip },
    async (t) => {
      const copy = await open(t)
      const dialect = dialects.find((each) => each.name === name)
      const statements = dialect ? statementsOf(dialect, family).map(({ text }) => text) : []
      const [insert = "", remove = ""] = ["insert into", "delete"].map((begin) =>
        statements.find((text) => text.startsWith(begin)) ?? ""
      )
      for (const text of statements.filter((text) => text.startsWith("create"))) {
        await copy.run(text)
      }
      const page = JSON.stringify([{ id: one, [odd]: "a", list: null }, {
        id: two,
        [odd]: "b",
        list: [1],
      }])
      for (const event of [three, four]) await copy.run(insert, [page, event])
      await copy.run(remove, [JSON.stringify([{ id: one }]), three])
      const order = ["event_id", "id"].map((each) => quoted(name, each)).join(", ")
      const rows = await copy.read(`select * from ${quoted(name, "guest")} order by ${order}`)
      t.strictSame(
        rows.map((row) =>
          Object.values(row).map((value) => Array.isArray(value) ? JSON.stringify(value) : value)
        ),
        [
          [two, "b", "[1]", three],
          [one, "a", null, four],
          [two, "b", "[1]", four],
        ],
      )
    },
  )
}

/** Lists the records that the copy has otherwise than the service. */
async function differences(
  name: string,
  copy: CopyDatabase,
  get: Awaited<ReturnType<typeof readerFor>>,
): Promise<unknown[]> {
  const guests = await (await get(`/north/v1/events/${event}/guests?since=-1`)).json()
  const bundle = await (await get(`/north/v1/events/${event}/items?since=-1`)).json()
  const events = await (await get("/north/v1/events?since=-1")).json()
  const tables: Readonly<Record<string, Row[]>> = {
    event: events,
    guest: guests,
    buy_now_item: bundle.buyNows,
    auction_item: bundle.auctionItems,
    pledge: bundle.pledges,
    ticket: bundle.tickets,
  }
  const found: unknown[] = []
  for (const [table, expected] of Object.entries(tables)) {
    if (expected.length === 0) throw new Error(`no ${table} to compare`)
    const rows = await copy.read(`select * from ${quoted(name, table)}`)
    const own = table === "event" ? rows : rows.filter((row) => row["event_id"] === event)
    const byId = new Map(own.map((row) => [row["id"], row]))
    if (own.length !== expected.length) found.push([table, own.length, expected.length])
    for (const record of expected) {
      const kept = recordOf(byId.get(record["id"]) ?? {}, record)
      if (JSON.stringify(kept) !== JSON.stringify(record)) found.push([table, kept, record])
    }
  }
  return found
}

/** Runs the statements of each page: those that insert, or those that delete. */
async function readPages(
  what: "insert" | "delete",
  { copy, get, statements }: {
    readonly copy: CopyDatabase
    readonly get: Awaited<ReturnType<typeof readerFor>>
    readonly statements: readonly { readonly about: string; readonly text: string }[]
  },
) {
  const own = statements.filter(({ text }) => text.startsWith(what))
  const byPath = Map.groupBy(own, ({ about }) => / GET (\/\S+?)(,|$)/.exec(about)?.[1])
  for (const [path, each] of byPath) {
    if (path === undefined) continue
    const since = what === "insert" ? "since=-1&" : ""
    let url: string | undefined = `${path.replace(":eventId", event)}?${since}limit=5`
    while (url !== undefined) {
      const response: Response = await get(url.replace(usual.url, ""))
      const body = await response.text()
      for (const { text } of each) await copy.run(text, what === "insert" ? [body] : [body, event])
      url = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
    }
  }
}

/** Returns the statements of a file, with the lines above them. */
function statementsIn(text: string) {
  return text.split("\n\n").slice(1).map((block) => {
    const [about = "", ...lines] = block.split("\n")
    return { about: about.replace("-- ", ""), text: lines.join("\n").trim().replace(/;$/, "") }
  })
}

/** Returns a row as the record that it should be: databases have types of their own. */
function recordOf(row: Row, expected: Row): Row {
  return Object.fromEntries(
    Object.entries(expected).map(([name, wanted]) => {
      const value = row[snake(name)]
      if (value === null || value === undefined) return [name, value]
      if (typeof wanted === "boolean") return [name, value === true || value === 1]
      if (typeof wanted === "number") return [name, Number(value)]
      if (typeof wanted !== "object") return [name, value]
      const object = typeof value === "string" ? JSON.parse(value) : value
      return [name, inOrderOf(object, wanted)]
    }),
  )
}

/** Orders the names of an object like those of another: databases may store them in any order. */
function inOrderOf(value: unknown, wanted: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.map((each, index) => inOrderOf(each, wanted[index]))
  }
  if (typeof value !== "object" || value === null) return value
  const names = Object.keys(wanted ?? {})
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)),
  )
}

function quoted(database: string, name: string): string {
  return database === "mysql" ? `\`${name}\`` : `"${name}"`
}

t.test("/docs/kit/postman.json runs through for each account, and its own tests pass", async (t) => {
  for (const [account, least] of [["partner", 11], ["north-export", 19]] as const) {
    const collection = await (await (await readerFor(account))("/docs/kit/postman.json")).json()
    const { requests, failed } = await runCollection(collection, { password })
    t.strictSame(failed, [])
    t.strictSame(requests.filter(({ status }) => status >= 300), [])
    t.ok(requests.length >= least, `${requests.length} requests`)
    t.match(requests[0], { name: "Log in" })
    t.match(requests.at(-1), { name: "Log out" })
    const wrong = await runCollection(collection, { password: "wrong" })
    t.equal(wrong.failed.length >= requests.length, true, "each request is tested")
  }
})
