import { DatabaseSync } from "node:sqlite"
import type { Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { startInstance } from "../../conformance/instance.ts"
import type { Plan } from "../../../core/routes/plan.ts"
import { type App, appOf, generous, testConfig } from "../app.ts"
import { Builder } from "../builder.ts"
import { copiedUrl, type Engine, openFor } from "../database.ts"
import { scannedLog } from "../scanned-log.ts"
import type { Fields } from "../truth.ts"
import { FeedReader, listedRecords } from "../partner/feed-reader.ts"
import type { Get as Read } from "../partner/reply.ts"

/** Sends a request with a session. */
export type Get = App["request"]

/** Gives embedded databases that are opened from now on a clock, in Unix seconds, that only `pass` moves. */
function tellClock(t: Test) {
  let time = Math.floor(Date.now() / 1000)
  const now = () => time
  const { function: define } = DatabaseSync.prototype
  t.intercept(DatabaseSync.prototype, "function", {
    value(this: DatabaseSync, ...parameters: Parameters<typeof define>) {
      define.call(this, "unixepoch", now)
      define.apply(this, parameters)
    },
  })
  return { now, pass: (seconds: number) => time += seconds }
}

/** Makes a database with two events of the same ids, and starts services on it. */
export async function feedStage(t: Test, engine: Engine) {
  const clock = tellClock(t)
  const now = engine === "sqlite" ? clock.now : () => Math.floor(Date.now() / 1000)
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const [event, other] = [await build.event(organization), await build.event(organization)]
  for (const each of [event, other]) {
    await build.guests(each, 5)
    for (const category of itemCategories) await build.items(category, each, 2)
  }
  for (
    const [name, role] of [["acme-export", "service"], ["partner", "partner"], [
      "second",
      "partner",
    ], ["observer", "partner"]] as const
  ) {
    await build.account(name, role)
    await build.grant(name, { organization: "acme" })
  }
  await build.account("root", "operator")
  const config = await testConfig(url)
  const entries: Record<string, unknown>[] = []
  /** Starts a service. */
  const start = async (change: (plan: Plan) => Partial<Plan> = () => ({})) => {
    const plan = {
      ...config,
      limits: generous,
      ...change(config),
    }
    const instance = await startInstance(plan, {
      log: scannedLog(t, entries),
      changes: { every: 50 },
      recorderTimes: { every: 1 },
    })
    let isOpen = true
    const close = async () => {
      if (isOpen) await instance.close()
      isOpen = false
    }
    t.teardown(close)
    const send = (path: string, init: RequestInit = {}) =>
      instance.fetch(new Request(`http://localhost${path}`, init))
    const { logIn } = appOf(database, entries, send)
    /** Resolves once all requests so far are recorded. */
    const settle = async () => {
      const waits = () =>
        Object.values(instance.recorders.numbers).some(({ waiting }) => waiting > 0)
      while (waits()) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    let look: Get | undefined
    /** Lets time pass until a poll reaches past all that has happened. Returns the time of the call, in Unix seconds. */
    const past = async () => {
      const called = now() + 1
      clock.pass(5)
      look ??= await logIn("observer")
      for (;;) {
        const { headers } = await look(`/connector-b/v1/events/${event}/guests`, { method: "HEAD" })
        if (Number(headers.get("next-since")) > called) return called
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    return { instance, send, logIn, settle, past, close }
  }
  const service = await start()
  const get = await service.logIn("acme-export")
  const path = `/acme/v1/events/${event}`
  return {
    ...service,
    start,
    now,
    url,
    database,
    build,
    organization,
    event,
    other,
    entries,
    get,
    path,
    client: (by = get, of = path) => new FeedReader(readBy(by), of),
    listed: (by = get, of = path) => listedRecords(readBy(by), of),
    /** Fails unless a copy is as the lists are, byte by byte. */
    isRight: async (t: Test, { copy }: FeedReader, by = get, of = path) => {
      const own = [...copy].map(([key, { fields }]) => [key, fields] as const)
      t.strictSame(sorted(own), sorted([...await listedRecords(readBy(by), of)]))
    },
    guestIds: async (of = event) => {
      const rows = await database.writer.selectFrom("guest").select("id").where("event_id", "=", of)
        .orderBy("id").execute()
      return rows.map(({ id }) => id)
    },
    update: async (id: string, of = event) => {
      await database.writer.updateTable("guest").set({ external_id: crypto.randomUUID() })
        .where("event_id", "=", of).where("id", "=", id).execute()
    },
    /** Inserts a guest as the platform does: now. */
    add: async (id: string = crypto.randomUUID(), of = event, values: object = {}) => {
      return await build.guest(of, { id, created: now(), updated: now(), ...values })
    },
    addTicket: async (of = event) => {
      const times = { created: now(), updated: now() }
      return await build.item("tickets", of, { id: crypto.randomUUID(), ...times })
    },
    remove: async (id: string, of = event, table: "guest" | "ticket" = "guest") => {
      await database.writer.deleteFrom(table as "guest").where("event_id", "=", of)
        .where("id", "=", id).execute()
    },
  }
}

function readBy(get: Get): Read {
  return async (path, headers = {}) => {
    const response = await get(path, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

function sorted(records: readonly (readonly [key: string, fields: Fields])[]): string[] {
  return records.map(([key, fields]) => `${key} ${JSON.stringify(fields)}`).sort()
}
