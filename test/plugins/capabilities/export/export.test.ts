import { once } from "node:events"
import { get as open, type IncomingMessage } from "node:http"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual, promisify } from "node:util"
import zlib from "node:zlib"
import t, { type Test } from "tap"
import { startListening, stopListening } from "../../../../core/kernel/listening.ts"
import type { Service } from "../../../../core/kernel/service.ts"
import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { type Engine, onEmbedded, onEveryEngine } from "../../../support/database.ts"
import { recordsOfCsv } from "../../../support/csv-reader.ts"
import { readExport } from "../../../support/export-reader.ts"
import { cellsOf, filled, rowsOfBody } from "../../../support/flat-rows.ts"
import { killEach } from "../../../support/mysql/processes.ts"
import { linkOf } from "../../../support/polling/link.ts"
import { freshWorkshop, type Get, logInto, type Workshop } from "../../../support/service.ts"
import { usedOf } from "../../../support/quota.ts"
import { insertTricky } from "../../../support/tricky-records.ts"

const plugins = `  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }
  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`

/** More than what waits to be sent: without a reader, an export of so many stops in the middle. */
const many = 8000

const halls = new Map<Engine, Promise<Hall>>()

await onEveryEngine(t, async (t, engine) => {
  const hall = await hallOf(engine)
  await t.test("GET …/export has the records of all pages, in each form and family", async (t) => {
    const { workshop, event, logIn } = await stage(hall)
    await insertTricky(workshop.build, event)
    await workshop.build.items("pledges", event, 1010)
    for (const [name, prefix] of [["acme-export", "/acme/v1"], ["partner", "/connector-b/v1"]]) {
      const get = await logIn(name ?? "")
      for (const list of ["guests", "items"]) {
        const of = `${prefix}/events/${event}/${list}`
        const rows = await walk(get, of)
        const response = await get(`${of}/export`)
        t.equal(response.status, 200)
        t.match(Object.fromEntries(response.headers), {
          "content-type": "application/x-ndjson",
          "content-disposition": new RegExp(`"${list}-${event}-.*ndjson"$`),
          "cache-control": "private, no-store",
          vary: /^Accept, /,
          "next-since": /^\d+$/,
          "poll-interval": "60",
          ratelimit: /burst/,
        })
        const whole = readExport(await response.text())
        t.strictSame(byCategory(whole.rows), byCategory(rows))
        t.equal(whole.next, null)
        const flat = await get(`${of}/export`, { accept: "text/csv" })
        t.match(flat.headers.get("content-disposition"), new RegExp(`"${list}-${event}-.*csv"$`))
        const cells = recordsOfCsv(await flat.text())
        t.strictSame(byCategory(cells.map(filled)), byCategory(rows.map((row) => cellsOf(row))))
      }
    }
  })

  await t.test("GET …/export ends at its limit with the URL of the rest", async (t) => {
    const { workshop, event, get } = await stage(hall, "export: { records: 1300 }")
    await insertTricky(workshop.build, event)
    for (const category of ["buyNows", "tickets"] as const) {
      await workshop.build.items(category, event, 700)
    }
    await workshop.build.guests(event, 1400)
    for (
      const [list, limit] of [["items", 300], ["items", 1000], ["guests", 1001], ["guests", 9999]]
    ) {
      const of = `/connector-b/v1/events/${event}/${list}`
      const rows: unknown[] = []
      const nexts = new Set<string | null>()
      const counts: number[] = []
      for (let path: string | null = `${of}/export?since=-1&limit=${limit}`; path;) {
        const response = await get(path)
        nexts.add(response.headers.get("next-since"))
        const part = readExport(await response.text())
        rows.push(...part.rows)
        counts.push(part.rows.length)
        t.not(part.next, path)
        path = part.next && part.next.replace("http://localhost", "")
      }
      t.ok(
        isDeepStrictEqual(byCategory(rows as Row[]), byCategory(await walk(get, of, "since=-1&"))),
      )
      t.ok(
        counts.slice(0, -1).every((count) => count === Math.min(Number(limit), 1300)),
        `${counts}`,
      )
      t.equal(nexts.size, 1, "Next-Since is that of the beginning")
    }
    const ofOne = `/connector-b/v1/events/${event}/items/export?category=tickets&limit=700`
    const one = await read(get, ofOne)
    t.equal(one.rows.length, 700)
    t.ok(one.rows.every(({ category }) => category === "tickets"))
  })

  await t.test("GET …/export in the middle: an error cuts it, and so does a client that goes", async (t) => {
    const { workshop, service, large: event, get } = await stage(hall)
    const listening = await startListening(service)
    t.teardown(() => listening.close())
    const gone = await openExport(listening.url, event, get.cookie)
    gone.destroy()
    await endings(workshop, 1)
    t.match(await lastEntry(workshop), { status: 200, ending: "cut" })
    t.notOk("code" in await lastEntry(workshop), "that is no error")
    if (engine === "sqlite") return
    const broken = await get(`/connector-b/v1/events/${event}/guests/export`)
    await killOthers(workshop)
    await t.rejects(broken.text(), "the response is not whole")
    await endings(workshop, 2)
    t.match(await lastEntry(workshop), { ending: "cut", code: "unavailable" })
  })

  await t.test("GET …/export is one snapshot, and reads no further than its client", async (t) => {
    const { workshop, event, get } = await stage(hall)
    const ids = await workshop.build.guests(event, 3000)
    const of = `/connector-b/v1/events/${event}/guests`
    const before = await walk(get, of, "", 1000)
    const response = await get(`${of}/export`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const first = await reader.read()
    const { writer } = workshop.database
    await writer.updateTable("guest").set({ first_name: "Changed" }).where("event_id", "=", event)
      .execute()
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "in", ids.slice(-50))
      .execute()
    await workshop.build.guests(event, 10)
    t.equal(workshop.entries.filter(isExport).length, 0, "it still runs")
    const chunks = [first.value as Uint8Array]
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
    }
    const { rows } = readExport(await new Blob(chunks as BlobPart[]).text())
    t.ok(isDeepStrictEqual(rows, before))
    t.notOk(rows.some(({ firstName }) => firstName === "Changed"))
    const since = Number(response.headers.get("next-since"))
    const changed = await walk(get, of, `since=${since}&`, 1000)
    t.equal(changed.length, ids.length - 50, "the next poll has what has changed since")
  })
})

