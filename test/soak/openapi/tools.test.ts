import { DuckDBInstance } from "@duckdb/node-api"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { runInNewContext } from "node:vm"
import t, { type Test } from "tap"
import { categories } from "../../../core/records/kinds/categories.ts"
import { password, past } from "../../support/builder.ts"
import { readCsv } from "../../support/csv-reader.ts"
import { openStage } from "./stage.ts"

type Row = Readonly<Record<string, unknown>>
/** Rows by category. */
type Copy = ReadonlyMap<string, readonly Row[]>

const { usual, workshop: { build, database } } = await openStage(t)
const { id: north } = await database.writer.selectFrom("organization").select("id")
  .where("slug", "=", "north").executeTakeFirstOrThrow()

/** Opens an account without events. It makes a token for the tool. */
async function openAccount(username: string) {
  await build.account(username)
  const post = (path: string, body: unknown, headers = {}) =>
    fetch(usual.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
  const { headers } = await post("/session", { username, password })
  const [cookie = ""] = headers.getSetCookie()[0]?.split(";") ?? []
  const made = await post("/session/tokens", { name: "tool", lifetime: 86_400 }, { cookie })
  const { token } = await made.json()
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(usual.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  /** Returns a file to download, which names an event, if that is said. */
  const file = async (name: string, event?: string) => {
    const path = event === undefined ? "/connector-b/v1" : `/connector-b/v1/events/${event}`
    return await (await get(`/docs/${name}?event=${encodeURIComponent(path)}`)).text()
  }
  return { token, get, file }
}

/**
 * Syncs three times. Before the second, the account may read another event, which is older and has the same ids; there
 * are changes and deletions of all kinds. Compares what the tool has with the tables.
 */
async function testThreeSyncs(
  t: Test,
  account: string,
  sync: () => Promise<Copy>,
): Promise<void> {
  const fill = async (event: string) => {
    await build.guests(event, 25)
    await build.items("tickets", event, 12)
    await build.items("auctionItems", event, 3)
  }
  const first = await build.event(north, { name: "First" })
  await build.grant(account, { event: first })
  await fill(first)
  t.strictSame(linesOf(await sync()), await truthOf([first]), "the first sync")

  const second = await build.event(north, { name: "Second", updated: past })
  await fill(second)
  const guests = await idsOf("guest", first)
  const tickets = await idsOf("ticket", first)
  const { writer } = database
  await writer.deleteFrom("guest").where("event_id", "=", first)
    .where("id", "in", guests.slice(0, 2)).execute()
  await writer.deleteFrom("ticket").where("event_id", "=", first)
    .where("id", "in", tickets.slice(3, 5)).execute()
  await writer.updateTable("guest").set({ last_name: "Byron" }).where("event_id", "=", first)
    .where("id", "=", guests[7] ?? "").execute()
  await build.grant(account, { event: second })
  t.strictSame(
    linesOf(await sync()),
    await truthOf([first, second]),
    "after a grant and deletions",
  )

  await writer.deleteFrom("guest").where("event_id", "=", second)
    .where("id", "in", guests.slice(2, 4)).execute()
  await build.guest(second, { updated: Math.floor(Date.now() / 1000) })
  t.strictSame(linesOf(await sync()), await truthOf([first, second]), "after a third sync")
}

async function idsOf(table: "guest" | "ticket", event: string): Promise<string[]> {
  const rows = await database.writer.selectFrom(table).select("id").where("event_id", "=", event)
    .orderBy("id").execute()
  return rows.map(({ id }) => id)
}

/** What is in the tables of some events: a line per record. */
async function truthOf(events: readonly string[]): Promise<string[]> {
  const lines = await Promise.all(
    Object.entries(categories).map(async ([category, table]) => {
      const rows = await database.writer.selectFrom(table as "guest")
        .select(["event_id", "id", "updated"]).where("event_id", "in", events).execute()
      return rows.map((row) => `${category} ${row.event_id} ${row.id} ${row.updated}`)
    }),
  )
  return lines.flat().sort()
}

function linesOf(copy: Copy): string[] {
  const lines = [...copy].flatMap(([category, rows]) =>
    rows.map((row) => `${category} ${row["eventId"]} ${row["id"]} ${row["updated"]}`)
  )
  return lines.sort()
}

t.test(
  "/docs/dlt.py reads events that were granted after the first sync, all items, and deletions",
  {
    skip: spawnSync("python3", ["--version"]).status !== 0 && "there is no python3",
  },
  async (t) => {
    const { token, file } = await openAccount("dlt")
    const folder = t.testdir()
    const program = resolve("test/soak/openapi/dlt-stand-in.py")
    await testThreeSyncs(t, "dlt", async () => {
      writeFileSync(join(folder, "dlt.py"), await file("dlt.py"))
      const env = { ...process.env, TOKEN: token }
      const run = spawn("python3", [program, "dlt.py", "."], { cwd: folder, env })
      const [[code], errors] = await Promise.all([once(run, "exit"), text(run.stderr)])
      t.equal(code, 0, errors)
      const { tables } = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"))
      t.ok(Object.keys(tables.event).length > 0)
      return new Map(
        Object.keys(categories).map((category) => [
          category,
          Object.values<Row>(tables[snake(category)] ?? {}),
        ]),
      )
    })
  },
)

t.test("files for tools that read a list get all guests of the event", async (t) => {
  const { token, get, file } = await openAccount("lists")
  const event = await build.event(north)
  await build.grant("lists", { event })
  await build.guests(event, 1100)
  await build.guest(event, { first_name: "=1+1", mobile: "+447700900123" })
  const ids = (await idsOf("guest", event)).sort()

  await t.test("google-sheets.gs", async (t) => {
    const script = await file("google-sheets.gs", event)
    let answer = ""
    let asked: { url: string; headers: Record<string, string> } | undefined
    const written: string[][] = []
    // Stands in for the services of Google that the script uses.
    const google = {
      UrlFetchApp: {
        fetch: (url: string, { headers }: { headers: Record<string, string> }) => {
          asked = { url, headers }
          return { getContentText: () => answer }
        },
      },
      PropertiesService: {
        getScriptProperties: () => ({
          getProperty: (name: string) => name === "TOKEN" ? token : null,
        }),
      },
      Utilities: { parseCsv: (csv: string) => csv === "" ? [[""]] : readCsv(csv) },
      SpreadsheetApp: {
        getActive: () => ({
          getSheetByName: () => null,
          insertSheet: () => ({
            clear: () => written.splice(0),
            getRange: (...place: number[]) => ({
              setNumberFormat: () => ({
                setValues: (rows: string[][]) => {
                  t.strictSame(place, [1, 1, rows.length, rows[0]?.length])
                  written.push(...rows)
                },
              }),
            }),
          }),
        }),
      },
    }
    runInNewContext(`${script}\nrefresh()`, google)
    answer = await (await fetch(asked?.url ?? "", { headers: asked?.headers ?? {} })).text()
    runInNewContext(`${script}\nrefresh()`, google)
    const [names = [], ...rows] = written
    t.strictSame(rows.map((row) => row[names.indexOf("id")]).sort(), ids)
  })

  await t.test("duckdb.sql", async (t) => {
    const sql = await file("duckdb.sql", event)
    const [select = ""] = /^select[^]*/m.exec(sql) ?? []
    const [, url = ""] = /read_json\('([^']+)'/.exec(select) ?? []
    const place = join(t.testdir(), "guests.ndjson")
    writeFileSync(place, await (await get(url.replace(usual.url, ""))).text())
    const instance = await DuckDBInstance.create(":memory:")
    const connection = await instance.connect()
    t.teardown(() => {
      connection.closeSync()
      instance.closeSync()
    })
    const rows = (await connection.runAndReadAll(select.replace(url, place))).getRowObjectsJson()
    t.strictSame(rows.map((row) => row["id"]).sort(), ids)
  })

  await t.test("power-query.m", async (t) => {
    const query = await file("power-query.m", event)
    const [, family = "", path] =
      /Contents\("([^"]+)", \[\s+RelativePath = "([^"]+)"/.exec(query) ?? []
    const place = `${family.replace(usual.url, "")}/${path}?since=-1`
    const csv = await (await get(place, { accept: "text/csv" })).text()
    const [names = [], ...rows] = readCsv(csv)
    const found = rows.filter((row) => row.length === names.length)
    t.strictSame(found.map((row) => row[names.indexOf("id")]).sort(), ids)
  })
})

/** Writes `auctionItems` as `auction_items`, as dlt does. */
function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
