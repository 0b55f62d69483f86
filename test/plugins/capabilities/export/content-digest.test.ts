import { sql } from "kysely"
import t, { type Test } from "tap"
import { startListening, stopListening } from "../../../../core/kernel/listening.ts"
import { digestOfCopy } from "../../../../core/records/lists/digest.ts"
import { past } from "../../../support/builder.ts"
import { type Engine, onEmbedded, onEveryEngine } from "../../../support/database.ts"
import { startLedger } from "../../../support/ledger.ts"
import { linkOf } from "../../../support/polling/link.ts"
import { type Digest, expectedDigest, sha256 } from "../../../support/partner/digest.ts"
import { usedOf } from "../../../support/quota.ts"
import { freshWorkshop, type Get, logInto } from "../../../support/service.ts"
import { insertTricky } from "../../../support/tricky-records.ts"

const plugins = `  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }
  - use: connector-a
    with: { segment: connector-a, organizations: [acme] }
  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`

const prefixes = { "acme-export": "/acme/v1", partner: "/connector-b/v1" }

/** Requests per hour. */
const quota = 400

/** A record, as a copy has it. */
type Copied = Readonly<Record<string, unknown>>

await onEveryEngine(t, async (t, engine) => {
  const hall = await openHall(t, engine)
  const { build, database, logIn } = hall
  await t.test("GET …/digest?of=content digests the JSON of each record, as the list sends it", async (t) => {
    const { event, elsewhere } = await eventsIn(hall)
    await insertTricky(build, event)
    await build.items("pledges", event, 300)
    await insertTricky(build, elsewhere)
    for (const [name, prefix] of Object.entries(prefixes)) {
      const get = await logIn(name)
      const of = `${prefix}/events/${event}`
      const digest = async (path: string) => {
        const response = await get(`${of}/${path}`)
        t.equal(response.status, 200, path)
        t.equal(response.headers.get("fields"), fields)
        return await response.json()
      }
      const guests = await copyOf(get, `${of}/guests`)
      let fields = (await get(`${of}/guests`)).headers.get("fields")
      t.strictSame(await digest("guests/digest?of=content"), contentOf(guests))
      t.strictSame(await digest("guests/digest?of=content&hash="), contentOf(guests, sha256))
      const [bucket = ""] = Object.keys(contentOf(guests).buckets)
      const inside = guests.filter(({ id }) => String(id).startsWith(bucket))
      t.strictSame(await digest(`guests/digest?of=content&bucket=${bucket}`), contentOf(inside))
      const ofHash = guests.filter(({ id }) => sha256(String(id)).startsWith("a"))
      t.strictSame(
        await digest("guests/digest?of=content&hash=a"),
        contentOf(ofHash, (id) => sha256(id).slice(0, 2)),
      )
      fields = (await get(`${of}/items`)).headers.get("fields")
      const items = await itemsOf(get, `${of}/items`)
      t.equal(items["pledges"]?.length, 301)
      t.strictSame(
        await digest("items/digest?of=content"),
        Object.fromEntries(
          Object.entries(items).map(([name, records]) => [name, contentOf(records)]),
        ),
      )
    }
  })

  await t.test("GET …/digest?of=content is of one snapshot, has a tag of its own, and counts the records of now", async (t) => {
    const { event } = await eventsIn(hall)
    const [guest = ""] = await build.guests(event, 3)
    const get = await logIn("partner")
    const path = `/connector-b/v1/events/${event}/guests/digest`
    const first = await get(`${path}?of=content`)
    const headers = { "if-none-match": first.headers.get("etag") ?? "" }
    t.equal((await get(`${path}?of=content`, headers)).status, 304)
    t.equal((await get(path, headers)).status, 200, "of times")
    t.equal((await get(`${path}?of=`, headers)).status, 200, "of times")
    await database.writer.updateTable("guest").set({ first_name: "Zoë", updated: past })
      .where("id", "=", guest).execute()
    const changed = await get(`${path}?of=content`, headers)
    t.equal(changed.status, 200)
    t.strictSame(await changed.json(), contentOf(await copyOf(get, path.replace("/digest", ""))))
  })
})

