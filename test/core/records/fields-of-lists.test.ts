import { createHash, randomUUID } from "node:crypto"
import t, { type Test } from "tap"
import * as v from "valibot"
import { startInstance } from "../../../core/kernel/instance.ts"
import {
  definePlugin,
  type Family,
  family,
  granted,
  guest,
  leanEvent,
  pick,
  type Projection,
  rewritten,
  whole,
} from "../../../core/plugin.ts"
import {
  itemCategories,
  type ItemsProjection,
  wholeItems,
} from "../../../core/records/kinds/items.ts"
import { fieldsOf } from "../../../core/records/list.ts"
import { mountPlugins } from "../../../core/routes/mount.ts"
import { generous, testConfig } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { type Engine, onEmbedded } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

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

await onEmbedded(t, async (t, engine) => {
  const { serve, event, database } = await stage(t, engine)

  await t.test("lists, exports and digests say Fields, also with a 304 and without records; deletions do not", async (t) => {
    const reversed = Object.fromEntries(Object.entries(wholeItems).toReversed())
    const get = await serve({
      ...{ events: leanEvent, guests: small, items: reversed as unknown as ItemsProjection },
    })
    for (const since of [1, 2, 3, 4]) {
      const bundle = await (await get(`/x/v1/events/${event}/items?since=${since}&limit=1`)).json()
      t.strictSame(Object.keys(bundle), itemCategories, "from memory in the usual order, too")
    }
    const of = async (path: string, headers = {}) =>
      (await get(`/x/v1/${path}`, headers)).headers.get("fields")
    const parts = Object.entries(reversed).map(([name, projection]) => ({ name, projection }))
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
    await get.close()
  })

  await t.test("after an upgrade that adds a field, a copy with the old ones is different, and is not noted as right", async (t) => {
    const path = `/x/v1/events/${event}/guests/digest`
    const noted = () =>
      database.writer.selectFrom("erasure_notice").selectAll().where("event_id", "=", event)
        .execute()
    const before = await serve({ guests: small })
    const digest = await before(path)
    const fields = digest.headers.get("fields")
    const { buckets } = await digest.json()
    const lines = Object.entries<{ digest: string }>(buckets)
      .map(([name, { digest }]) => `${name} ${digest}\n`)
    const mine = createHash("sha256").update(lines.join("")).digest("hex")
    const right = `${path}?mine=${mine}&fields=`

    const after = await serve({ guests: larger })
    const page = await after(`${right}${fields}`)
    t.match([page.status, page.headers.get("copy")], [200, "different"])
    t.equal(page.headers.get("fields"), hashOf(larger))
    const etag = page.headers.get("etag") ?? ""
    const again = await after(`${right}${fields}`, { "if-none-match": etag })
    t.match([again.status, again.headers.get("copy")], [304, "different"])
    t.equal((await after(`${right}${hashOf(larger)}`)).headers.get("copy"), "same")
    await after.close()
    const copies = await noted()
    t.match(copies, [{ kind: "attested", list: "guests" }], "only with the new ones")

    await database.writer.deleteFrom("erasure_notice").execute()
    t.equal((await before(`${right}${fields}`)).headers.get("copy"), "same")
    await before.close()
    t.match(await noted(), [{ kind: "attested", list: "guests" }])
  })
})

/** A database with an event, and what serves a family of it under `/x/v1`, as often as wanted. */
async function stage(t: Test, engine: Engine) {
  const workshop = await freshWorkshop(t, engine)
  const { build, database } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.items("tickets", event, 2)
  const gone = { event_id: event, category: "guests", record_id: randomUUID() }
  await database.writer.insertInto("deletion")
    .values({ ...gone, at: past, created: past, updated: past }).execute()
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(workshop.url)
  const serve = async (lists: Omit<Family, "auth">) => {
    const plugin = definePlugin<unknown>({
      ...{ apiVersion: 2, name: "x", summary: "", settings: v.unknown() },
      mount: () => family("/x/v1", { auth: granted(["acme"]), ...lists }),
    })
    const own = { plugin, settings: {}, index: 0, use: "x", optional: false, with: undefined }
    const plugins = [...config.plugins, { ...own, loadMilliseconds: 0 }]
    const { routes } = mountPlugins(plugins)
    const instance = await startInstance({ ...config, plugins, routes, limits: generous }, {
      log: scannedLog(t, []),
      recorderTimes: { delay: 1 },
    })
    let closed: Promise<void> | undefined
    const close = () => closed ??= instance.close()
    t.teardown(close)
    return Object.assign(await logInto(instance.fetch, "ann"), { close })
  }
  return { serve, event, database }
}
