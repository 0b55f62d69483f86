import { setTimeout } from "node:timers/promises"
import t from "tap"
import { migrate } from "../../core/data/migrate.ts"
import { findDisclosures } from "../../core/disclosures/find-disclosures.ts"
import { startInstance } from "../../core/kernel/instance.ts"
import { generous, testConfig } from "./app.ts"
import { Builder, password } from "./builder.ts"
import { type Engine, freshUrl, openFor } from "./database.ts"
import { scannedLog } from "./scanned-log.ts"

/** The services of this process: each test has an event of its own, and none of the rows of the tests before. */
const services = new Map<Engine, ReturnType<typeof startService>>()

async function startService(engine: Engine) {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const config = { ...await testConfig(url), limits: generous }
  const instance = await startInstance(config, {
    log: scannedLog(t, []),
    auditTimes: { delay: 1 },
  })
  t.teardown(() => {
    // In make quick, the files that follow run in this process, too.
    services.delete(engine)
    return instance.close()
  })
  const build = new Builder(database)
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.account("partner", "partner")
  return { database, instance, build, organization }
}

/** Returns a service with a new event that `acme-export` and `partner` may read. */
export async function startLedger(engine: Engine) {
  const starting = services.get(engine) ?? startService(engine)
  services.set(engine, starting)
  const { database, instance, build, organization } = await starting
  for (const table of ["disclosure", "erasure_notice", "deletion", "record_start"] as const) {
    await database.writer.deleteFrom(table).execute()
  }
  const event = await build.event(organization)
  for (const name of ["acme-export", "partner"]) await build.grant(name, { event })
  const logIn = async (username: string) => {
    const response = await instance.fetch(
      new Request("http://localhost/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password }),
      }),
    )
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    return (path: string, { headers = {}, ...init }: RequestInit = {}) =>
      instance.fetch(
        new Request(new URL(path, "http://localhost"), {
          ...init,
          headers: { ...headers as Record<string, string>, cookie },
        }),
      )
  }
  const send = await logIn("acme-export")

  /** Waits until everything about disclosures is written that requests have left. */
  const written = async () => {
    for (;;) {
      const { batches: { disclosures, erasures } } = await instance.numbers()
      if (disclosures?.waiting === 0 && erasures?.waiting === 0) return
      await setTimeout(2)
    }
  }
  return {
    database,
    build,
    organization,
    event,
    logIn,
    written,
    /** Requests something of the event as `acme-export`. */
    request: (path: string, init?: RequestInit) => send(`/acme/v1/events/${event}/${path}`, init),
    async recipientsOf(guest: string) {
      await written()
      const { records } = await findDisclosures(database, guest)
      return records.flatMap(({ recipients }) => recipients)
    },
  }
}