await onEmbedded(t, async (t, engine) => {
  const settings = "export: { connections: 2, concurrent_per_account: 1 }"
  const hall = await openHall(t, engine, settings)
  const { build, service, logIn } = hall
  await t.test("GET …/guests/digest?of=content shows where a copy was edited, and no other digest does", async (t) => {
    const { event } = await eventsIn(hall)
    await build.guests(event, 2100)
    const get = await logIn("partner")
    const of = `/connector-b/v1/events/${event}/guests`
    const copy = await copyOf(get, of)
    const fields = (await get(of)).headers.get("fields")
    const edited = copy.map((record, index) =>
      index === 1234 ? { ...record, email: "evil@example.org" } : record
    )
    const ofTimes = async () => await (await get(`${of}/digest`)).json()
    const timesOf = (records: readonly Copied[]) =>
      expectedDigest(records as never, (id) => id.slice(0, 1))
    t.strictSame(await ofTimes(), timesOf(copy))
    t.strictSame(timesOf(copy), timesOf(edited))
    const compare = async (records: readonly Copied[], query = `&fields=${fields}`) => {
      const mine = digestOfCopy(contentOf(records))
      const response = await get(`${of}/digest?of=content&mine=${mine}${query}`)
      const { buckets }: Digest = await response.json()
      const own = contentOf(records).buckets
      const different = Object.keys(buckets)
        .filter((name) => buckets[name]?.digest !== own[name]?.digest)
      return [response.headers.get("copy"), ...different]
    }
    t.strictSame(await compare(copy), ["same"])
    t.strictSame(await compare(copy, ""), ["different"], "of unknown fields")
    const bucket = String(copy[1234]?.["id"]).slice(0, 1)
    t.strictSame(await compare(edited), ["different", bucket])
    const part = await get(`${of}?bucket=${bucket}&since=-1`)
    const fresh = new Map((await part.json()).map((record: Copied) => [record["id"], record]))
    const mended = edited.map((record) => fresh.get(record["id"]) as Copied ?? record)
    t.strictSame(await compare(mended), ["same"])
    const before = usedOf(await get(of), quota)
    await get(`${of}/digest?of=content`)
    t.equal(
      Math.round(usedOf(await get(of), quota) - before),
      3 + 1,
      "it costs a request per 1,000 records",
    )
  })

  await t.test("GET …/digest?of=content takes a slot of exports, and leaves it, also if its client goes", async (t) => {
    const { event } = await eventsIn(hall)
    await build.guests(event, 3000)
    const get = await logIn("partner")
    const of = `/connector-b/v1/events/${event}/guests`
    const running = await get(`${of}/export`)
    const refused = await get(`${of}/digest?of=content`)
    t.match([refused.status, await refused.json()], [429, { code: "too_many_at_once" }])
    t.equal((await get(`${of}/digest`)).status, 200, "another digest needs none")
    const other = await logIn("acme-export")
    t.equal((await other(`/acme/v1/events/${event}/guests/digest?of=content`)).status, 200)
    await running.text()
    const url = `http://localhost${of}/digest?of=content`
    const gone = await service.fetch(new Request(url, { headers: { cookie: get.cookie } }), {
      address: "127.0.0.1",
      whenGone: (listener) => listener(false),
    })
    t.equal(gone.status, 503, "no digest is made for nobody")
    t.equal((await get(`${of}/digest?of=content`)).status, 200)
  })

  await t.test("GET …/digest?of=content needs the rights that the list needs", async (t) => {
    const { event } = await eventsIn(hall)
    await build.guests(event, 3)
    const digest = `events/${event}/guests/digest?of=content`
    await build.account("stranger")
    const stranger = await logIn("stranger")
    t.equal((await stranger(`/connector-b/v1/${digest}`)).status, 404)
    const partner = await logIn("partner")
    t.equal((await partner(`/acme/v1/${digest}`)).status, 403)
    t.equal((await partner(`/connector-a/v1/events/${event}/items/digest?of=content`)).status, 404)
    for (const path of ["guests/digest?of=times", "guests?of=content"]) {
      const wrong = await partner(`/connector-b/v1/events/${event}/${path}`)
      t.match([wrong.status, await wrong.json()], [400, { errors: [{ parameter: "of" }] }], path)
    }
  })

  await t.test("a copy whose content is the same is attested, as by any digest", async (t) => {
    const ledger = await startLedger(engine)
    const { build, event, request, rowsOf } = ledger
    const [gone = ""] = await build.guests(event, 3)
    await request("guests")
    await ledger.written()
    await ledger.remove(gone)
    await ledger.setDeletion({ at: sql`at - 100` })
    const list = await request("guests")
    const mine = digestOfCopy(contentOf(await list.json()))
    const path = `guests/digest?of=content&fields=${list.headers.get("fields")}&mine=`
    t.equal((await request(`${path}${sha256("")}`)).headers.get("copy"), "different")
    const attested = async () =>
      (await rowsOf("erasure_notice")).filter(({ kind }) => kind === "attested").length
    t.equal(await attested(), 0)
    const part = await request("guests/digest?of=content&hash=a")
    const mineOfPart = digestOfCopy(await part.json())
    t.equal((await request(`${path}${mineOfPart}&hash=a`)).headers.get("copy"), "same")
    await ledger.written()
    t.equal(await attested(), 0, "a part attests nothing")
    const head = await request(`${path}${mine}`, { method: "HEAD" })
    t.match([head.status, head.headers.get("copy"), await head.text()], [200, "same", ""])
    await ledger.written()
    t.equal(await attested(), 0, "HEAD attests nothing")
    t.equal((await request(`${path}${mine}`)).headers.get("copy"), "same")
    await ledger.written()
    t.equal(await attested(), 1)
  })

  await t.test("GET …/digest?of=content is 503 once the service is asked to end", async (t) => {
    const { event } = await eventsIn(hall)
    await build.guests(event, 3000)
    const get = await logIn("partner")
    const listening = await startListening(service)
    const digest = get(`/connector-b/v1/events/${event}/guests/digest?of=content`)
    const stopped = stopListening(service, listening)
    const response = await digest
    t.match([response.status, await response.json()], [503, { detail: /longer than an export/ }])
    await stopped
  })
})

