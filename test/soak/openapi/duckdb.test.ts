import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import t from "tap"
import { recordsOfCsv } from "../../support/csv-reader.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"
import { insertTricky } from "../../support/tricky-records.ts"

const workshop = await freshWorkshop(t)
const { build } = workshop
const event = await build.event(await build.organization("acme"))
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })
await insertTricky(build, event)
await build.guests(event, 1500)
workshop.write(`  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }`)
const service = await workshop.start()
const get = await logInto(service.fetch, "acme-export")
const folder = mkdtempSync(join(tmpdir(), "event-export-"))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const instance = await DuckDBInstance.create(":memory:")
const duckdb = await instance.connect()
t.teardown(() => {
  duckdb.closeSync()
  instance.closeSync()
})

/** Downloads a list into a file, and returns how DuckDB refers to it. */
async function download(path: string, accept: string): Promise<{ file: string; text: string }> {
  const text = await (await get(`/acme/v1/events/${event}/${path}`, { accept })).text()
  const file = join(folder, `${crypto.randomUUID()}.${accept.includes("csv") ? "csv" : "ndjson"}`)
  writeFileSync(file, text)
  return { file, text }
}

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  return (await duckdb.runAndReadAll(sql)).getRowObjectsJson()
}

/** Returns the types that DuckDB finds, by column. */
async function typesOf(source: string): Promise<Record<string, unknown>> {
  const rows = await rowsOf(`describe select * from ${source}`)
  return Object.fromEntries(rows.map((row) => [String(row["column_name"]), row["column_type"]]))
}

const types = {
  id: "UUID",
  eventId: "UUID",
  firstName: "VARCHAR",
  created: "BIGINT",
  updated: "BIGINT",
  consentAsked: "BOOLEAN",
  consentChannels: "VARCHAR",
  externalId: "VARCHAR",
  smsOptIn: "BOOLEAN",
  companyName: "VARCHAR",
}

for (const path of ["guests", "guests/export"]) {
  const isExport = path.endsWith("export")

  t.test(`DuckDB reads …/${path} as CSV with types, and every cell`, async (t) => {
    const { file, text } = await download(path, "text/csv")
    // DuckDB finds out all types of CSV but that of UUIDs.
    const source = `read_csv('${file}', types = { "id": 'UUID', "eventId": 'UUID' })`
    t.match(await typesOf(source), { ...types, "mainAddress.town": "VARCHAR" })
    const plain = `read_csv('${file}', allow_quoted_nulls = false, all_varchar = true)`
    const found = await rowsOf(`select * from ${plain}`)
    t.equal(found.length, isExport ? 1514 : 1000)
    t.strictSame(found, recordsOfCsv(text))
  })

  t.test(`DuckDB reads …/${path} as NDJSON with types, and every value`, async (t) => {
    const { file, text } = await download(path, "application/x-ndjson")
    const source = `read_json('${file}', format = 'newline_delimited', sample_size = -1)`
    const found = await typesOf(source)
    t.match(found, { ...types, mainAddress: /^STRUCT\("?name"? VARCHAR, line1 VARCHAR, line2 / })
    const where = isExport ? `where "end" is null` : ""
    const records = await rowsOf(
      `select to_json(r) as record from (select * ${
        isExport ? 'exclude ("end")' : ""
      } from ${source} ${where}) r`,
    )
    const lines = text.trimEnd().split("\n")
    if (isExport) lines.pop()
    t.strictSame(
      records.map(({ record }) => JSON.parse(String(record))),
      lines.map((line) => JSON.parse(line)),
    )
    if (!isExport) return
    const [end] = await rowsOf(`select "end".count as count from ${source} where "end" is not null`)
    t.equal(Number(end?.["count"]), records.length)
  })
}

t.test("DuckDB reads …/items/export as CSV: lists joined, lists of objects as JSON", async (t) => {
  const { file } = await download("items/export", "text/csv")
  const [lot] = await rowsOf(
    `select category, categories, json_array_length(increments) as steps, "startPrice", "externalId"
    from read_csv('${file}', types = { "externalId": 'VARCHAR' })
    where category = 'auctionItems'`,
  )
  t.match(lot, {
    category: "auctionItems",
    categories: "art, =wine",
    steps: "2",
    externalId: "007",
  })
})
