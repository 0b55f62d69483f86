import t from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { freshApp } from "../../support/app.ts"
import { onEveryEngine } from "../../support/database.ts"
import { type Digest, expectedDigest } from "../../support/partner/digest.ts"

interface Row {
  readonly id: string
  readonly updated: number
}

/** The digest of a copy, in buckets of one digit. */
function digestOf(rows: readonly Row[]): Digest {
  return expectedDigest(rows, (id) => id.charAt(0))
}

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database } = app
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await app.logIn("partner")
  const event = await build.event(organization)
  const ids = await build.guests(event, 60)
  for (const category of itemCategories) await build.items(category, event, 3)
  const of = `/connector-b/v1/events/${event}`
  const read = async (path: string) => {
    const response = await get(`${of}/${path}`)
    t.equal(response.status, 200, path)
    return await response.json()
  }

  await t.test("GET …/guests/digest returns the digest of ids and updated", async (t) => {
    t.strictSame(await read("guests/digest"), digestOf(await read("guests?since=-1")))
  })

  await t.test("GET …/guests/digest digests exactly the guests of since=-1, however old", async (t) => {
    const event = await build.event(organization)
    for (const updated of [-2, -1, 0, 1]) await build.guest(event, { updated })
    const of = `/connector-b/v1/events/${event}/guests`
    const rows: Row[] = await (await get(`${of}?since=-1`)).json()
    t.strictSame(rows.map(({ updated }) => updated), [1, 0, -1])
    t.strictSame(await (await get(`${of}/digest`)).json(), digestOf(rows))
  })

  await t.test("GET …/items/digest returns one digest per category", async (t) => {
    const bundle: Record<string, Row[]> = await read("items?since=-1")
    const expected = Object.entries(bundle).map(([name, rows]) => [name, digestOf(rows)])
    t.strictSame(await read("items/digest"), Object.fromEntries(expected))
  })

  await t.test("GET …/guests/digest finds the buckets to repair in a copy", async (t) => {
    const copy = new Map<string, Row>(
      (await read("guests?since=-1")).map((row: Row) => [row.id, row]),
    )
    const [changed = "", deleted = ""] = ids
    const db = database.writer
    await db.updateTable("guest").set({ mobile: "1" }).where("id", "=", changed).execute()
    await db.deleteFrom("guest").where("id", "=", deleted).execute()
    const added = await build.guest(event)
    const theirs: Digest = await read("guests/digest")
    const ours = digestOf([...copy.values()])
    const differing = [...new Set([...Object.keys(theirs.buckets), ...Object.keys(ours.buckets)])]
      .filter((name) => theirs.buckets[name]?.digest !== ours.buckets[name]?.digest)
    t.strictSame(
      differing.sort(),
      [...new Set([changed, deleted, added].map((id) => id[0]))].sort(),
    )
    for (const name of differing) {
      for (const id of copy.keys()) if (id.startsWith(name)) copy.delete(id)
      const rows: Row[] = await read(`guests?since=-1&bucket=${name}`)
      for (const row of rows) copy.set(row.id, row)
      t.strictSame(
        (await read(`guests/digest?bucket=${name}`)).buckets[name],
        digestOf([...copy.values()]).buckets[name],
      )
    }
    t.strictSame(await read("guests/digest"), digestOf([...copy.values()]))
  })

  await t.test("GET …/guests/digest returns buckets of two digits for more than 10,000 records", async (t) => {
    await build.guests(event, 10_000 - 60)
    const just: Digest = await read("guests/digest")
    t.equal(just.count, 10_000)
    t.ok(Object.keys(just.buckets).every((name) => name.length === 1))
    await build.guest(event)
    const { count, buckets } = await read("guests/digest")
    t.equal(count, 10_001)
    t.ok(Object.keys(buckets).every((name) => name.length === 2))
    t.strictSame(
      (await read("guests/digest?bucket=a1")).buckets,
      { a1: buckets["a1"] },
    )
  })

  for (const query of ["since=0", "q=a", "limit=1", "offset=0", "bucket=xyz"]) {
    await t.test(`GET …/guests/digest?${query} returns 400`, async (t) => {
      const response = await get(`${of}/guests/digest?${query}`)
      t.equal(response.status, 400)
      t.match(await response.json(), { errors: [{ parameter: query.split("=")[0] }] })
    })
  }
})
