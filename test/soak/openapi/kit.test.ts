// @ts-expect-error: newman has no types of its own
import newman from "newman"
import t from "tap"
import { snake } from "../../../plugins/documents/kit/model.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { password } from "../../support/builder.ts"
import { insertTricky } from "../../support/tricky-records.ts"
import { type CopyDatabase, copyDatabases } from "./kit-databases.ts"
import { openStage } from "./stage.ts"

type Row = Readonly<Record<string, unknown>>

const { cookie, usual, workshop: { build, database } } = await openStage(t)
const { id: north } = await database.writer.selectFrom("organization").select("id")
  .where("slug", "=", "north").executeTakeFirstOrThrow()
const event = await build.event(north)
await insertTricky(build, event)

/** Returns a function that reads as an account. */
async function readerFor(account: string) {
  const headers = { cookie: await cookie(account) }
  return (path: string) => fetch(usual.url + path, { headers })
}

const get = await readerFor("north-export")

for (const [name, { skip, open }] of Object.entries(copyDatabases)) {
  await t.test(
    `/docs/kit/${name}.sql makes a copy that stays equal, through deletions and an event that comes later`,
    { skip },
    async (t) => {
      const copy = await open(t)
      const statements = statementsIn(await (await get(`/docs/kit/${name}.sql`)).text())
      const run = async (about: string, parameters: readonly string[]) => {
        for (const each of statements.filter((each) => each.about.startsWith(about))) {
          await copy.run(each.text, parameters)
        }
      }
      const progressOf = async (event: string) => {
        const rows = await copy.read(`select * from ${quoted(name, "progress")}`)
        return String(rows.find((row) => row["event_id"] === event)?.["next"] ?? "")
      }
      /** Does what the file says: reads on from what it kept, and runs the statements of each page. */
      const poll = async () => {
        await run("Insert or replace events", [
          await (await get("/north/v1/events?since=-1")).text(),
        ])
        let pages = 0
        for (const { id } of await copy.read(`select * from ${quoted(name, "event")}`)) {
          for (let more = true; more; pages++) {
            const after = encodeURIComponent(await progressOf(String(id)))
            const path = `/north/v1/events/${id}/changes?limit=5&after=${after}`
            const body = await (await get(path)).text()
            const page = statements.filter(({ about }) =>
              /^(Insert or replace the|Delete|Keep)/.test(about)
            )
            for (const { text } of page) await copy.run(text, [body, String(id)])
            more = JSON.parse(body).more
          }
        }
        return pages
      }
      await run("Create", [])
      const gone = [
        await build.guest(event, { first_name: "Gone" }),
        await build.item("pledges", event, { name: "Gone" }),
      ]
      t.ok(await poll() > 3, "several pages")
      t.same(await differences(name, copy, event), [])
      t.not(await progressOf(event), "")

      // Another event has the same ids, and keeps them.
      const later = await build.event(north)
      await insertTricky(build, later)
      for (const [table, id = ""] of [["guest", gone[0]], ["pledge", gone[1]]] as const) {
        await (table === "guest"
          ? build.guest(later, { id })
          : build.item("pledges", later, { id }))
        await database.writer.deleteFrom(table).where("event_id", "=", event)
          .where("id", "=", id).execute()
      }
      await database.writer.updateTable("ticket").set({ name: `For ${name}` })
        .where("event_id", "=", event).execute()
      t.ok((await differences(name, copy, event)).length > 0, "the copy is old now")
      await poll()
      for (const each of [event, later]) t.same(await differences(name, copy, each), [])
    },
  )
}

/** Lists the records that the copy has otherwise than the service. */
async function differences(name: string, copy: CopyDatabase, event: string): Promise<unknown[]> {
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
    const { requests, failed } = await runCollection(collection, password)
    t.strictSame(failed, [])
    t.strictSame(requests.filter(({ status }) => status >= 300), [])
    t.ok(requests.length >= least, `${requests.length} requests`)
    t.match(requests[0], { name: "Log in" })
    t.match(requests.at(-1), { name: "Log out" })
    const wrong = await runCollection(collection, "wrong")
    t.match(wrong.requests, [{ name: "Log in", status: 401 }])
    t.equal(wrong.requests.length, 1, "it stops there")
    t.equal(wrong.failed.length, 1)
  }
})

/** The part of newman's summary that is read here. */
interface Summary {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string }
      readonly response?: { readonly code: number }
    }[]
    readonly failures: readonly {
      readonly error: Error
      readonly source?: { readonly name: string }
    }[]
  }
}

/** Sends all the requests of a Postman collection in order. Returns them, and the tests in it that failed. */
async function runCollection(collection: Json, password: string) {
  const environment = { values: [{ key: "password", value: password, enabled: true }] }
  const { run } = await new Promise<Summary>((resolve, reject) => {
    const options = { collection, environment, reporters: [] }
    newman.run(
      options,
      (error: Error | null, summary: Summary) => error ? reject(error) : resolve(summary),
    )
  })
  return {
    requests: run.executions.map(({ item: { name }, response }) => ({
      name,
      status: response?.code ?? 0,
    })),
    failed: run.failures.map(({ error, source }) => `${source?.name}: ${error.message}`),
  }
}
