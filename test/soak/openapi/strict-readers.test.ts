import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual, promisify } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import { PGlite } from "@electric-sql/pglite"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { cutMark } from "../../../plugins/capabilities/export/row-form.ts"
import { cellsOf, filled, type Row } from "../../support/flat-rows.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"
import { insertTricky, trickyTexts } from "../../support/tricky-records.ts"

/** More than DuckDB looks at to find out what a file is. */
const many = 21_000

const workshop = await freshWorkshop(t)
const { build, database: { writer } } = workshop
const event = await build.event(await build.organization("acme"))
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })
await build.guests(event, many)
await writer.updateTable("guest").set({ mobile: sql`'+44' || updated` }).execute()
await insertTricky(build, event)
workshop.write(`  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }`)
const service = await workshop.start()
const get = await logInto(service.fetch, "acme-export")
const folder = mkdtempSync(join(tmpdir(), "event-export-"))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** Downloads the export of all guests into a file. */
async function download(accept: string): Promise<string> {
  const response = await get(`/acme/v1/events/${event}/guests/export`, { accept })
  const file = join(folder, `${crypto.randomUUID()}.${accept.includes("csv") ? "csv" : "ndjson"}`)
  writeFileSync(file, await response.bytes())
  return file
}

const linesFile = await download("application/x-ndjson; end=absent")
const csvFile = await download("text/csv")
const cutFile = join(folder, "cut.csv")
writeFileSync(cutFile, readFileSync(csvFile, "utf8") + cutMark({ extension: "csv" }))
/** The cells of all records, as JSON has them. */
const records = readFileSync(linesFile, "utf8")
  .trimEnd().split("\n").map((line) => filled(cellsOf(JSON.parse(line) as Row)))

/** Checks that a reader has found the guests and the telephone numbers of the table, and all cells. */
async function check(t: Test, found: readonly Row[], isEmpty: (cell: unknown) => boolean) {
  t.equal(found.length, many + trickyTexts.length)
  const table = await writer.selectFrom("guest").select(["id", "mobile"])
    .where("event_id", "=", event).execute()
  const mobiles = new Map(table.map(({ id, mobile }) => [id, mobile]))
  t.equal(mobiles.size, found.length)
  const wrong = found.filter(({ id, mobile }) => (mobile ?? "") !== mobiles.get(String(id)))
  t.strictSame(wrong.slice(0, 3), [], "the telephone numbers are those of the table")
  const cells = new Map(records.map((record) => [record["id"], record]))
  const without = (row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([, cell]) => !isEmpty(cell)))
  const other = found.filter((row) =>
    !isDeepStrictEqual(without(row), without(cells.get(String(row["id"])) ?? {}))
  )
  t.strictSame(other.slice(0, 3), [], "so are all cells")
}

t.test("DuckDB reads exports with its default options", async (t) => {
  const instance = await DuckDBInstance.create(":memory:")
  const duckdb = await instance.connect()
  t.teardown(() => {
    duckdb.closeSync()
    instance.closeSync()
  })
  const rowsOf = async (source: string) => {
    const sql = `select id::varchar as id, mobile, "firstName", "companyName" from ${source}`
    return (await duckdb.runAndReadAll(sql)).getRowObjectsJson() as Row[]
  }
  const table = await writer.selectFrom("guest")
    .select(["id", "mobile", "first_name as firstName", "company_name as companyName"])
    .where("event_id", "=", event).execute()
  const expected = new Map(table.map((row) => [row.id, row]))
  for (const [reader, file] of [["read_csv", csvFile], ["read_json", linesFile]] as const) {
    await t.test(reader, async (t) => {
      const rows = await rowsOf(`${reader}('${file}')`)
      t.equal(rows.length, table.length)
      // It takes a pair of quotes for null, as it takes an empty cell.
      const plain = (row: Row = {}) =>
        Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text ?? ""]))
      const wrong = rows.filter((row) =>
        !isDeepStrictEqual(plain(row), plain(expected.get(String(row["id"]))))
      )
      t.strictSame(wrong.slice(0, 3), [])
    })
  }
  await t.rejects(rowsOf(`read_csv('${cutFile}')`), "nor is a part taken for the whole")
})

const python = `
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
  print(json.dumps(list(csv.DictReader(file, strict=True))))`

const run = promisify(execFile)
const skip = await run("python3", ["--version"]).then(() => false, () => "there is no python3")

t.test("Python's DictReader reads an export, and every cell", { skip }, async (t) => {
  const { stdout } = await run("python3", ["-c", python, csvFile], { maxBuffer: 1_000_000_000 })
  // It does not tell an empty cell from empty text.
  await check(t, JSON.parse(stdout), (cell) => cell === "")
  await t.rejects(run("python3", ["-c", python, cutFile]), "nor is a part taken for the whole")
})

t.test("COPY of PostgreSQL reads an export, and every cell", async (t) => {
  const database = await PGlite.create()
  t.teardown(() => database.close())
  const blob = new Blob([readFileSync(csvFile)])
  const cut = new Blob([readFileSync(cutFile)])
  const [header = ""] = (await blob.text()).split("\r\n")
  const columns = header.split(",").map((name) => `"${name}" text`)
  await database.exec(`create table guest (${columns.join(", ")})`)
  const copy = "copy guest from '/dev/blob' (format csv, header match)"
  const failure = await database.query(copy, [], { blob: cut }).catch(({ message }) => message)
  t.match(failure, /unterminated CSV quoted field/, "nor is a part taken for the whole")
  await database.query(copy, [], { blob })
  const { rows } = await database.query<Row>("select * from guest")
  await check(t, rows, (cell) => cell === null)
})
