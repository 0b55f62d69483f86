import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import t, { type Test } from "tap"
import { type Plan, readPlan } from "../../../../core/routes/plan.ts"
import { secret } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import type { FeedReader } from "../../../support/partner/feed-reader.ts"
import { feedStage, type Get } from "../../../support/feed/feed-stage.ts"

/** A family whose fields are a setting. */
const family = `
import { definePlugin, family, granted, guest, pick, leanItems, v } from "event-export/plugin"
export default definePlugin({
  apiVersion: 2,
  name: "chosen",
  summary: "Chosen fields",
  settings: v.object({ fields: v.array(v.string()), items: v.optional(v.boolean(), false) }),
  mount: ({ fields, items }) => family("/chosen/v1", {
    auth: granted(["acme"]),
    guests: pick(guest, ["id", "updated", ...fields]),
    ...items && { items: leanItems },
  }),
})
`

/** Reads the default configuration with other plugins, or without capabilities. */
async function planWith(t: Test, url: string, change: (text: string) => string): Promise<Plan> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "chosen.ts"), family)
  const file = join(folder, "event-export.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("module: ./demo", `module: ${resolve("config/demo")}`)
  writeFileSync(file, change(text))
  return await readPlan(file, { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" })
}

await onEmbedded(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { url, event, client, isRight, guestIds, update, remove, add } = stage
  const path = `/chosen/v1/events/${event}`
  const startWith = async (settings: string) => {
    const plan = await planWith(
      t,
      url,
      (text) =>
        text.replace(/^plugins:$/m, `plugins:\n  - use: ./chosen.ts\n    with: ${settings}`),
    )
    const service = await stage.start(() => ({ routes: plan.routes, plugins: plan.plugins }))
    return await service.logIn("partner")
  }
  /** Returns a client that goes on with the copy of another by another service. */
  const continued = (from: FeedReader, get: Get) => {
    const to = client(get, path)
    to.state = from.state
    for (const [key, record] of from.copy) to.copy.set(key, record)
    return to
  }
  const [email, names, withItems] = [
    await startWith("{ fields: [email] }"),
    await startWith("{ fields: [firstName, email] }"),
    await startWith("{ fields: [email], items: true }"),
  ]

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

  await t.test("fields that change in the middle of a walk make it begin again", async (t) => {
    const before = client(email, path)
    t.equal((await before.read(2)).more, true)
    const after = continued(before, names)
    await after.poll(2)
    await isRight(t, after, names, path)
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

  const without = async (capability: string) => {
    const plan = await planWith(
      t,
      url,
      (text) => text.replace(new RegExp(`^ {2}- ${capability}\n`, "m"), ""),
    )
    const { routes, capabilities } = plan
    const service = await stage.start(() => ({ routes, capabilities }))
    const get = await service.logIn("partner")
    const of = `/connector-b/v1/events/${event}`
    const [id = ""] = await guestIds()
    return { get, isAbsent, guest: `${of}/guests/${id}`, of }

    async function isAbsent(t: Test, path: string) {
      t.match(await (await get(path)).json(), { status: 404, code: "not_found" }, path)
    }
  }

  await t.test("without exports, their word is no record: nothing is at its URL", async (t) => {
    const { get, guest, isAbsent, of } = await without("export")
    t.equal((await get(guest)).status, 200)
    await isAbsent(t, `${of}/guests/export`)
  })

  await t.test("without the capability there is no feed, no single record, and no word of them", async (t) => {
    const { get, guest, isAbsent, of } = await without("feed")
    for (const path of [`${of}/changes`, guest]) await isAbsent(t, path)
    const { paths } = await (await get("/openapi.json")).json()
    const ofEvents = Object.keys(paths).filter((path) => path.includes("{eventId}"))
    t.ok(ofEvents.length > 4)
    t.strictSame(ofEvents.filter((path) => /changes|\{id\}/.test(path)), [])
  })
})