await onEmbedded(t, async (t, engine) => {
  const hall = await hallOf(engine)
  await t.test("GET …/export has what the client wishes of its form, and says so", async (t) => {
    const { workshop, event, get } = await stage(hall)
    await insertTricky(workshop.build, event)
    const path = `/connector-b/v1/events/${event}/guests/export`
    const textOf = async (accept: string) => {
      const bytes = await (await get(path, { accept })).bytes()
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    }
    const csv = await textOf("text/csv")
    t.equal(await textOf("text/csv; header=absent"), csv.slice(csv.indexOf("\r\n") + 2))
    t.equal(await textOf("text/csv; bom=true"), `\ufeff${csv}`)
    t.equal(await textOf("text/csv; end=x; for=x; header=x; x=y"), csv, "nothing that is known")
    t.ok((await textOf("text/csv; for=spreadsheet")).includes(",'=1+1,") && csv.includes(",=1+1,"))
    const ofLines = ["x-ndjson", "ndjson", "jsonl", "x-jsonlines"].map((name) =>
      `application/${name}`
    )
    for (const type of [...ofLines, "text/csv; charset=utf-8; header=present; end=line"]) {
      const response = await get(path, { accept: type })
      t.equal(response.headers.get("content-type"), type)
      const text = await response.text()
      t.equal(readExport(text).rows.length, 15, type)
      if (type.startsWith("text")) continue
      const plain = text.slice(0, text.lastIndexOf('{"end"'))
      t.equal(await textOf(`${type}; end=absent`), plain)
    }
  })

  await t.test("GET …/export without end line is broken off, unless it has all or as many as asked for", async (t) => {
    const { workshop, event, get } = await stage(hall, "export: { records: 1300 }")
    await workshop.build.guests(event, 1301)
    const of = `/connector-b/v1/events/${event}/guests`
    const all = await walk(get, of)
    for (const accept of ["text/csv", "application/x-ndjson; end=absent"]) {
      for (const query of ["", "?limit=1301", "?q=example"]) {
        const response = await get(`${of}/export${query}`, { accept })
        t.equal(response.status, 200)
        await t.rejects(response.text(), `${accept} ${query}`)
        t.match(await lastEntry(workshop), { ending: "cut", code: "unavailable" })
        workshop.entries.length = 0
      }
    }
    const asked = await (await get(`${of}/export?limit=1300`, { accept: "text/csv" })).text()
    t.strictSame(recordsOfCsv(asked).map(({ id }) => id), all.slice(0, 1300).map(({ id }) => id))
    const newest = `?since=${all[1299]?.["updated"]}`
    const whole = await (await get(`${of}/export${newest}`, { accept: "text/csv" })).text()
    t.equal(recordsOfCsv(whole).length, 1300)
    const part = await read(get, `${of}/export`, "text/csv; end=line")
    const next = part.next?.replace("http://localhost", "") ?? ""
    const rest = recordsOfCsv(await (await get(next, { accept: "text/csv" })).text())
    t.strictSame([...part.rows, ...rest].map(({ id }) => id), all.map(({ id }) => id))
  })

  await t.test("GET …/export selects by since, q and category, and without has everything", async (t) => {
    const { workshop, event, get } = await stage(hall)
    const { build, database: { writer } } = workshop
    const old = await build.guest(event, { updated: 1000 })
    await build.guests(event, 3)
    await build.item("tickets", event, { updated: 1_606_062_357 })
    const of = `/connector-b/v1/events/${event}`
    const count = async (path: string) => (await read(get, `${of}/${path}`)).rows.length
    t.equal((await walk(get, `${of}/guests`)).length, 3, "a list has its default")
    const counts = {
      "guests/export": 4,
      "guests/export?since=": 4,
      "guests/export?since=1606062358": 3,
      "guests/export?q=guest1@": 1,
      "items/export": 1,
      "items/export?category=": 1,
      "items/export?category=pledges": 0,
    }
    for (const [path, expected] of Object.entries(counts)) {
      t.equal(await count(path), expected, path)
    }
    const first = await read(get, `${of}/guests/export?limit=3`)
    t.equal((await read(get, first.next)).rows.length, 1, "a cursor keeps it")
    await settle(hall)
    const state = await writer.selectFrom("sync_state").select("walk_since")
      .where("event_id", "=", event).where("kind", "=", "items").execute()
    t.strictSame(state.map(({ walk_since }) => walk_since), [-1])
    const { records } = await findDisclosures(workshop.database, old)
    t.ok(records.flatMap(({ recipients }) => recipients).some(({ certain }) => certain))
  })

  await t.test("GET …/export is compressed as the client accepts", async (t) => {
    const { workshop, event, get } = await stage(hall)
    await workshop.build.guests(event, 1200)
    const path = `/connector-b/v1/events/${event}/guests/export`
    const plain = await (await get(path)).text()
    const decoders = { gzip: zlib.gunzip, br: zlib.brotliDecompress, zstd: zlib.zstdDecompress }
    for (const [encoding, decode] of Object.entries(decoders)) {
      const response = await get(path, { "accept-encoding": encoding })
      t.equal(response.headers.get("content-encoding"), encoding)
      const bytes = await promisify(decode)(new Uint8Array(await response.arrayBuffer()))
      t.ok(String(bytes) === plain, encoding)
      const entry = await lastEntry(workshop)
      t.match(entry, { status: 200, rows: 1200, ending: "complete" })
      t.ok(Number(entry["beginMs"]) < Number(entry["ms"]))
      t.ok(Number(entry["bytes"]) < plain.length / 4 && Number(entry["bytes"]) > 100)
    }
  })

  await t.test("GET …/export refuses what a list refuses", async (t) => {
    const { workshop, event, get, logIn } = await stage(hall)
    await workshop.build.guests(event, 3)
    const of = `/connector-b/v1/events/${event}`
    const page = await get(`${of}/guests?limit=1`)
    const cursor = new URL(linkOf(page) ?? "", "http://x").searchParams.get("cursor")
    const wrong = ["limit=0", "limit=10000001", "offset=1", "category=tickets", `cursor=${cursor}`]
    const cases: [Get, string, number][] = [
      ...wrong.map((query): [Get, string, number] => [get, `${of}/guests/export?${query}`, 400]),
      [get, `/connector-b/v1/events/${crypto.randomUUID()}/guests/export`, 404],
      [get, `/acme/v1/events/${event}/guests/export`, 403],
      [await logIn("stranger"), `${of}/guests/export`, 404],
    ]
    for (const [get, path, status] of cases) t.equal((await get(path)).status, status, path)
  })

  await t.test("GET …/export limits how many run at once, and ends the oldest of an account that has all slots for another", async (t) => {
    const settings = "export: { connections: 2, concurrent_per_account: 2 }"
    const { workshop, large: event, logIn } = await stage(hall, settings)
    const [partner, other] = [await logIn("partner"), await logIn("other")]
    const of = `/connector-b/v1/events/${event}/guests`
    const gone = [await partner(`${of}/export`), await other(`${of}/export`)]
    // A list is not held up meanwhile, also on the embedded database.
    t.equal((await other(`${of}?limit=1`)).status, 200)
    for (const each of gone) await each.body?.cancel()
    await endings(workshop, 2)
    t.strictSame(workshop.entries.filter(isExport).map(({ ending }) => ending), ["cut", "cut"])
    workshop.entries.length = 0
    const [first, second] = [await partner(`${of}/export`), await partner(`${of}/export`)]
    const third = await other(`${of}/export`)
    t.equal(third.status, 200)
    const refused = await partner(`${of}/export`)
    t.equal(refused.status, 429, "the first counts until it has ended")
    t.match(refused.headers.get("retry-after"), /^\d+$/)
    const part = readExport(await first.text())
    t.ok(part.rows.length < many, `${part.rows.length}`)
    t.match(await lastEntry(workshop), { ending: "continued", rows: part.rows.length })
    t.equal(readExport(await third.text()).rows.length, many)
    t.equal(readExport(await second.text()).rows.length, many, "the second goes on")
    const rest = await read(partner, part.next)
    const all = [...part.rows, ...rest.rows]
    t.strictSame([all.length, new Set(all.map(({ id }) => id)).size], [many, many])
  })

  await t.test("GET …/export counts as a running request of its account, until it ends", async (t) => {
    const settings = "limits: { quota: 100, concurrent: 1 }"
    const { workshop, large: event, logIn } = await stage(hall, settings)
    const [partner, other] = [await logIn("partner"), await logIn("other")]
    const of = `/connector-b/v1/events/${event}/guests`
    const running = await partner(`${of}/export`)
    const before = usedOf(running, 100)
    const refused = await partner(`${of}?limit=1`)
    t.match([refused.status, await refused.json()], [429, { code: "too_many_at_once" }])
    t.equal((await other(`${of}?limit=1`)).status, 200, "accounts count apart")
    t.equal(readExport(await running.text()).rows.length, many)
    await endings(workshop, 1)
    const list = await partner(`${of}?limit=1`)
    t.equal(list.status, 200)
    t.equal(
      Math.round(usedOf(list, 100) - before),
      many / 1000,
      "the export costs a request per 1,000 records",
    )
  })

  await t.test("GET …/export is cut once its caller may no longer read, and sends nothing more", async (t) => {
    const { workshop, large: event, get } = await stage(hall)
    const path = `/connector-b/v1/events/${event}/guests/export`
    const forms = ["application/x-ndjson", "text/csv"]
    const responses = await Promise.all(forms.map((accept) => get(path, { accept })))
    const disable = (disabled: 0 | 1) =>
      workshop.database.writer.updateTable("account").set({ disabled })
        .where("username", "=", "partner").execute()
    await disable(1)
    t.teardown(() => disable(0))
    const now = performance.now.bind(performance)
    t.capture(performance, "now", () => now() + 1100)
    for (const { body } of responses) {
      let text = ""
      const reading = (async () => {
        for await (const chunk of body ?? []) text += new TextDecoder().decode(chunk)
      })()
      await t.rejects(reading, "the response is not whole")
      t.notMatch(text, "not whole", "what waits to be sent is not, nor the mark behind it")
    }
    await endings(workshop, 2)
    const ended = workshop.entries.filter(isExport)
    t.match(ended, ended.map(() => ({ ending: "cut", code: "unauthenticated" })))
  })

  await t.test("GET …/export ends in time, with a cursor, or is broken off where none can be", async (t) => {
    const { workshop, large: event, get } = await stage(hall, "export: { seconds: 1 }")
    const late = new AbortController()
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    t.capture(AbortSignal, "timeout", (ms: number) => ms === 1000 ? late.signal : timeout(ms))
    const of = `/connector-b/v1/events/${event}/guests`
    const endless = await get(`${of}/export`, { accept: "text/csv" })
    const response = await get(`${of}/export`)
    t.equal(workshop.database.connections.used, 0)
    late.abort()
    const part = readExport(await response.text())
    t.ok(part.rows.length > 0 && part.rows.length < many, `${part.rows.length}`)
    await t.rejects(endless.text())
    await endings(workshop, 2)
    const ended = workshop.entries.filter(isExport)
    t.match(ended.find(({ code }) => !code), { ending: "continued", rows: part.rows.length })
    t.match(ended.find(({ code }) => code), { ending: "cut", code: "unavailable" })
  })

  await t.test("GET …/export ends with a cursor when the service is asked to end", async (t) => {
    const { workshop, service, large: event, get } = await stage(
      hall,
      "export: { connections: 3 }",
    )
    const listening = await startListening(service)
    const response = await openExport(listening.url, event, get.cookie)
    const stopped = stopListening(service, listening)
    let text = ""
    for await (const chunk of response) text += chunk
    const { rows, next } = readExport(text)
    t.ok(rows.length < many && next !== null, `${rows.length}`)
    await stopped
    t.match(await lastEntry(workshop), { ending: "continued" })
  })

  await t.test("GET …/export is in the ledger before its client has read it, and in the audit log after", async (t) => {
    const { workshop, large: event, get } = await stage(hall)
    const { ids } = hall
    const { database } = workshop
    const response = await get(`/connector-b/v1/events/${event}/guests/export`)
    // The last one of them, which the service has not read yet.
    const recipients = async () => {
      const { records } = await findDisclosures(database, ids.at(-1) ?? "")
      return records.flatMap(({ recipients }) => recipients)
    }
    while ((await recipients()).length === 0) await setTimeout(20)
    t.match(await recipients(), [{ account: "partner" }])
    t.equal(workshop.entries.filter(isExport).length, 0)
    readExport(await response.text())
    const audited = () =>
      database.writer.selectFrom("audit_log").select(["sent", "status", "action", "route"])
        .where("route", "like", "%/export").execute()
    while ((await audited()).length === 0) await setTimeout(20)
    t.match(await audited(), [{ sent: many, status: 200, action: "list" }])
  })

  await t.test("GET …/export is certain in the ledger as far as it was sent", async (t) => {
    const { workshop, event, get } = await stage(hall)
    const { build, database } = workshop
    const guests = await build.guests(event, 4)
    const of = `/connector-b/v1/events/${event}/guests/export`
    const certain = () =>
      Promise.all(guests.map(async (id) => {
        const { records } = await findDisclosures(database, id)
        return records.flatMap(({ recipients }) => recipients).map(({ certain }) => certain).join()
      }))
    const { next } = await read(get, `${of}?limit=2`)
    while (!(await certain()).includes("true")) await setTimeout(20)
    t.strictSame(await certain(), ["true", "true", "false", "false"])
    await read(get, next)
    while ((await certain()).includes("false")) await setTimeout(20)
    t.strictSame(await certain(), guests.map(() => "true"))

    await build.items("buyNows", event, 3)
    await build.items("tickets", event, 3)
    const ofItems = async () => {
      await settle(hall)
      return await database.writer.selectFrom("disclosure").select(["whole", "to_time", "last_at"])
        .where("event_id", "=", event).where("list", "like", "%items").execute()
    }
    const first = await read(get, of.replace("guests", "items") + "?limit=1")
    await endings(workshop, 3)
    const wholes = (await ofItems()).map(({ whole }) => whole)
    t.strictSame(wholes, [0], "each category goes on elsewhere")
    await read(get, first.next)
    await endings(workshop, 4)
    const ranges = await ofItems()
    t.ok(ranges.length > 0)
    t.ok(ranges.every(({ to_time, last_at }) => to_time <= last_at), "no time is still to come")
  })

  await t.test("GET …/export is a walk if it has all that there is, and was read to the end", async (t) => {
    const { workshop, large: event, get } = await stage(hall)
    const { database } = workshop
    const of = `/connector-b/v1/events/${event}/guests/export`
    const state = async () => {
      const rows = await database.writer.selectFrom("sync_state").selectAll().orderBy("list")
        .where("kind", "in", ["guests", "items"]).execute()
      return rows.map(({ completed_next }) => completed_next !== null)
    }
    let bytes = 0
    // Ends after some portions: then the client goes.
    for await (const chunk of (await get(of)).body ?? []) if ((bytes += chunk.length) > 1e6) break
    await (await get(`${of}?limit=10`)).text()
    await (await get(`${of}?q=ada`)).text()
    const items = `/connector-b/v1/events/${event}/items`
    await (await get(`${items}?category=tickets`)).text()
    await (await get(`${items}/export?category=tickets`)).text()
    await endings(workshop, 4)
    await settle(hall)
    t.strictSame(await state(), [false, false])
    const { records } = await findDisclosures(database, hall.ids.at(-1) ?? "")
    const recipients = records.flatMap(({ recipients }) => recipients)
    t.match(recipients, [{ account: "partner", certain: false }])
    await (await get(of)).text()
    await (await get(`${items}/export`)).text()
    await endings(workshop, 6)
    await settle(hall)
    t.strictSame(await state(), [true, true])
  })

  await t.test("HEAD …/export has the headers and reads nothing", async (t) => {
    const { workshop, service, event, get } = await stage(hall)
    const { cookie } = get
    const url = `http://localhost/connector-b/v1/events/${event}/guests/export`
    const headers = { cookie, accept: "text/csv" }
    const response = await service.fetch(new Request(url, { method: "HEAD", headers }))
    t.equal(response.status, 200)
    t.equal(response.headers.get("content-type"), "text/csv; charset=utf-8; header=present")
    t.match(response.headers.get("next-since"), /^\d+$/)
    t.equal(await response.text(), "")
    t.match(await lastEntry(workshop), { status: 200, bytes: 0 })
  })
})