/** Returns the digest of the content of records, computed from the JSON of a list. */
function contentOf(
  records: readonly Copied[],
  nameOf: (id: string) => string = (id) => id,
): Digest {
  const rows = records.map((record) => ({
    id: String(record["id"]),
    updated: sha256(JSON.stringify(record)),
  }))
  const sorted = rows.toSorted((a, b) => nameOf(a.id) < nameOf(b.id) ? -1 : 1)
  return expectedDigest(sorted, (id) => {
    const name = nameOf(id)
    return name.length <= 4 ? name : name.slice(0, 1)
  })
}

/** Starts a service with two accounts. */
async function openHall(t: Test, engine: Engine, settings = "") {
  const { build, database, start, write } = await freshWorkshop(t, engine)
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.account("partner")
  for (const name of Object.keys(prefixes)) await build.grant(name, { organization: "acme" })
  write(plugins, `${settings}\nlimits: { burst: 1000, quota: ${quota} }`)
  const service = await start()
  const logIn = (name: string) => logInto(service.fetch, name)
  return { build, database, organization, service, logIn }
}

async function eventsIn({ build, organization }: Awaited<ReturnType<typeof openHall>>) {
  const [event, elsewhere] = [await build.event(organization), await build.event(organization)]
  return { event, elsewhere }
}

/** Reads all pages of a list, and checks that its JSON says the same when it is written again. */
async function pagesOf(get: Get, path: string): Promise<unknown[]> {
  const pages: unknown[] = []
  for (let next: string | undefined = `${path}?since=-1&limit=700`; next;) {
    const response = await get(next)
    const text = await response.text()
    const page = JSON.parse(text)
    if (JSON.stringify(page) !== text) throw new Error("other bytes than those of the list")
    pages.push(page)
    next = linkOf(response)
  }
  return pages
}

async function copyOf(get: Get, path: string): Promise<Copied[]> {
  return (await pagesOf(get, path) as Copied[][]).flat()
}

async function itemsOf(get: Get, path: string): Promise<Record<string, Copied[]>> {
  const items: Record<string, Copied[]> = {}
  for (const page of await pagesOf(get, path) as Record<string, Copied[]>[]) {
    for (const [name, records] of Object.entries(page)) (items[name] ??= []).push(...records)
  }
  return items
}
