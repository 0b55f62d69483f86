import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import t from "tap"
import { freshApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { type Digest, expectedDigest, sha256 } from "../../support/partner/digest.ts"
import { linkOf } from "../../support/polling/link.ts"

interface Row {
  readonly id: string
  readonly updated: number
}

/** Returns the names of the buckets in which two digests differ. */
function differing(one: Digest, other: Digest): string[] {
  return [...new Set([...Object.keys(one.buckets), ...Object.keys(other.buckets)])]
    .filter((name) => one.buckets[name]?.digest !== other.buckets[name]?.digest)
}

/** Returns an id as MySQL's uuid() makes them: of one host, some microseconds after the previous one. */
function timeFirstId(n: number): string {
  return `${(0x3f1a0000 + 35 * n).toString(16)}-8d5b-11ee-9b2c-0242ac120002`
}

/** Returns a UUID of version 7, of an import that inserts a thousand records per second. */
function idOfImport(n: number): string {
  const time = (0x018bcfe56800 + n).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

/** The digest of a copy, in buckets by hash. */
function digestOf(rows: readonly Row[], digits: number): Digest {
  return expectedDigest(rows, (id) => sha256(id).slice(0, digits))
}

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database } = app
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await app.logIn("partner")
  const of = (event: string) => `/connector-b/v1/events/${event}`
  const read = async (path: string) => {
    const response = await get(path)
    t.equal(response.status, 200, path)
    return await response.json()
  }
  /** Follows Link from a first page. Returns its own records and those of all further pages. */
  const walk = async (first: string): Promise<Row[]> => {
    const rows: Row[] = []
    for (let path: string | undefined = first; path;) {
      const response = await get(path)
      t.equal(response.status, 200, path)
      rows.push(...await response.json())
      path = linkOf(response)
    }
    return rows
  }

  await t.test("GET …/digest?hash= spreads ids that begin alike over buckets, and leads to one that differs", async (t) => {
    const event = await build.event(organization)
    const guests = `${of(event)}/guests`
    await build.guests(event, 10_000, timeFirstId)
    const [changed = ""] = (await build.guests(event, 10_000, idOfImport)).slice(5_000)
    const copy = new Map((await walk(`${guests}?since=-1`)).map((row) => [row.id, row]))
    t.equal(copy.size, 20_000)
    const byId: Digest = await read(`${guests}/digest`)
    t.strictSame(Object.keys(byId.buckets).sort(), ["01", "3f"])

    const digest = (hash: string): Promise<Digest> => read(`${guests}/digest?hash=${hash}`)
    const own = (hash: string, digits: number) =>
      digestOf([...copy.values()].filter(({ id }) => sha256(id).startsWith(hash)), digits)
    t.ok(isDeepStrictEqual(await digest(""), own("", 2)))
    const sizes = Object.values((await digest("")).buckets).map(({ count }) => count)
    t.equal(sizes.length, 256)
    t.ok(Math.min(...sizes) > 20_000 / 256 / 2 && Math.max(...sizes) < 20_000 / 256 * 2)

    await database.writer.updateTable("guest").set({ mobile: "1" }).where("id", "=", changed)
      .execute()
    const path = [2, 3, 4].map((digits) => sha256(changed).slice(0, digits))
    let found = ""
    for (const [step, expected] of path.entries()) {
      const names = differing(await digest(found), own(found, step + 2))
      t.strictSame([names.length, names[0]], [1, expected])
      found = names[0] ?? ""
    }
    t.strictSame(
      Object.keys((await digest(found)).buckets).slice(0, 2),
      [found],
      "a bucket of four digits is not divided",
    )

    const again = await walk(`${guests}?since=-1&hash=${path[0]}`)
    t.equal(again.length, (await digest("")).buckets[path[0] ?? ""]?.count)
    t.ok(again.length < 20_000 / 256 * 2, `${again.length} records are read again`)
    for (const row of again) copy.set(row.id, row)
    t.ok(isDeepStrictEqual(await digest(""), own("", 2)))
  })

  await t.test("GET …/digest?hash= has one digit more than the request, or two above 10,000 records", async (t) => {
    const event = await build.event(organization)
    const digest = (hash: string): Promise<Digest> =>
      read(`${of(event)}/guests/digest?hash=${hash}`)
    const digits = async (hash: string) => [
      ...new Set(Object.keys((await digest(hash)).buckets).map(({ length }) => length)),
    ]
    t.strictSame(await digest(""), { count: 0, buckets: {} })
    const ids = await build.guests(event, 10_000, idOfImport)
    t.strictSame(await digits(""), [1])
    await build.guest(event)
    t.strictSame(await digits(""), [2])
    const hash = sha256(ids[0] ?? "")
    for (const [index, expected] of [2, 3, 4, 4].entries()) {
      t.strictSame(await digits(hash.slice(0, index + 1)), [expected])
    }
  })

  await t.test("GET …/guests?hash= returns the records of that bucket: all buckets together are the list", async (t) => {
    const event = await build.event(organization)
    const guests = `${of(event)}/guests`
    const ids = [...await build.guests(event, 40), ...await build.guests(event, 40, idOfImport)]
    const all: Row[] = await read(`${guests}?since=-1`)
    t.equal(all.length, 80)
    const list = (hash: string): Promise<Row[]> => read(`${guests}?since=-1&hash=${hash}`)
    const prefix = fc.tuple(fc.constantFrom(...ids), fc.nat({ max: 4 }), fc.boolean()).map(
      ([id, digits, isUpper]) => {
        const hash = sha256(id).slice(0, digits)
        return isUpper ? hash.toUpperCase() : hash
      },
    )
    await fc.assert(
      fc.asyncProperty(prefix, async (hash) => {
        const inside = await list(hash)
        const isInside = ({ id }: Row) => sha256(id).startsWith(hash.toLowerCase())
        const digest: Digest = await read(`${guests}/digest?hash=${hash}`)
        const parts = await Promise.all(Object.keys(digest.buckets).map(list))
        const byId = (a: Row, b: Row) => a.id < b.id ? -1 : 1
        return isDeepStrictEqual(inside, all.filter(isInside)) &&
          isDeepStrictEqual(digest, digestOf(inside, Math.min(hash.length + 1, 4))) &&
          isDeepStrictEqual(parts.flat().sort(byId), inside.toSorted(byId))
      }),
      { numRuns: 25 },
    )
  })

  await t.test("GET …/guests?hash= supports paging, by cursor and by offset", async (t) => {
    const event = await build.event(organization)
    const guests = `${of(event)}/guests`
    const ids = await build.guests(event, 60, timeFirstId)
    const wanted = ids.filter((id) => /^[ac]/.test(sha256(id)))
    const [hash = ""] = sha256(wanted[0] ?? "")
    const inside = wanted.filter((id) => sha256(id).startsWith(hash))
    t.ok(inside.length >= 3, `${inside.length} records in bucket ${hash}`)
    t.strictSame(
      (await walk(`${guests}?limit=1&hash=${hash.toUpperCase()}`)).map(({ id }) => id),
      inside,
    )
    const next = linkOf(await get(`${guests}?limit=1&hash=${hash}`)) ?? ""
    t.match(await read(`${next}&hash=${hash.toUpperCase()}`), [{ id: inside[1] }])
    t.match(await read(`${guests}?hash=${hash}&offset=1&limit=1`), [{ id: inside[1] }])

    await database.writer.deleteFrom("guest").where("id", "=", inside[0] ?? "").execute()
    await database.writer.deleteFrom("guest").where("id", "in", ids.slice(0, 9))
      .where("id", "not in", inside).execute()
    t.match(
      await read(`${guests}?hash=${hash}&offset=2&limit=1`),
      [{ id: inside[2] }],
      "only the deleted records of the bucket keep their positions",
    )
  })

  await t.test("GET …/guests/deletions?hash= returns the deletions of that bucket", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 60, timeFirstId)
    await database.writer.deleteFrom("guest").where("event_id", "=", event).execute()
    const deletions = `${of(event)}/guests/deletions`
    const gone: Row[] = await read(deletions)
    t.equal(gone.length, 60)
    const [hash = ""] = sha256(ids[0] ?? "")
    const expected = gone.filter(({ id }) => sha256(id).startsWith(hash))
    t.ok(expected.length > 0 && expected.length < 60)
    t.strictSame(await read(`${deletions}?hash=${hash}`), expected)
    t.strictSame(await walk(`${deletions}?hash=${hash}&limit=1`), expected)
    t.strictSame(await read(`${deletions}?hash=`), gone)
  })

  await t.test("GET …/items?hash= and its deletions and digests return what is in that bucket", async (t) => {
    const event = await build.event(organization)
    const items = `${of(event)}/items`
    const ids = await build.items("tickets", event, 30)
    const pledge = await build.item("pledges", event)
    const [hash = ""] = sha256(pledge)
    const inside = ids.filter((id) => sha256(id).startsWith(hash))
    const bundle: Record<string, Row[]> = await read(`${items}?since=-1&hash=${hash}`)
    t.strictSame(bundle["tickets"]?.map(({ id }) => id), inside)
    t.strictSame(bundle["pledges"]?.map(({ id }) => id), [pledge])
    t.strictSame(
      await read(`${items}/digest?hash=${hash}`),
      Object.fromEntries(
        Object.entries(bundle).map(([name, rows]) => [name, digestOf(rows, 2)]),
      ),
    )
    await database.writer.deleteFrom("ticket").where("event_id", "=", event).execute()
    await database.writer.deleteFrom("pledge").where("event_id", "=", event).execute()
    const gone: Row[] = await read(`${items}/deletions?hash=${hash}`)
    t.strictSame(gone.map(({ id }) => id).sort(), [...inside, pledge].sort())
  })

  await t.test("GET …/guests/digest returns, without and with hash, these bytes", async (t) => {
    const event = await build.event(organization)
    const ids = [
      "0d9c4f2e-1111-4111-8111-111111111111",
      "0d9c4f2e-2222-4222-8222-222222222200",
      "f0000000-0000-4000-8000-000000000002",
    ]
    for (const [n, id] of ids.entries()) await build.guest(event, { id, updated: past + 2 - n })
    const [both, first, second, third] = [
      "076b49016727af1636df6f9eb5247a6fc45aa574966732d8124e611246567b84",
      "ebf24c8fa35f8d979af5ef0a2eeb1e243923454f4569e38cc62e8cf572a16e21",
      "19cf8248efb5e7d0ee1082687a764f01e56312d8f20cc2c9525469abe9c4805b",
      "e44577451b61eedd3891342b81d214ad466d838dd6bf51e70b3a53f53756410d",
    ]
    const expected = {
      "": `{"count":3,"buckets":{"0":{"count":2,"digest":"${both}"},` +
        `"f":{"count":1,"digest":"${third}"}}}`,
      "?bucket=": `{"count":3,"buckets":{"0":{"count":2,"digest":"${both}"},` +
        `"f":{"count":1,"digest":"${third}"}}}`,
      "?bucket=0D9": `{"count":2,"buckets":{"0d9":{"count":2,"digest":"${both}"}}}`,
      "?hash=": `{"count":3,"buckets":{"d":{"count":1,"digest":"${second}"},` +
        `"e":{"count":1,"digest":"${third}"},"f":{"count":1,"digest":"${first}"}}}`,
      "?hash=D4": `{"count":1,"buckets":{"d42":{"count":1,"digest":"${second}"}}}`,
    }
    for (const [query, text] of Object.entries(expected)) {
      const response = await get(`${of(event)}/guests/digest${query}`)
      t.equal(await response.text(), text, query)
    }
  })

  const event = await build.event(organization)
  const wrong: [query: string, parameters: string[]][] = [
    ["hash=g", ["hash"]],
    ["hash=12345", ["hash"]],
    ["hash=%203", ["hash"]],
    ["hash=3&hash=3", ["hash"]],
    ["bucket=3&hash=f", ["bucket", "hash"]],
  ]
  for (const [query, parameters] of wrong) {
    await t.test(`a request with ${query} returns 400 and names ${parameters.join(" and ")}`, async (t) => {
      for (const list of ["guests", "items"]) {
        for (const path of [list, `${list}/deletions`, `${list}/digest`]) {
          const response = await get(`${of(event)}/${path}?${query}`)
          t.equal(response.status, 400, path)
          const { errors } = await response.json()
          t.strictSame(errors.map((error: { parameter: string }) => error.parameter), parameters)
        }
      }
    })
  }
})
