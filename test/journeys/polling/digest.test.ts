import fc from "fast-check"
import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import {
  type Digest,
  type DigestKind,
  digestKinds,
  expectedDigest,
  sha256,
} from "../../support/partner/digest.ts"
import { openJourney } from "../../support/polling/journey.ts"
import { linkOf } from "../../support/polling/link.ts"

interface Row {
  readonly id: string
  readonly updated: number
}

const { ids: byId, hashes: byHash } = digestKinds

/** A query that is refused, for the ends of paths of lists, and the parameters that are named. */
type Wrong = readonly [query: string, paths: readonly string[], parameters: readonly string[]]

/** The digest of a copy. */
function digestOf(rows: readonly Row[], { bucketOf }: DigestKind, digits = 1): Digest {
  return expectedDigest(rows, (id) => bucketOf(id, digits))
}

/** Returns the names of the buckets in which two digests differ. */
function differing(one: Digest, other: Digest): string[] {
  return [...new Set([...Object.keys(one.buckets), ...Object.keys(other.buckets)])]
    .filter((name) => one.buckets[name]?.digest !== other.buckets[name]?.digest).sort()
}

/** Returns an id as MySQL's uuid() makes them: of one host, some microseconds after the previous one. */
function timeFirst(n: number): { readonly id: string } {
  return { id: `${(0x3f1a0000 + 35 * n).toString(16)}-8d5b-11ee-9b2c-0242ac120002` }
}

/** Returns the numbers of digits of the names of buckets. */
function digitsIn({ buckets }: Digest): number[] {
  return [...new Set(Object.keys(buckets).map(({ length }) => length))]
}