type Row = Record<string, unknown>

/** What all tests on one database share: inserting many guests takes a while. */
interface Hall {
  readonly workshop: Workshop
  readonly organization: string
  /** An event with many guests. */
  readonly large: string
  /** Theirs. */
  readonly ids: readonly string[]
  /** The services that run, by their settings. */
  readonly services: Map<string, Promise<Running>>
}

interface Running {
  readonly service: Service
  logIn(name: string): Promise<Get>
}

function hallOf(engine: Engine): Promise<Hall> {
  const hall = halls.get(engine) ?? openHall(t, engine)
  halls.set(engine, hall)
  return hall
}

async function openHall(t: Test, engine: Engine): Promise<Hall> {
  const workshop = await freshWorkshop(t, engine)
  const { build } = workshop
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  for (const name of ["partner", "other", "stranger"]) await build.account(name)
  for (const name of ["acme-export", "partner", "other"]) {
    await build.grant(name, { organization: "acme" })
  }
  const large = await build.event(organization)
  const ids = await build.guests(large, many)
  return { workshop, organization, large, ids, services: new Map() }
}

/** Returns a service with these settings, and an event of its own beside the large one. Nothing is recorded yet. */
async function stage(hall: Hall, settings = "") {
  const { workshop, organization, large, services } = hall
  const { database, build } = workshop
  await settle(hall)
  for (const table of ["disclosure", "sync_state", "audit_log"] as const) {
    await database.writer.deleteFrom(table).execute()
  }
  const event = await build.event(organization)
  const starting = services.get(settings) ?? startService(workshop, settings)
  services.set(settings, starting)
  const running = await starting
  workshop.entries.length = 0
  return { workshop, event, large, get: await running.logIn("partner"), ...running }
}

