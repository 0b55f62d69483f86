import { createHash, randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import * as v from "valibot"
import {
  guest,
  leanEvent,
  pick,
  type Projection,
  rewritten,
  whole,
} from "../../../../core/plugin.ts"
import { itemCategories, wholeItems } from "../../../../core/records/kinds/items.ts"
import { fieldsOf } from "../../../../core/records/lists/list.ts"
import { past } from "../../../support/builder.ts"
import { onEmbedded } from "../../../support/database.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"

const hashOf = (projection: Projection, name?: string) => fieldsOf([{ name, projection }])
const small = pick(guest, ["id", "updated", "firstName"])
const larger = pick(guest, ["id", "updated", "firstName", "email"])

t.test("fieldsOf: eight digits that differ with each field, those of objects and the names of parts", (t) => {
  const { schema } = small
  const nested = (names: readonly string[]) =>
    rewritten(
      small,
      v.strictObject({
        ...schema.entries as v.ObjectEntries,
        inner: v.nullable(v.array(
          v.union([v.string(), v.strictObject(v.entriesFromList(names, v.string()))]),
        )),
      }),
      (record) => record,
    )
  const { entries } = whole(guest).schema as unknown as {
    entries: { mainAddress: { wrapped: { entries: v.ObjectEntries } } }
  }
  const { town: _, ...fewer } = entries.mainAddress.wrapped.entries
  const mainAddress = v.nullable(v.strictObject(fewer))
  const without = v.strictObject({ ...entries as never as v.ObjectEntries, mainAddress })
  const different = [
    hashOf(rewritten(whole(guest), without, (record) => record)),
    ...[hashOf(small), hashOf(larger), hashOf(whole(guest)), hashOf(small, "guests")],
    ...[["a"], ["a", "b"], ["b", "a"], []].map((names) => hashOf(nested(names))),
    ...[fieldsOf([small, small].map((projection) => ({ name: "a", projection })))],
  ]
  t.equal(new Set(different).size, different.length)
  for (const hash of different) t.match(hash, /^[0-9a-f]{8}$/)
  t.equal(hashOf(pick(guest, ["firstName", "updated", "id"])), hashOf(small))
  t.equal(hashOf(rewritten(small, schema, (record) => record)), hashOf(small))
  t.equal(fieldsOf([]), undefined)
  t.end()
})

/** A plugin with a family under `/x/v1` that has these lists. */
const source = (lists: string) =>
  `import { definePlugin, family, granted, guest, leanEvent, pick, v } from "event-export/plugin"
import { wholeItems } from "${resolve("core/records/kinds/items.ts")}"
const items = Object.fromEntries(Object.entries(wholeItems).toReversed())
const small = pick(guest, ["id", "updated", "firstName"])
const larger = pick(guest, ["id", "updated", "firstName", "email"])
export default definePlugin({
  apiVersion: 3, name: "x", summary: "X", settings: v.strictObject({}),
  mount: () => family("/x/v1", { auth: granted(["acme"]), ${lists} }),
})`

await onEmbedded(t, async (t, engine) => {
  const { build, database: { writer }, ...workshop } = await freshWorkshop(t, engine)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.items("tickets", event, 2)
  const gone = { event_id: event, category: "guests", record_id: randomUUID() }
  await writer.insertInto("deletion").values({ ...gone, at: past, created: past, updated: past })
    .execute()
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  writeFileSync(join(workshop.folder, "package.json"), '{ "type": "module" }')
  const file = join(workshop.folder, "x.ts")
  writeFileSync(file, source("events: leanEvent, guests: small, items"))
  workshop.write("  - use: ./x.ts")
  const service = await workshop.start({ recorderTimes: { every: 1 } })
  const get = await logInto(service.fetch, "ann")
  const change = async (lists: string) => {
    writeFileSync(file, source(lists))
    t.match(await service.reload("a test"), { result: "applied" })
  }

  await t.test("lists, exports and digests say Fields, also with a 304 and without records; deletions do not", async (t) => {
    for (const since of [1, 2, 3, 4]) {
      const bundle = await (await get(`/x/v1/events/${event}/items?since=${since}&limit=1`)).json()
      t.strictSame(Object.keys(bundle), itemCategories, "from memory in the usual order, too")
    }
    const of = async (path: string, headers = {}) =>
      (await get(`/x/v1/${path}`, headers)).headers.get("fields")
    const parts = Object.entries(wholeItems).toReversed().map(([name, projection]) => ({
      name,
      projection,
    }))
    t.equal(await of("events"), hashOf(leanEvent))
    const lists = { guests: hashOf(small), items: fieldsOf(parts) }
    for (const [list, fields] of Object.entries(lists)) {
      const path = `events/${event}/${list}`
      for (const form of ["", `?since=${past + 1_000_000}`, "/digest", "/export"]) {
        t.equal(await of(`${path}${form}`), fields, `${list}${form}`)
      }
      t.equal(await of(path, { accept: "text/csv" }), fields)
      const etag = (await get(`/x/v1/${path}`)).headers.get("etag") ?? ""
      const unchanged = await get(`/x/v1/${path}`, { "if-none-match": etag })
      t.match([unchanged.status, unchanged.headers.get("fields")], [304, fields])
      t.equal(await of(`${path}/deletions`), null)
    }
  })

  await t.test("after an upgrade that adds a field, a copy with the old ones is different, and is not noted as right", async (t) => {
    const path = `/x/v1/events/${event}/guests/digest`
    const noted = () =>
      writer.selectFrom("erasure_notice").selectAll().where("kind", "=", "attested").execute()
    const digest = await get(path)
    const fields = digest.headers.get("fields")
    const { buckets } = await digest.json()
    const lines = Object.entries<{ digest: string }>(buckets)
      .map(([name, { digest }]) => `${name} ${digest}\n`)
    const mine = createHash("sha256").update(lines.join("")).digest("hex")
    const right = `${path}?mine=${mine}&fields=`

    await change("guests: larger")
    const page = await get(`${right}${fields}`)
    t.match([page.status, page.headers.get("copy")], [200, "different"])
    t.equal(page.headers.get("fields"), hashOf(larger))
    t.equal(page.headers.get("etag"), null, "a comparison is never a 304")
    t.equal((await get(`${right}${hashOf(larger)}`)).headers.get("copy"), "same")
    while ((await noted()).length === 0) await setTimeout(5)
    const copies = await noted()
    t.match(copies, [{ kind: "attested", list: "guests" }], "only with the new ones")

    await writer.deleteFrom("erasure_notice").execute()
    await change("guests: small")
    t.equal((await get(`${right}${fields}`)).headers.get("copy"), "same")
    while ((await noted()).length === 0) await setTimeout(5)
    t.match(await noted(), [{ kind: "attested", list: "guests" }])
  })
})
