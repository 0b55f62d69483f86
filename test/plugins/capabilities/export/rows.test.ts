import t from "tap"
import { gunzipSync } from "node:zlib"
import { fillElsewhere, onEveryApp } from "../../../support/app.ts"
import { readCsv, recordsOfCsv, withoutGuard } from "../../../support/csv-reader.ts"
import { cellsOf, filled, rowsOfBody } from "../../../support/flat-rows.ts"
import { linkOf } from "../../../support/polling/link.ts"
import { insertTricky } from "../../../support/tricky-records.ts"

const ndjson = "application/x-ndjson"

await onEveryApp(
  t,
  async (t, app) => {
    const { build } = app
    const organization = await build.organization("acme")
    await build.account("acme-export", "service")
    await build.account("partner")
    for (const name of ["acme-export", "partner"]) await build.grant(name, { organization: "acme" })
    const event = await build.event(organization)
    await insertTricky(build, event)
    for (const id of await build.guests(event, 2)) {
      await app.database.writer.deleteFrom("guest").where("id", "=", id).execute()
    }
    const gone = await build.item("tickets", event)
    await app.database.writer.deleteFrom("ticket").where("id", "=", gone).execute()

    const families = [
      { prefix: "/acme/v1", get: await app.logIn("acme-export") },
      { prefix: "/connector-b/v1", get: await app.logIn("partner") },
    ]
    for (const { prefix, get } of families) {
      const of = `${prefix}/events/${event}`
      const as = (path: string, accept: string, headers: Record<string, string> = {}) =>
        get(path, { headers: { accept, ...headers } })
      const lists = [
        `${prefix}/events`,
        `${of}/guests`,
        `${of}/guests/deletions`,
        `${of}/items`,
        `${of}/items/deletions`,
      ]
      for (const path of lists) {
        await t.test(`GET ${path} has the same records in all forms`, async (t) => {
          const rows = rowsOfBody(await (await get(path)).json())
          t.ok(rows.length > 0)
          const lines = (await (await as(path, ndjson)).text()).split(/[\n\u0085\u2028\u2029]/)
          t.equal(lines.pop(), "", "each line ends")
          t.strictSame(lines.map((line) => JSON.parse(line)), rows)
          t.strictSame(
            lines.map((line) => Object.keys(JSON.parse(line))),
            rows.map((row) => Object.keys(row)),
          )
          const text = await (await as(path, "text/csv")).text()
          t.strictSame(recordsOfCsv(text).map(filled), rows.map((row) => cellsOf(row)))
        })
      }

      await t.test(`GET ${of}/guests answers HEAD, compressed and by pages in each form`, async (t) => {
        for (const accept of [ndjson, "text/csv"]) {
          const whole = await (await as(`${of}/guests`, accept)).text()
          const headers = { accept, "accept-encoding": "identity" }
          const head = await get(`${of}/guests`, { method: "HEAD", headers })
          t.equal(
            head.headers.get("content-length"),
            String(new TextEncoder().encode(whole).length),
          )
          const pages: string[] = []
          for (let path: string | undefined = `${of}/guests?limit=4`; path;) {
            const response = await as(path, accept)
            pages.push(await response.text())
            path = linkOf(response)
          }
          t.equal(pages.length, 4)
          const header = accept === ndjson ? "" : `${whole.split("\r\n")[0]}\r\n`
          t.equal(header + pages.map((page) => page.slice(header.length)).join(""), whole)
        }
      })
    }

    const { prefix, get } = families[0] as (typeof families)[number]
    const of = `${prefix}/events/${event}`
    const as = (path: string, accept: string) => get(path, { headers: { accept } })

    for (const path of ["/acme/v1/events", `${of}/guests`, `${of}/items/deletions`]) {
      await t.test(`GET ${path} has a tag and 304 per form`, async (t) => {
        const csv = ["", "header=absent", "bom=true", "for=spreadsheet"]
        const forms = ["*/*", ndjson, ...csv.map((wish) => `text/csv; ${wish}`)]
        const tags: string[] = []
        for (const accept of forms) {
          const { headers } = await as(path, accept)
          t.match(headers.get("vary"), /^Accept, /)
          tags.push(headers.get("etag") ?? "")
        }
        for (const [at, accept] of forms.entries()) {
          for (const [other, tag] of tags.entries()) {
            const response = await get(path, { headers: { accept, "if-none-match": tag } })
            t.equal(response.status, at === other ? 304 : 200, `${accept} with ${tag}`)
          }
        }
      })
    }

    await t.test("GET …/guests goes on in each form, whatever followed the same page before", async (t) => {
      const records = await (await get(`${of}/guests`)).json() as { updated: number }[]
      const newest = records[0]?.updated
      const limit = records.filter(({ updated }) => updated === newest).length
      t.ok(limit < records.length)
      for (const accept of [ndjson, "text/csv"]) {
        const last = await as(`${of}/guests?limit=${limit}&since=${newest}`, accept)
        t.equal(linkOf(last), undefined)
        const first = await as(`${of}/guests?limit=${limit}`, accept)
        t.ok(linkOf(first), accept)
        t.equal(await first.text(), await last.text())
      }
    })

    await t.test("GET …/guests as CSV has columns by field, a type and a name", async (t) => {
      const response = await as(`${of}/guests?limit=1`, "text/csv")
      t.equal(response.headers.get("content-type"), "text/csv; charset=utf-8; header=present")
      t.match(
        response.headers.get("content-disposition"),
        new RegExp(`^attachment; filename="guests-${event}-20\\d\\d-\\d\\d-\\d\\d.csv"$`),
      )
      const text = await response.text()
      const [names = []] = readCsv(text)
      t.ok(names.includes("firstName") && names.includes("mainAddress.line1"))
      const absent = await as(`${of}/guests?limit=1`, "text/csv; header=absent")
      t.equal(absent.headers.get("content-type"), "text/csv; charset=utf-8; header=absent")
      t.equal(await absent.text(), text.slice(text.indexOf("\r\n") + 2))
      const marked = new Uint8Array(
        await (await as(`${of}/guests?limit=1`, "text/csv; bom=true")).arrayBuffer(),
      )
      t.strictSame([...marked.slice(0, 3)], [0xef, 0xbb, 0xbf])
    })

    await t.test("GET …/guests as CSV has the values themselves, and for spreadsheets no formulas", async (t) => {
      const exact = readCsv(await (await as(`${of}/guests`, "text/csv; end=line")).text())
      const response = await as(`${of}/guests`, "text/csv; for=spreadsheet; end=line")
      t.equal(
        response.headers.get("content-type"),
        "text/csv; charset=utf-8; header=present; for=spreadsheet",
        "a page has no end line",
      )
      const safe = readCsv(await response.text())
      const at = exact[0]?.indexOf("mobile") ?? -1
      t.ok(exact.some((row) => row[at] === " +44 20"))
      t.ok(safe.some((row) => row[at] === "' +44 20"))
      t.strictSame(safe.map((row) => row.map((cell) => cell && withoutGuard(cell))), exact)
    })

    await t.test("GET …/guests as NDJSON has the type asked for, and JSON if it is no list", async (t) => {
      const { headers } = await as(`${of}/guests`, "application/jsonl; end=absent")
      t.match(headers.get("content-type"), "application/jsonl")
      t.equal(headers.get("content-disposition"), null)
      const lists = { guests: "text/html, */*;q=0.1", "guests/digest": "text/csv" }
      for (const [path, accept] of Object.entries(lists)) {
        const json = await as(`${of}/${path}`, accept)
        t.equal(json.headers.get("content-type"), "application/json; charset=utf-8", path)
      }
    })

    await t.test("GET …/guests as CSV is compressed like JSON", async (t) => {
      const plain = await (await as(`${of}/guests`, "text/csv")).text()
      const headers = { accept: "text/csv", "accept-encoding": "gzip" }
      const response = await get(`${of}/guests`, { headers })
      t.match(response.headers.get("etag"), /-gzip"$/)
      const json = await get(`${of}/guests`, { headers: { "accept-encoding": "gzip" } })
      t.not(response.headers.get("etag"), json.headers.get("etag"), "a tag is of one form")
      const bytes = await response.bytes()
      // A client that decodes by itself has decoded already.
      t.equal(new TextDecoder().decode(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes), plain)
    })

    await t.test("GET …/items?category= has only that category, in each form", async (t) => {
      const whole = await (await get(`${of}/items`)).json() as Record<string, unknown[]>
      const path = `${of}/items?category=tickets&limit=1`
      const response = await get(path)
      const first = await response.json()
      const [ticket] = whole["tickets"] ?? []
      const empty = Object.fromEntries(Object.keys(whole).map((name) => [name, []]))
      t.strictSame(first, { ...empty, tickets: [ticket] })
      t.strictSame(Object.keys(first), Object.keys(whole))
      t.equal(response.headers.get("more"), "tickets")
      const second = await (await get(`${linkOf(response)}&category=tickets`)).json()
      t.strictSame(second, { ...empty, tickets: whole["tickets"]?.slice(1) })
      const names = readCsv(await (await as(path, "text/csv")).text())[0]
      t.equal(names?.[0], "category")
      t.ok(names?.includes("admits"))
      t.notOk(names?.includes("lotNumber"), "other categories have no columns")
      const next = await (await as(linkOf(response) ?? "", "text/csv")).text()
      t.strictSame(readCsv(next)[0], names, "nor on the next page")
      const rows = (await (await as(`${of}/items?category=tickets`, ndjson)).text()).trim().split(
        "\n",
      )
      t.strictSame(
        rows.map((line) => JSON.parse(line)),
        whole["tickets"]?.map((record) => ({ category: "tickets", ...record as object })),
      )
    })

    await t.test("GET …/items refuses an unknown category, and another one than the cursor's", async (t) => {
      const first = await get(`${of}/items?category=tickets&limit=1`)
      const paths = [
        `${of}/items?category=guests`,
        `${linkOf(first)}&category=pledges`,
        `${of}/guests?category=tickets`,
      ]
      for (const path of paths) t.equal((await get(path)).status, 400, path)
    })
  },
  fillElsewhere,
  { needsCapabilities: true },
)