async function startService(workshop: Workshop, settings: string): Promise<Running> {
  const many = settings.includes("limits") ? "" : "limits: { burst: 1000 }"
  workshop.write(plugins, `${settings}\n${many}`)
  const service = await workshop.start()
  const sessions = new Map<string, Promise<Get>>()
  const logIn = (name: string) => {
    const session = sessions.get(name) ?? logInto(service.fetch, name)
    sessions.set(name, session)
    return session
  }
  return { service, logIn }
}

/** Waits until all requests so far are recorded. */
async function settle({ services }: Hall): Promise<void> {
  for (const running of services.values()) {
    const { service: { instance } } = await running
    const waits = () => Object.values(instance.recorders.numbers).some(({ waiting }) => waiting > 0)
    while (waits()) await setTimeout(5)
  }
}

/** Reads a list page by page, and returns its records as rows. */
async function walk(get: Get, of: string, query = "", limit = 700): Promise<Row[]> {
  const rows: Row[] = []
  for (let path: string | undefined = `${of}?${query}limit=${limit}`; path;) {
    const response = await get(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    rows.push(...rowsOfBody(await response.json()))
    path = linkOf(response)
  }
  return rows
}

/** Reads an export to its end. `path` may be the URL of a rest. */
async function read(get: Get, path: string | null, accept?: string) {
  const own = path?.replace("http://localhost", "") ?? ""
  return readExport(await (await get(own, accept === undefined ? {} : { accept })).text())
}

/** An export has one category after the other; pages of a bundle have some of each. */
function byCategory(rows: readonly Row[]): Record<string, Row[]> {
  return Object.fromEntries(Map.groupBy(rows, ({ category = "" }) => String(category)))
}

function isExport({ route, status }: Row): boolean {
  return String(route).endsWith("/export") && status === 200
}

/** Waits until as many exports have ended. */
async function endings({ entries }: Workshop, count: number): Promise<void> {
  while (entries.filter(isExport).length < count) await setTimeout(10)
}

async function lastEntry(workshop: Workshop): Promise<Row> {
  await endings(workshop, 1)
  return workshop.entries.findLast(isExport) as Row
}

/** Requests an export through a connection, and waits for its first bytes. */
async function openExport(url: string, event: string, cookie: string): Promise<IncomingMessage> {
  const path = `/connector-b/v1/events/${event}/guests/export`
  const [response] = await once(open(url + path, { headers: { cookie } }), "response")
  await once(response, "readable")
  return response
}

/** Ends all connections to the database of a workshop, except the one that asks for it. */
async function killOthers({ database: { writer }, url }: Workshop): Promise<void> {
  const { default: mysql } = await import("mysql2/promise")
  const connection = await mysql.createConnection(url)
  const db = new URL(url).pathname.slice(1)
  await killEach(connection, "connection", (each) => each.db === db)
  await connection.end()
  await writer.selectFrom("event").select("id").execute().catch(() => {})
}
