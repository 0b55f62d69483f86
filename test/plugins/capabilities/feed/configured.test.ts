import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import t, { type Test } from "tap"
import { type Plan, readPlan } from "../../../../core/routes/plan.ts"
import { secret } from "../../../support/app.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { feedStage } from "../../../support/feed/feed-stage.ts"

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

await onEveryEngine(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { url, event, client, isRight, guestIds, update, remove, add } = stage
  const path = `/chosen/v1/events/${event}`
  const startWith = async (t: Test, settings: string) => {
    const plan = await planWith(
      t,
      url,
      (text) =>
        text.replace(/^plugins:$/m, `plugins:\n  - use: ./chosen.ts\n    with: ${settings}`),
    )
    const service = await stage.start(() => ({ routes: plan.routes, plugins: plan.plugins }))
    return { ...service, get: await service.logIn("partner") }
  }

  await t.test("a field that is added brings all records again, without 410, and no deletion twice", async (t) => {
    const before = await startWith(t, "{ fields: [email] }")
    const copy = client(before.get, path)
    await copy.poll()
    t.notMatch([...copy.copy.values()].join(), "firstName")
    await before.close()
    const [gone = ""] = await guestIds()
    await remove(gone)
    const after = await startWith(t, "{ fields: [firstName, email] }")
    const again = client(after.get, path)
    Object.assign(again, { state: copy.state })
    for (const [key, record] of copy.copy) again.copy.set(key, record)
    const changes = await again.poll(2)
    t.equal(changes.filter(({ record }) => record).length, 4)
    t.strictSame(changes.filter(({ deleted }) => deleted).map(({ id }) => id), [gone])
    t.match([...again.copy.values()].join(), "firstName")
    await isRight(t, again, after.get, path)
    await add(gone)
    await after.close()
  })

  await t.test("fields that change in the middle of a walk make it begin again", async (t) => {
    const before = await startWith(t, "{ fields: [email] }")
    const copy = client(before.get, path)
    t.equal((await copy.read(2)).more, true)
    await before.close()
    const after = await startWith(t, "{ fields: [firstName, email] }")
    const again = client(after.get, path)
    for (const [key, record] of copy.copy) again.copy.set(key, record)
    again.state = copy.state
    await again.poll(2)
    await isRight(t, again, after.get, path)
    await after.close()
  })

  await t.test("items that are switched on, off and on again come, with what was deleted meanwhile", async (t) => {
    const off = await startWith(t, "{ fields: [email] }")
    const on = await startWith(t, "{ fields: [email], items: true }")
    const copy = client(off.get, path)
    await copy.poll()
    const moved = client(on.get, path)
    moved.state = copy.state
    for (const [key, record] of copy.copy) moved.copy.set(key, record)
    const changes = await moved.poll(3)
    t.equal(changes.filter(({ list }) => list === "items").length, 12)
    await isRight(t, moved, on.get, path)
    const without = client(off.get, path)
    without.state = moved.state
    for (const [key, record] of moved.copy) without.copy.set(key, record)
    const [ticket = ""] = [...moved.copy.keys()].filter((key) => key.startsWith("tickets"))
    await remove(ticket.split(" ")[1] ?? "", event, "ticket")
    const [id = ""] = await guestIds()
    await update(id)
    await without.poll()
    t.ok(without.copy.has(ticket), "nobody tells of items now")
    const back = client(on.get, path)
    back.state = without.state
    for (const [key, record] of without.copy) back.copy.set(key, record)
    await back.poll()
    t.notOk(back.copy.has(ticket))
    await isRight(t, back, on.get, path)
    await off.close()
    await on.close()
  })

  await t.test("without exports, their word is no record: nothing is at its URL", async (t) => {
    const plan = await planWith(t, url, (text) => text.replace(/^ {2}- export$/m, ""))
    const service = await stage.start(() => ({
      routes: plan.routes,
      capabilities: plan.capabilities,
    }))
    const get = await service.logIn("partner")
    const [id = ""] = await guestIds()
    const guests = `/connector-b/v1/events/${event}/guests`
    t.equal((await get(`${guests}/${id}`)).status, 200)
    t.match(await (await get(`${guests}/export`)).json(), { status: 404, code: "not_found" })
    await service.close()
  })

  await t.test("without the capability there is no feed, no single record, and no word of them", async (t) => {
    const plan = await planWith(t, url, (text) => text.replace(/^ {2}- feed\n/m, ""))
    const service = await stage.start(() => ({
      routes: plan.routes,
      capabilities: plan.capabilities,
    }))
    const get = await service.logIn("partner")
    const [id = ""] = await guestIds()
    for (const rest of ["changes", `guests/${id}`]) {
      const response = await get(`/connector-b/v1/events/${event}/${rest}`)
      t.match(await response.json(), { status: 404, code: "not_found" })
    }
    const { paths } = await (await get("/openapi.json")).json()
    const ofEvents = Object.keys(paths).filter((path) => path.includes("{eventId}"))
    t.ok(ofEvents.length > 4)
    t.strictSame(ofEvents.filter((path) => /changes|\{id\}/.test(path)), [])
    await service.close()
  })
})
