// Measures the pages of the console with many partners: node test/bench/console.ts. On the embedded database,
// or on a new one of the server of TEST_MYSQL_URL.
import { allStorages } from "../support/storages.ts"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { textTable } from "../../core/cli/context.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import type { ListKind } from "../../plugins/capabilities/partners/tables.ts"
import { startInstance } from "../../core/kernel/instance.ts"
import { createLog } from "../../core/log.ts"
import { readPlan } from "../../core/routes/plan.ts"
import { Builder, password } from "../support/builder.ts"
import { emptyRow } from "../support/sync-rows.ts"
import { openBenchMysql } from "./mysql.ts"
import { median } from "./statistics.ts"

const size = { partners: 300, events: 50, guests: 20, audited: 50_000, rounds: 15 }
const kinds: readonly ListKind[] = ["guests", "items", "guest deletions", "item deletions"]

const file = join(tmpdir(), `event-export-console-${process.pid}.db`)
const mysql = process.env["TEST_MYSQL_URL"]
  ? await openBenchMysql(new AbortController().signal)
  : undefined
const url = mysql?.url ?? `sqlite:${file}`
const database = await openDatabase(url, {
  connections: 10,
  timeLimit: 60,
  storages: allStorages,
})
await migrate(database)
const ids = await fill()
const plan = await readPlan("config/event-export.yaml", {
  DATABASE_URL: url,
  SESSION_SECRET: "a secret of the bench, 32 characters and more",
  PORT: "0",
})
const log = createLog("silent", { write: () => {} })
const limits = { burst: 100_000, quota: 1_000_000, concurrent: 100, waiting: 100 }
const instance = await startInstance({ ...plan, limits }, { log })
const cookie = await logIn()

const pages = {
  Overview: "/console",
  Partner: "/console/partners/partner-7",
  Events: "/console/events",
  Event: `/console/events/${ids[7]}`,
  Configuration: "/console/configuration",
  Accounts: "/console/accounts",
  Account: "/console/accounts/partner-7",
  Audit: "/console/audit",
  Disclosures: "/console/disclosures",
}
const rows: string[][] = []
for (const [name, path] of Object.entries(pages)) {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < size.rounds; round++) {
    const started = performance.now()
    const response = await instance.fetch(
      new Request(`http://localhost${path}`, { headers: { cookie, accept: "text/html" } }),
    )
    bytes = (await response.arrayBuffer()).byteLength
    times.push(performance.now() - started)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  }
  const [first = 0, ...others] = times
  rows.push([
    name,
    `${median(others).toFixed(1)} ms`,
    `${first.toFixed(1)} ms`,
    `${Math.max(...others).toFixed(1)} ms`,
    `${Math.round(bytes / 1024)} kB`,
  ])
}
console.log(
  `${size.partners} partners × ${size.events} events × ${kinds.length} lists, ${database.dialect.version}\n`,
)
console.log(textTable([["PAGE", "MEDIAN", "FIRST", "SLOWEST", "SIZE"], ...rows]))
await instance.close()
await database.close()
await mysql?.stop()
for (const end of ["", "-shm", "-wal"]) rmSync(file + end, { force: true })

/** Adds the partners, what each has read of each event, and their requests. Returns the ids of the events. */
async function fill(): Promise<string[]> {
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const events: string[] = []
  for (let n = 0; n < size.events; n++) {
    const event = await build.event(organization, { name: `Event ${n}` })
    await build.guests(event, size.guests)
    events.push(event)
  }
  await build.account("operator", "operator")
  const now = Math.floor(Date.now() / 1000)
  for (let n = 0; n < size.partners; n++) {
    const account_id = await build.account(`partner-${n}`)
    await build.grant(`partner-${n}`, { organization: "acme" })
    await writer.insertInto("session").values({
      id: crypto.randomUUID(),
      account_id,
      created: now - 3600,
      expires: now + 86_400 * (n % 40),
    }).execute()
    // One in ten has not been heard of since yesterday, one in seven is behind.
    const at = n % 10 === 0 ? now - 86_400 : now - n % 60
    const covered = n % 7 === 0 ? 1 : at
    for (const kind of kinds) {
      await writer.insertInto("sync_state").values(events.map((event_id) =>
        emptyRow({
          account_id,
          event_id,
          list: kind,
          kind,
          prefix: "/connector-b/v1",
          family: "connector-b",
          last_poll: at,
          poll_interval: 60,
          walk_started: at,
          walk_since: covered,
          walk_next: at,
          walk_completed: at,
          completed_next: covered,
          acknowledged: covered,
          acknowledged_at: at,
          records: 20,
        })
      )).execute()
    }
  }
  for (let n = 0; n < size.audited; n += 500) {
    await writer.insertInto("audit_log").values(Array.from({ length: 500 }, (_, index) => ({
      at: now - Math.floor((n + index) * 86_400 / size.audited),
      action: "list",
      account: `partner-${index % size.partners}`,
      address: "192.0.2.1",
      request_id: crypto.randomUUID(),
      plugin: "connector-b",
      route: "/connector-b/v1/events/:eventId/guests",
      event_id: events[index % events.length] ?? "",
      status: index % 50 === 0 ? 404 : 200,
      code: index % 50 === 0 ? "event_not_found" : null,
      sent: 20,
      milliseconds: 3,
    }))).execute()
  }
  return events
}

async function logIn(): Promise<string> {
  const response = await instance.fetch(
    new Request("http://localhost/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "operator", password }),
    }),
  )
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}
