import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import t from "tap"
import { readPlan } from "../../../../core/routes/plan.ts"
import { secret } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import type { FeedReader } from "../../../support/partner/feed-reader.ts"
import { feedStage, type Get } from "../../../support/feed/feed-stage.ts"

/** Lists whose fields are a setting, and whose items may be for another organization. */
const family = `
import { definePlugin, granted, guest, guests, items, leanItems, listing, pick, v } from "event-export/plugin"
const auth = granted(["acme"])
export default definePlugin({
  apiVersion: 3,
  name: "chosen",
  summary: "Chosen fields",
  settings: v.object({ fields: v.array(v.string()), itemsFor: v.optional(v.string()) }),
  mount: ({ fields, itemsFor }) => ({ prefix: "/chosen/v1", routes: [
    listing("/events/:eventId/guests", guests, { auth, project: pick(guest, ["id", "updated", ...fields]) }),
    ...itemsFor
      ? [listing("/events/:eventId/items", items, { auth: granted([itemsFor]), project: leanItems })]
      : [],
  ] }),
})
`

await onEmbedded(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { url, event, client, isRight, guestIds, update, remove, add } = stage
  const path = `/chosen/v1/events/${event}`
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "chosen.ts"), family)
  /** Starts the default configuration with a change. Returns what sends requests as a partner. */
  const startWith = async (change: (text: string) => string) => {
    const file = join(folder, "event-export.yaml")
    const text = readFileSync("config/event-export.yaml", "utf8")
      .replace("module: ./demo", `module: ${resolve("config/demo")}`)
    writeFileSync(file, change(text))
    const plan = await readPlan(file, { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" })
    const { routes, plugins, capabilities } = plan
    const service = await stage.start(() => ({ routes, plugins, capabilities }))
    return await service.logIn("partner")
  }
  const startChosen = (settings: string) =>
    startWith((text) =>
      text.replace(/^plugins:$/m, `plugins:\n  - use: ./chosen.ts\n    with: ${settings}`)
    )
  /** Returns a client that goes on with the copy of another by another service. */
  const continued = (from: FeedReader, get: Get) => {
    const to = client(get, path)
    to.state = from.state
    for (const [key, record] of from.copy) to.copy.set(key, record)
    return to
  }
  const [email, names, withItems] = [
    await startChosen("{ fields: [email] }"),
    await startChosen("{ fields: [firstName, email] }"),
    await startChosen("{ fields: [email], itemsFor: acme }"),
  ]

  await t.test("a list that others may read is in no feed of those who may not", async (t) => {
    const get = await startChosen("{ fields: [email], itemsFor: borealis }")
    const copy = client(get, path)
    const changes = await copy.poll()
    t.equal(changes.length, 5)
    t.ok(changes.every(({ list }) => list === "guests"))
    t.equal((await get(`${path}/items`)).status, 403)
  })

  await t.test("a field that is added brings all records again, without 410, and no deletion twice", async (t) => {
    const before = client(email, path)
    await before.poll()
    t.notMatch(JSON.stringify([...before.copy.values()]), "firstName")
    const [gone = ""] = await guestIds()
    await remove(gone)
    const after = continued(before, names)
    const changes = await after.poll(2)
    t.equal(changes.filter(({ record }) => record).length, 4)
    t.strictSame(changes.filter(({ deleted }) => deleted).map(({ id }) => id), [gone])
    t.match(JSON.stringify([...after.copy.values()]), "firstName")
    await isRight(t, after, names, path)
    await add(gone)
  })

  await t.test("items that are switched on, off and on again come, with what was deleted meanwhile", async (t) => {
    const before = client(email, path)
    await before.poll()
    const on = continued(before, withItems)
    const changes = await on.poll(3)
    t.equal(changes.filter(({ list }) => list === "items").length, 12)
    await isRight(t, on, withItems, path)
    const off = continued(on, email)
    const [ticket = ""] = [...on.copy.keys()].filter((key) => key.startsWith("tickets"))
    await remove(ticket.split(" ")[1] ?? "", event, "ticket")
    const [id = ""] = await guestIds()
    await update(id)
    await off.poll()
    t.ok(off.copy.has(ticket), "nobody tells of items now")
    const back = continued(off, withItems)
    await back.poll()
    t.notOk(back.copy.has(ticket))
    await isRight(t, back, withItems, path)
  })

  await t.test("without exports, their word is no record; without the feed, there is neither it nor a record", async (t) => {
    const of = `/connector-b/v1/events/${event}`
    const [id = ""] = await guestIds()
    const absent = {
      export: [`${of}/guests/export`],
      feed: [`${of}/changes`, `${of}/guests/${id}`],
    }
    for (const [capability, paths] of Object.entries(absent)) {
      const get = await startWith((text) =>
        text.replace(new RegExp(`^ {2}- ${capability}\n`, "m"), "")
      )
      for (const path of paths) {
        t.match(await (await get(path)).json(), { status: 404, code: "not_found" }, path)
      }
      const { paths: described } = await (await get("/openapi.json")).json()
      const word = capability === "feed" ? /changes|\{id\}/ : /export/
      t.strictSame(
        Object.keys(described).filter((path) => path.includes("{eventId}") && word.test(path)),
        [],
      )
    }
  })
})