await onEveryEngine(t, async (t, engine) => {
  const journey = await openJourney(t, engine)
  const { build, db, get, newEvent, of, read, remove, walk } = journey
  const event = await newEvent()
  const ids = await build.guests(event, 60)
  await build.items("tickets", event, 30)
  await build.item("pledges", event)
  const guests = `${of(event)}/guests`
  const all: Row[] = await read(`${guests}?since=-1`)

  for (const [query, kind] of [["", byId], ["?bucket=", byId], ["?hash=", byHash]] as const) {
    await t.test(`GET …/digest${query} returns the digest of ids and updated, of items one per category`, async (t) => {
      t.strictSame(await read(`${guests}/digest${query}`), digestOf(all, kind))
      const bundle: Record<string, Row[]> = await read(`${of(event)}/items?since=-1`)
      const expected = Object.entries(bundle).map(([name, rows]) => [name, digestOf(rows, kind)])
      t.strictSame(await read(`${of(event)}/items/digest${query}`), Object.fromEntries(expected))
    })
  }

  await t.test("GET …/guests/digest digests exactly the guests of since=-1, however old", async (t) => {
    const event = await newEvent()
    t.strictSame(await read(`${of(event)}/guests/digest`), { count: 0, buckets: {} })
    for (const updated of [-2, -1, 0, 1]) await build.guest(event, { updated })
    const rows: Row[] = await read(`${of(event)}/guests?since=-1`)
    t.strictSame(rows.map(({ updated }) => updated), [1, 0, -1])
    t.strictSame(await read(`${of(event)}/guests/digest`), digestOf(rows, byId))
  })

  await t.test("GET …/guests?hash= returns the records of that bucket: all buckets together are the list", async (t) => {
    const prefix = fc.tuple(fc.constantFrom(...ids), fc.nat({ max: 4 }), fc.boolean()).map(
      ([id, digits, isUpper]) => {
        const hash = sha256(id).slice(0, digits)
        return isUpper ? hash.toUpperCase() : hash
      },
    )
    const list = (hash: string): Promise<Row[]> => read(`${guests}?since=-1&hash=${hash}`)
    await fc.assert(
      fc.asyncProperty(prefix, async (hash) => {
        const inside = await list(hash)
        t.strictSame(inside, all.filter(({ id }) => sha256(id).startsWith(hash.toLowerCase())))
        const digest: Digest = await read(`${guests}/digest?hash=${hash}`)
        t.strictSame(digest, digestOf(inside, byHash, Math.min(hash.length + 1, 4)))
        const parts = await Promise.all(Object.keys(digest.buckets).map(list))
        t.strictSame(parts.flat().map(({ id }) => id).sort(), inside.map(({ id }) => id).sort())
      }),
      { numRuns: 10 },
    )
  })

  await t.test("GET …/guests?hash= supports paging, by cursor and by offset, also over deleted records", async (t) => {
    const event = await newEvent()
    const guests = `${of(event)}/guests`
    const ids = await build.guests(event, 60, timeFirst)
    const [hash = ""] = sha256(ids[0] ?? "")
    const inside = ids.filter((id) => sha256(id).startsWith(hash))
    t.ok(inside.length >= 3, `${inside.length} records in bucket ${hash}`)
    t.strictSame(
      (await walk(`${guests}?limit=1&hash=${hash.toUpperCase()}`)).map(({ id }) => id),
      inside,
    )
    const next = linkOf(await get(`${guests}?limit=1&hash=${hash}`)) ?? ""
    t.match(await read(`${next}&hash=${hash.toUpperCase()}`), [{ id: inside[1] }])
    t.match(await read(`${guests}?hash=${hash}&offset=1&limit=1`), [{ id: inside[1] }])
    const others = ids.slice(0, 9).filter((id) => !inside.includes(id))
    await remove("guest", [inside[0] ?? "", ...others], event)
    t.match(
      await read(`${guests}?hash=${hash}&offset=2&limit=1`),
      [{ id: inside[2] }],
      "only the deleted records of the bucket keep their positions",
    )
  })

  await t.test("GET …/deletions?hash= returns the deletions of that bucket", async (t) => {
    const event = await newEvent()
    const ids = await build.guests(event, 60)
    const tickets = await build.items("tickets", event, 30)
    await remove("guest", ids, event)
    await remove("ticket", tickets, event)
    const [hash = ""] = sha256(ids[0] ?? "")
    for (const list of ["guests", "items"]) {
      const deletions = `${of(event)}/${list}/deletions`
      const gone: Row[] = await read(deletions)
      t.equal(gone.length, list === "guests" ? 60 : 30)
      const expected = gone.filter(({ id }) => sha256(id).startsWith(hash))
      t.strictSame(await read(`${deletions}?hash=${hash}`), expected)
      t.strictSame(await walk(`${deletions}?hash=${hash}&limit=1`), expected)
      t.strictSame(await read(`${deletions}?hash=`), gone)
    }
  })

  await t.test("GET …/guests/digest has buckets of two digits above 10,000 records, and leads by hash to one that differs", async (t) => {
    const event = await newEvent()
    const guests = `${of(event)}/guests`
    const ids = await build.guests(event, 10_000, timeFirst)
    const digest = (query: string): Promise<Digest> => read(`${guests}/digest?${query}`)
    for (const name of ["bucket", "hash"]) t.strictSame(digitsIn(await digest(`${name}=`)), [1])
    await build.guest(event)
    const copy = new Map((await walk(`${guests}?since=-1`)).map((row) => [row.id, row]))
    t.equal(copy.size, 10_001)
    t.ok(Object.keys((await digest("")).buckets).includes("3f"), "nearly all begin alike")
    const own = (hash: string, digits: number) =>
      digestOf([...copy.values()].filter(({ id }) => sha256(id).startsWith(hash)), byHash, digits)
    t.strictSame(await digest("hash="), own("", 2))
    const sizes = Object.values(own("", 2).buckets).map(({ count }) => count)
    t.ok(sizes.length === 256 && Math.min(...sizes) > 15 && Math.max(...sizes) < 80, "alike")

    const [changed = ""] = ids.slice(5000)
    await db.updateTable("guest").set({ mobile: "1" }).where("id", "=", changed).execute()
    const path = [2, 3, 4].map((digits) => sha256(changed).slice(0, digits))
    let found = ""
    for (const [step, expected] of path.entries()) {
      const names = differing(await digest(`hash=${found}`), own(found, step + 2))
      t.strictSame(names, [expected])
      found = expected
    }
    t.strictSame(digitsIn(await digest(`hash=${found}`)), [4], "four digits are not divided")
    for (const row of await walk(`${guests}?since=-1&hash=${path[0] ?? ""}`)) copy.set(row.id, row)
    t.strictSame(await digest("hash="), own("", 2))
  })

  const wrong: readonly Wrong[] = [
    ...["since=0", "q=a", "limit=1", "offset=0", "bucket=xyz"]
      .map((query): Wrong => [query, ["/digest"], [query.replace(/=.*/, "")]]),
    ...["hash=g", "hash=12345", "hash=%203", "hash=3&hash=3"]
      .map((query): Wrong => [query, ["", "/deletions", "/digest"], ["hash"]]),
    ["bucket=3&hash=f", ["", "/deletions", "/digest"], ["bucket", "hash"]],
  ]
  await t.test("a request with a wrong parameter returns 400 and names it", async (t) => {
    for (const [query, paths, parameters] of wrong) {
      for (const path of paths.flatMap((path) => [`guests${path}`, `items${path}`])) {
        const response = await get(`${of(event)}/${path}?${query}`)
        t.equal(response.status, 400, `${path}?${query}`)
        const { errors } = await response.json()
        t.strictSame(errors.map((error: { parameter: string }) => error.parameter), parameters)
      }
    }
  })
})
