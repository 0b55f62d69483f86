import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Test } from "tap"
import type { Database } from "../../../core/data/database.ts"
import { startListening } from "../../../core/kernel/listening.ts"
import { Service } from "../../../core/kernel/service.ts"
import { generousSettings, secret } from "../app.ts"
import { copiedUrl, type Engine, openFor, type Teardown } from "../database.ts"

/** A service on a port, on a fresh database. */
export interface Stage {
  readonly database: Database
  readonly databaseUrl: string
  /** The URL of the service. */
  readonly base: string
  /** The configuration. */
  readonly file: string
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a service in this process for clients in others. Removes all after the test. */
export async function openStage(t: Teardown, engine: Engine): Promise<Stage> {
  return await openStageOn(t, await copiedUrl(t, engine))
}

/** The same on a migrated database that exists. */
export async function openStageOn(t: Teardown, url: string): Promise<Stage> {
  const database = await openFor(t as Test, url, { connections: 8 })
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "config.yaml")
  writeFileSync(file, JSON.stringify(configuration(url)))
  const service = await Service.start(file, { environment: {}, log: () => silent })
  t.teardown(() => service.close())
  const listening = await startListening(service)
  t.teardown(() => listening.close())
  return { database, databaseUrl: url, base: listening.url, file }
}

/** YAML includes JSON. */
function configuration(url: string): object {
  return {
    server: { host: "127.0.0.1", port: 0 },
    database: { url },
    session: { secrets: [secret] },
    ping: { loopback: true },
    limits: generousSettings,
    plugins: [
      { use: "session" },
      { use: "docs" },
      { use: "pull" },
      {
        use: "custom-export",
        with: {
          customers: [{ namespace: "acme", organization: "acme", service_user: "acme-export" }],
        },
      },
      { use: "connector-a", with: { segment: "connector-a", organizations: ["acme"] } },
    ],
  }
}
